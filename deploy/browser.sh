#!/bin/sh
# Make sure that there is a browser for tests/browser: Debian's chromium, unless one is installed already.
# Exit 0 when there is one, else 1 after saying why. Used by `make browser` and by .ci/run.
set -u

browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

if browser >/dev/null; then exit 0; fi
echo "browser: no chromium here, installing Debian's"
if command -v apt-get >/dev/null \
    && as_root apt-get update -qq \
    && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null \
    && browser; then
    exit 0
fi
echo "browser: chromium could not be installed; the tests of tests/browser will be left out" >&2
exit 1
