#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compile time with the plugin over compile time without it, over darktable's kernels (spir64, -O2), in processor time. Prints a
# line per file and the median. usage: bench/compile_time.sh [BUILD_DIR [RUNS]]
set -eu
build=$(cd "${1:-build}" && pwd)
runs=${2:-5}
kernels=/usr/share/darktable/kernels
[ -d "$kernels" ] || { echo "bench: $kernels is missing: install Debian's darktable package" >&2; exit 1; }
for file in "$kernels"/*.cl; do
    set -- clang-22 -x cl -cl-std=CL1.2 -target spir64 -emit-llvm -c -O2 -w -I"$kernels" "$file" -o /dev/null
    printf '%-28s %s\n' "$(basename "$file")" "$("$build/bench/ratio" -c -n "$runs" "$@" -- "$@" -fplugin="$build/plugin/gpuperf.so")"
done | tee /dev/stderr | awk '{print $2}' | sort -n | awk '{v[NR] = $1} END {printf "median ratio %.3f, worst %.3f, files %d\n", v[int((NR + 1) / 2)], v[NR], NR}'
