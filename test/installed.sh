#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# installed.sh BUILD SOURCE: what is installed finds its parts beside itself, and knows nothing of the tree that it was built in.
set -eu
build=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
cmake --install "$build" --prefix "$prefix" --strip > /dev/null
! grep -rlaF -e "$build" -e "$source" "$prefix" || { echo "FAILED: these name the build tree" >&2; exit 1; }
"$prefix/bin/gpuperf" devices | grep -q '^a100 '
mv "$prefix" "$prefix.moved"
"$prefix.moved/bin/gpuperf" devices | grep -q '^a100 '
chmod 1777 "$prefix.moved" # as /tmp: anybody may have put something there
if "$prefix.moved/bin/gpuperf" devices > "$prefix.out" 2>&1; then
    echo "FAILED: devices from a directory that everybody may put something into" >&2
    exit 1
fi
grep -q 'no device files: ' "$prefix.out"
