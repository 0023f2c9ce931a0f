#!/usr/bin/env bash
# Check the JavaScript of the views: ESLint and Prettier, in the versions of package-lock.json.
# Without npm it is not checked; where CI=true that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v npm > /dev/null; then
  echo "no npm (Node.js 20 or newer): the JavaScript is not checked" >&2
  [ "${CI:-}" != true ]
  exit
fi

if ! [ node_modules/.package-lock.json -nt package-lock.json ]; then npm ci --silent; fi
npm run --silent check
