#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs that use OpenCL, with and without the layer: whether they print the same, and how much processor time the layer costs once its cache is warm, in the median of RUNS pairs of runs.
# usage: [ONLY=TEXT] bench/programs/programs.sh [BUILD_DIR [RUNS]]     ONLY: programs whose name holds it
# Debian's ffmpeg, libboost-dev and libclblast-dev, PyPI's pyopencl and opencv-python-headless in the Python that $PYTHON names: what is not there is left out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
runs=${2:-9}
python=${PYTHON:-python3}
layer=$build/runtime/libgpuperf-opencl.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OPENCV_OPENCL_DEVICE=:CPU: POCL_CACHE_DIR=$work/pocl GPUPERF_CACHE=$work/cache PYOPENCL_NO_CACHE=1 PYTHONDONTWRITEBYTECODE=1 OPENCV_OPENCL_CACHE_ENABLE=0
mkdir -p "$POCL_CACHE_DIR"
unset OPENCL_LAYERS

printf '%-34s %8s %8s %9s %8s  %s\n' program plain layer ratio launches results
measure() { # NAME COMMAND..
    local name=$1 ratio plain layered
    shift
    [[ $name == *"${ONLY:-}"* ]] || return 0
    "$@" > "$work/want" 2> "$work/said" || { echo "$name: left out ($(tail -1 "$work/said"))"; return 0; }
    for wait in 20000 20000 0; do # every decision is made, every size that pays is built
        OPENCL_LAYERS=$layer GPUPERF_LOG=1 GPUPERF_WAIT=$wait "$@" > "$work/got" 2> "$work/log" || { echo "$name: FAILED under the layer"; tail -3 "$work/log"; return 0; }
        cmp -s "$work/want" "$work/got" || { echo "$name: OTHER RESULTS under the layer"; return 0; }
    done
    # Both through env: starting it is no cost of the layer's.
    read -r ratio plain layered <<< "$("$build/bench/ratio" -c -n "$runs" env -u OPENCL_LAYERS "$@" -- env OPENCL_LAYERS="$layer" "$@")"
    printf '%-34s %8s %8s %9s %8s  same\n' "$name" "$plain" "$layered" "$ratio" "$(grep -o '^gpuperf: [0-9]* launch' "$work/log" | awk '{n += $2} END {print n}')"
}

filters() {
    echo ffmpeg -nostdin -loglevel error -init_hw_device opencl=ocl -filter_hw_device ocl -f lavfi -i testsrc2=size=640x360:rate=10:duration="$1" -vf "format=yuv420p,hwupload,$2,hwdownload,format=yuv420p" -f framemd5 -
}
# shellcheck disable=SC2046
{
    measure "ffmpeg avgblur" $(filters 4 avgblur_opencl=sizeX=4)
    measure "ffmpeg unsharp" $(filters 8 unsharp_opencl)
    measure "ffmpeg nlmeans" $(filters 1 nlmeans_opencl=s=3:p=3:r=7)
}
measure "pyopencl" "$python" "$here/arrays.py"
measure "OpenCV, cv2.UMat" "$python" "$here/images.py"
if g++ -w -O1 "$here/boost.cpp" -o "$work/boost" -lOpenCL 2> /dev/null; then measure "Boost.Compute" "$work/boost"; else echo "Boost.Compute: left out (libboost-dev)"; fi
if gcc -O1 "$here/blas.c" -o "$work/blas" -lclblast -lOpenCL 2> /dev/null; then measure "CLBlast" "$work/blas"; else echo "CLBlast: left out (libclblast-dev)"; fi
