#!/bin/sh
# siblings.sh BUILD MEASURED: rows of the A4000's measured file are predicted alike whether their code was compiled for it or beside the A100's. 77: there are no such files.
set -eu
build=$1
measured=$2
for file in convolution__a100 convolution__a4000; do
    [ -r "$measured/$file.csv" ] || exit 77
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
predict() { # ROWS NAME
    "$build/bench/accuracy" --measured "$measured" --cache "$work/$1.cache" --rows "$work/$1" --slices 64 "$2" > "$work/$1.txt"
}
predict both convolution__a
predict alone convolution__a4000
rows=$(grep -c . "$work/alone/convolution__a4000.csv")
beside=$(ls "$work"/both.cache/* | grep -c sm_86)
[ "$rows" -gt 20 ] || { echo "only $rows rows"; exit 1; }
[ "$beside" -gt 20 ] || { echo "only $beside profiles of sm_86"; exit 1; }
cmp "$work/alone/convolution__a4000.csv" "$work/both/convolution__a4000.csv"
