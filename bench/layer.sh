#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the layer costs: a cached decision against the launch itself, and a whole ffmpeg run with and without the layer, with a
# cold and with a warm cache (best of RUNS each). usage: bench/layer.sh [BUILD_DIR [RUNS]]
set -eu
build=$(cd "${1:-build}" && pwd)
runs=${2:-5}
layer=$build/runtime/libgpuperf-opencl.so
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT

best() { # smallest of RUNS numbers that the command prints
    for _ in $(seq "$runs"); do "$@"; done | sort -n | head -1
}
plain=$(best "$build/bench/launches")
layered=$(best env OPENCL_LAYERS="$layer" GPUPERF_CACHE="$cache" "$build/bench/launches")
echo "launch and finish: $plain ns without, $layered ns with the layer, ratio $(awk "BEGIN {printf \"%.3f\", $layered / $plain}")"

cat > "$cache/ffmpeg.sh" <<'F'
#!/bin/sh
[ "${COLD:-}" ] && rm -rf "$GPUPERF_CACHE"/*
exec ffmpeg -nostdin -loglevel error -init_hw_device opencl=ocl -filter_hw_device ocl -f lavfi -i testsrc2=size=640x360:rate=25:duration=4 \
    -vf 'format=yuv420p,hwupload,avgblur_opencl=sizeX=4,unsharp_opencl,hwdownload,format=yuv420p' -f framemd5 -
F
chmod +x "$cache/ffmpeg.sh"
mkdir -p "$cache/of-ffmpeg"
with="env OPENCL_LAYERS=$layer GPUPERF_CACHE=$cache/of-ffmpeg"
echo "ffmpeg, cold cache: ratio, seconds without, with: $("$build/bench/ratio" -n "$runs" "$cache/ffmpeg.sh" -- $with COLD=1 "$cache/ffmpeg.sh")"
$with "$cache/ffmpeg.sh" > /dev/null
echo "ffmpeg, warm cache: ratio, seconds without, with: $("$build/bench/ratio" -n "$runs" "$cache/ffmpeg.sh" -- $with "$cache/ffmpeg.sh")"
