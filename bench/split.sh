#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Ten kernels shared out over PoCL's two devices on this machine, all its cores and one: gpuperf's shares beside simpler
# rules and the best of a sweep in steps of 5%.
# usage: bench/split.sh [BUILD [KERNEL...]]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
[ $# = 0 ] || shift
ninja -C "$build" split_example > /dev/null
export POCL_DEVICES="${POCL_DEVICES:-pthread basic}" SPLIT_KERNELS=examples/split
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so" GPUPERF_HWDB=hwdb
exec "$build/test/layer/split_example" --sweep "$@"
