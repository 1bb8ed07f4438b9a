#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuperf calibrate on drivers that fail: a sentence, status 2, and what was at the output's place stays.
# usage: bad_drivers.sh GPUPERF FOLDER-OF-LIBOPENCL
set -u
gpuperf=$1 drivers=$2
scratch=$(mktemp -d)
trap 'chmod u+w "$scratch"; rm -rf "$scratch"' EXIT
failures=0

# expect DRIVER STATUS PATTERN: what it says, of `launch` and `chains`.
expect() {
    echo before > "$scratch/mine.yaml"
    LD_LIBRARY_PATH=$drivers DRIVER=$1 "$gpuperf" calibrate --opencl --only launch,chains -o "$scratch/mine.yaml" > "$scratch/out" 2>&1
    status=$?
    if [ "$status" != "$2" ] || ! grep -q -- "$3" "$scratch/out"; then
        echo "$1: status $status, not $2, or not '$3':"
        cat "$scratch/out"
        failures=1
    fi
    if [ "$2" != 0 ] && [ "$(cat "$scratch/mine.yaml")" != before ]; then
        echo "$1: the output was written"
        failures=1
    fi
    if [ "$(ls "$scratch" | grep -c -v -e '^mine.yaml$' -e '^out$')" != 0 ]; then
        echo "$1: something is left: $(ls "$scratch")"
        failures=1
    fi
}

expect none 0 'written: '
expect vanishes 2 '^gpuperf: .*NVIDIA A100: .*: the device is not available$'
expect unprofiled 2 '^gpuperf: NVIDIA A100: the driver cannot time launches (CL_QUEUE_PROFILING_ENABLE)$'
expect untold 2 '^gpuperf: .*: profiling information is not available$'
expect still 0 'lat_fp32 *not identifiable *: no difference between two times'
expect shared 0 'lat_fp32 *not trusted *: repeats differ by'

# An output that became impossible while it was measured: what was measured is shown, nothing is written.
if [ "$(id -u)" != 0 ]; then
    chmod u-w "$scratch"
    LD_LIBRARY_PATH=$drivers "$gpuperf" calibrate --opencl --only chains -o "$scratch/other.yaml" > /dev/null 2>&1 && failures=1
    chmod u+w "$scratch"
fi
mkdir "$scratch/folder.yaml"
LD_LIBRARY_PATH=$drivers "$gpuperf" calibrate --opencl --only chains -o "$scratch/folder.yaml" > "$scratch/out" 2>&1
if [ $? != 2 ] || ! grep -q 'nothing is written: cannot write .*folder.yaml' "$scratch/out" || ! grep -q lat_fp32 "$scratch/out"; then
    echo "a folder is at the output's place:"
    cat "$scratch/out"
    failures=1
fi
exit $failures
