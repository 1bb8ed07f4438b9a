#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sampled against exhaustive execution on darktable's kernels: the totals of a launch as the models see them beside those of all its
# work-items (docs/oracle.md), on the assumed launch with a small range. Exit status 1 where the median is beyond 2% or the
# worst beyond 10%, 77 where darktable is not installed.
#
# usage: bench/corpora/sampled.sh [-b BUILD] [-t TARGET] [-r XxY] [-q] [-v] [FILE...]
#   -b BUILD   build directory (build)
#   -t TARGET  spir64, nvptx64-nvidia-cuda or amdgcn-amd-amdhsa (spir64)
#   -r XxY     work-items of the range (64x64)
#   -q         sampled as the plugin and the layer do
#   -v         all totals, not only the worst
#   FILE...    of darktable's (all)
set -eu
build=build target=spir64 range=64x64 options=
here=$(cd "$(dirname "$0")" && pwd)
clang=${CLANG:-clang-22}
while getopts b:t:r:qv option; do
    case $option in
    b) build=$OPTARG ;;
    t) target=$OPTARG ;;
    r) range=$OPTARG ;;
    q) options="$options --quick" ;;
    v) options="$options --verbose" ;;
    *) sed -n '/^# usage/,/^set/p' "$0" | grep '^#' >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- /usr/share/darktable/kernels/*.cl
[ -f "$1" ] || { echo "sampled: $1 is not here: install Debian's darktable" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$@"; do
    "$clang" -x cl -cl-std=CL1.2 -I"$(dirname "$file")" -target "$target" -cl-kernel-arg-info -O2 -w -emit-llvm -c "$file" -o "$work/$(basename "$file").bc" ||
        { echo "sampled: $clang cannot compile $file" >&2; exit 2; }
done
"$build/test/oracle/gpuperf-oracle" --hwdb "$here/../../hwdb" --sampled 1 $options --range "$range" "$here/darktable.launches" "$work"/*.bc
