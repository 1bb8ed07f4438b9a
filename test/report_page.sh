#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# report_page.sh GPUPERF SOURCE: the report's page in a browser, headless Chromium: its tables and charts are there, nothing of it fails.
set -eu
gpuperf=$1 source=$2
browser=$(command -v chromium) || { echo "chromium is missing: skipped"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

# open PAGE[#PLACE]: the document as it is after its scripts, in $scratch/dom; what the console said in $scratch/console.
open() {
    timeout 50 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$scratch/profile" \
        --virtual-time-budget=3000 --enable-logging=stderr --dump-dom "file://$1" > "$scratch/dom" 2> "$scratch/log" || { cat "$scratch/log" >&2; fail "chromium ends with an error"; }
    grep 'CONSOLE' "$scratch/log" > "$scratch/console" || :
    [ ! -s "$scratch/console" ] || { cat "$scratch/console" >&2; fail "the console has messages"; }
}
has() { grep -qF -- "$1" "$scratch/dom" || fail "the page has no $1"; }

cd "$scratch"
cp "$source/lit/tools/check/Inputs/rows.cl" rows.cl
cp "$source/lit/tools/report/Inputs/hostile.cl" '<img src=x onerror=a()>.cl'
GPUPERF_CACHE= "$gpuperf" report --device a100,mi250x rows.cl '<img src=x onerror=a()>.cl' -o page.html
open "$scratch/page.html"
has '>row_sums<'
has '<svg viewBox="0 0 400'
has 'aria-label="Time over local sizes. Of '
has 'class="dot own"'
has 'aria-label="Time over resident warps. From '
has 'aria-label="Busy time of each unit, stacked. a100: DRAM '
has 'class="unit unit-dram"'
has 'id="k2-L9"'
has '&lt;/script&gt;&lt;script&gt;document.title'
has '<title>gpuperf report</title>'
! grep -q '<img' "$scratch/dom" || fail "a file's name became an element"

# The test itself: an error in the page is seen.
sed 's/&& showReport(data)/\&\& showNothing(data)/' page.html > broken.html
if (open "$scratch/broken.html") 2> /dev/null; then
    fail "an error on the page was not seen"
fi
