#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# siblings.sh BUILD MEASURED: rows of a measured file are predicted alike whether their code was made for the device or beside that of another (gp_compile_siblings()). 77: there are no such files.
set -eu
build=$1
measured=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
predict() { # ROWS SLICES NAME...
    rows=$1
    slices=$2
    shift 2
    "$build/bench/accuracy" --measured "$measured" --cache "$work/$rows.cache" --rows "$work/$rows" --slices "$slices" "$@" > "$work/$rows.txt"
}
compare() { # DEVICE SIBLING PROCESSOR SLICES
    for file in "convolution__$1" "convolution__$2"; do
        [ -r "$measured/$file.csv" ] || exit 77
    done
    predict "both_$2" "$4" "convolution__$1" "convolution__$2"
    predict "alone_$2" "$4" "convolution__$2"
    count=$(grep -c . "$work/alone_$2/convolution__$2.csv")
    beside=$(ls "$work/both_$2.cache"/* | grep -c "$3")
    [ "$count" -gt 20 ] || { echo "$2: only $count rows"; exit 1; }
    [ "$beside" -gt 20 ] || { echo "$2: only $beside profiles of $3"; exit 1; }
    cmp "$work/alone_$2/convolution__$2.csv" "$work/both_$2/convolution__$2.csv"
}
compare a100 a4000 sm_86 64
if command -v clang-14 > /dev/null; then # without AMD's own clang each is compiled alone
    compare mi50 w6600 gfx1032 96
fi
