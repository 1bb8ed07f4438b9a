#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuperf calibrate on drivers that fail: a sentence, status 2, and what was at the output's place stays.
# usage: bad_drivers.sh GPUPERF FOLDER-OF-LIBOPENCL-AND-LIBCUDA
set -u
gpuperf=$1 drivers=$2
scratch=$(mktemp -d)
trap 'chmod u+w "$scratch"; rm -rf "$scratch"' EXIT
failures=0

# expect DRIVER STATUS PATTERN: what it says, of `launch` and `chains`, by the options in $by.
by=--opencl
expect() {
    echo before > "$scratch/mine.yaml"
    LD_LIBRARY_PATH=$drivers DRIVER=$1 "$gpuperf" calibrate $by --only launch,chains -o "$scratch/mine.yaml" > "$scratch/out" 2>&1
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
    if [ "$(ls "$scratch" | grep -c -v -e '^mine.yaml$' -e '^out$' -e '^ptx$')" != 0 ]; then
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

# CUDA's: the programs are made here, or were before.
by=--cuda
expect none 0 'written: '
expect refuses 2 '^gpuperf: .*NVIDIA A100: the driver refuses the code of group.cl: ptxas application ptx input, line 5; fatal   : Unsupported .version 9.9$'
mkdir "$scratch/ptx"
"$gpuperf" calibrate --compile-only sm_80 --ptx "$scratch/ptx" || failures=1
by="--cuda a100 --ptx $scratch/ptx"
expect none 0 'lat_fp32 *15.6.*float_mad'
expect absent 2 '^gpuperf: the NVIDIA driver finds no GPU here: '
expect vanishes 2 '^gpuperf: .*NVIDIA A100: .*: unspecified launch failure$'
expect still 0 'lat_fp32 *not identifiable *: no difference between two times'
expect shared 0 'lat_fp32 *not trusted *: repeats differ by'
by="--cuda 1 --ptx $scratch/ptx"
expect none 0 'written: ' # of other code than the device's: an older driver takes no newer one
by='--cuda a6000'
expect none 2 "^gpuperf: CUDA has no device 'a6000' here; there are 0 (NVIDIA A100), 1 (Tesla T4)$"
by="--cuda --ptx $scratch"
expect none 2 '^gpuperf: .*cannot read .*/group.ptx: make it with --compile-only sm_[0-9]* --ptx .*$'

# Every probe finds its kernels, and the constants their place.
LD_LIBRARY_PATH=$drivers "$gpuperf" calibrate --cuda --ptx "$scratch/ptx" --only launch,chains,chase,bandwidth,groups,core,constant,texture,residency,divergence,coalescing,knee,lashgar-requests,lashgar-l2,hk,wang,teg > "$scratch/out" 2>&1 ||
    { cat "$scratch/out"; failures=1; }

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
