#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a prediction costs, and how often simulated times break what holds of any machine: compiles darktable's kernels and those of bench/ with the plugin and runs
# bench/trace and bench/monotony on the profiles. Exit status 77: darktable's kernels are not installed.
#
# usage: bench/trace.sh [-b BUILD] [-d DEVICE[,DEVICE]] [-j JOBS] [-p DIR]
#   -b BUILD     build directory (build)
#   -d DEVICES   a100,k20,gtx280,rtx3090,mi250x,w6600
#   -j JOBS      compiles at a time (1)
#   -p DIR       profiles are made once and kept there (made anew and thrown away)
set -eu
build=build devices=a100,k20,gtx280,rtx3090,mi250x,w6600 jobs=1 profiles=
here=$(cd "$(dirname "$0")" && pwd)
while getopts b:d:j:p: option; do
    case $option in
    b) build=$OPTARG ;;
    d) devices=$OPTARG ;;
    j) jobs=$OPTARG ;;
    p) profiles=$OPTARG ;;
    *) sed -n '/^# usage/,/^set/p' "$0" | grep '^#' >&2; exit 2 ;;
    esac
done
if [ -z "$profiles" ]; then
    profiles=$(mktemp -d)
    trap 'rm -rf "$profiles"' EXIT
fi
mkdir -p "$profiles"
ls "$profiles"/*/*.gpuperf >/dev/null 2>&1 || "$here/corpora/corpora.sh" -b "$build" -c "darktable own" -t nvptx64 -j "$jobs" -k "$profiles"
"$build/bench/trace" -d "$devices" "$profiles"/*/*.gpuperf
"$build/bench/monotony" -d "$devices" "$profiles"/*/*.gpuperf
