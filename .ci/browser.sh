#!/usr/bin/env bash
# Find or get a Chromium for the tests: an installed one, else Debian's package as root, else
# Playwright's own. Where none can be had the tests say so themselves.
# usage: bash .ci/browser.sh PYTHON
set -euo pipefail

python=$1

installed() {
  "$python" -c 'import sys; from seqviz.view import chromium; sys.exit(chromium.find() is None)'
}

if installed; then exit 0; fi

if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } > /dev/null ||
    echo "no Chromium from the system's packages; trying Playwright's" >&2
  if installed; then exit 0; fi
fi

"$python" -m playwright install chromium ||
  echo "no browser could be had: the browser tests are skipped, and fail where CI=true" >&2
