#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each change that `predict --fix-it` may offer as keeping the results does keep them, on kernels of the project, byte for byte, on a CPU.
# usage: same_results.sh CLANG PLUGIN PROGRAM SOURCES; exit status 77 where there is no OpenCL device
set -u
clang=$1 plugin=$2 program=$3 sources=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# CHANGES FILE KERNEL GLOBAL LOCAL OPTIONS NUMBER...: so many of them
prove() {
    changes=$1 file=$sources/$2
    shift 2
    "$clang" -x cl -cl-std=CL1.2 -target nvptx64 -O1 -w -S -emit-llvm -o /dev/null $4 -fplugin="$plugin" -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-annotate=off \
        -fplugin-arg-gpuperf-edits="$scratch/edits" "$file" || { failed=1; return; }
    "$program" "$scratch/edits" "$file" "$@" > "$scratch/out" 2>&1
    status=$?
    [ $status = 77 ] && exit 77
    cat "$scratch/out"
    [ $status = 0 ] && grep -q ": $changes changes keep" "$scratch/out" || { echo "$file: $1: expected $changes changes that keep the results"; failed=1; }
}

export POCL_CACHE_DIR="$scratch/pocl"
unset OPENCL_LAYERS
prove 1 test/fixit/kernels.cl reduce 4096 256 ""
prove 7 test/fixit/kernels.cl forms 4096 64 "" 5
prove 0 test/fixit/kernels.cl others 4096 64 "" 3
prove 2 test/fixit/kernels.cl arrays 64x64 16x8 ""
prove 1 examples/transpose.cl transpose_tiled 256x64 32x8 "" 256 256
prove 2 bench/oclgrind/kernels.cl multiply 64x64 8x8 "" 64
exit $failed
