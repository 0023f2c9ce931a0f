#!/usr/bin/env bash
# Find or get a Chromium for the tests: Debian's packages as root, the headless shell before the
# rest, else an installed one, else Playwright's own. Where none can be had the tests say so.
# usage: bash .ci/browser.sh PYTHON
set -euo pipefail

python=$1

installed() {
  "$python" -c 'import sys; from seqviz.views.shared import chromium; sys.exit(chromium.find() is None)'
}

if command -v chromium-headless-shell > /dev/null; then exit 0; fi

if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  apt-get update -qq > /dev/null || echo "the system's list of packages could not be renewed" >&2
  for package in chromium-headless-shell chromium; do # in the shell a page opens five times as fast
    if apt-get install -y -qq --no-install-recommends "$package" > /dev/null; then break; fi
    if installed; then break; fi
  done
fi

if installed; then exit 0; fi

"$python" -m playwright install chromium ||
  echo "no browser could be had: the browser tests are skipped, and fail where CI=true" >&2
