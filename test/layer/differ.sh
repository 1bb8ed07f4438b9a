#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# differ.sh BUILD [FROM TO]: random OpenCL programs (differ.c) of these seeds, without the layer and with it in all its modes; exit status 1 where bytes differ, 77 where there is no plugin. For two devices of PoCL.
set -u
build=$1 from=${2:-1} to=${3:-10}
[ -e "$build/plugin/gpuperf.so" ] || exit 77
work=$build/test/layer/scratch/differ-$from
rm -rf "$work"
mkdir -p "$work/headers" "$work/pocl"
unset OPENCL_LAYERS GPUPERF GPUPERF_DEVICE GPUPERF_HWDB GPUPERF_CLANG GPUPERF_SAMPLE GPUPERF_ROUNDING GPUPERF_BUILD_MS GPUPERF_LOG
export POCL_CACHE_DIR="$work/pocl" GPUPERF_CACHE="$work/cache" GPUPERF_PLUGIN="$build/plugin/gpuperf.so" GPUPERF_WAIT=120000 POCL_DEVICES="pthread basic"
failed=0

# A process for each program: after one that allows loose rounding the layer leaves PoCL alone.
run() {
    : > "$work/$1.out"
    : > "$work/$1.log"
    seed=$from
    while [ "$seed" -le "$to" ]; do
        "$build/test/layer/layer_differ" "$seed" "$seed" "$work/headers" >> "$work/$1.out" 2>> "$work/$1.log" || { echo "$1: the program of seed $seed failed: $(tail -1 "$work/$1.log")"; failed=1; }
        seed=$((seed + 1))
    done
}

compare() { # NAME VARIABLE=VALUE...
    mode=$1
    shift
    (export OPENCL_LAYERS="$build/runtime/libgpuperf-opencl.so" GPUPERF_LOG=2 "$@" && run "$mode"; exit $failed) || failed=1
    if ! diff "$work/plain.out" "$work/$mode.out" > "$work/$mode.diff"; then
        echo "$mode differs, at seeds $(sed -n 's/^> \([0-9]*\) .*/\1/p' "$work/$mode.diff" | tr '\n' ' ')($build/test/layer/layer_differ SEED show)"
        failed=1
    fi
    if [ "$mode" = predicted ] && ! grep -q '(predicted best)' "$work/$mode.log"; then
        echo "no program was launched with gpuperf's size: nothing was tried"
        failed=1
    fi
    echo "$mode: $(grep -c '' "$work/$mode.out") programs, $(grep -c '(predicted best)' "$work/$mode.log") lines of launches with gpuperf's size"
}

run plain
compare predicted GPUPERF_BUILD_MS=0
compare override GPUPERF=override GPUPERF_BUILD_MS=0
compare sample GPUPERF_SAMPLE=on GPUPERF_BUILD_MS=0
compare default GPUPERF=on
compare uncached GPUPERF_CACHE= GPUPERF_WAIT=0
[ $failed -eq 0 ] && rm -rf "$work"
exit $failed
