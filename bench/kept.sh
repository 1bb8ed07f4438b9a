#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 22 kernels under the layer with GPUPERF_SAMPLE=on on PoCL: what sampling kept against the driver's size. Fails where a kept size is slower.
# usage: bench/kept.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
ninja -C "$build" kept gpuperf-opencl > /dev/null
layer=$(cd "$build" && pwd)/runtime/libgpuperf-opencl.so
OPENCL_LAYERS=$layer GPUPERF_SAMPLE=on GPUPERF_BUILD_MS=0 GPUPERF_WAIT=120000 GPUPERF_CACHE= GPUPERF_LOG=${GPUPERF_LOG:-1} \
    GPUPERF_PLUGIN="$(cd "$build" && pwd)/plugin/gpuperf.so" "$build/bench/kept" .
