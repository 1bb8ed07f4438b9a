#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# calibrate_confidence.sh [-b BUILD] [-m MEASURED] [-s SLICES] [-k]: how far predictions are from all measured times at hand, as
# model/predict/calibration_table.h, from which predictions take confidence and range, and as the curve in docs/accuracy.md. Predicts every
# SLICES-th slice (default 4) of the measured files (default bench/accuracy/measured, every 8 x SLICES-th of these), of the H100's and the
# H200's, the latter and NVIDIA's files without ptxas, too, and measures the kernels of bench/cpu on this machine's OpenCL CPU device: an
# hour on two cores. -k keeps bench/calibration/rows.tsv, which all that writes, and makes table and curve from it.
set -eu
build=build measured=bench/accuracy/measured slices=4 keep=
while getopts b:m:s:k option; do
    case $option in
    b) build=$OPTARG ;;
    m) measured=$OPTARG ;;
    s) slices=$OPTARG ;;
    k) keep=1 ;;
    *) echo "usage: bench/calibrate_confidence.sh [-b BUILD] [-m MEASURED] [-s SLICES] [-k]" >&2; exit 2 ;;
    esac
done
cd "$(dirname "$0")/.."
cmake --build "$build" --target accuracy choices calibrate_confidence > /dev/null
rows=bench/calibration/rows.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

predict() { # SET EVERY OPTION... : rows of a set of files
    set=$1 every=$2
    shift 2
    "$build/bench/accuracy" --cache "$build/accuracy" --rows "$work/$set" --slices "$every" --clock a100=765 \
        --clock dedispersion__a100=1410 --clock convolution__w6600=2757 "$@" > "$work/$set.txt"
}

take() { # SOURCE SET
    awk -v source="$1" -f bench/calibration/rows.awk "$work/$2"/*.csv
}

if [ -z "$keep" ]; then
    many=$((8 * slices))
    predict h100 "$slices" --measured bench/gpu/results/h100
    predict h200 "$slices" --measured bench/gpu/results/h200
    predict files "$many" --measured "$measured"
    (export GPUPERF_PTXAS=
    predict h200_estimated $((2 * slices)) --measured bench/gpu/results/h200 --nvcc never
    predict files_estimated $((2 * many)) --measured "$measured" --nvcc never convolution__a100 convolution__a4000 \
        convolution_counters__rtx2080ti dedispersion__a100 pnpoly_counters__rtx2080ti)
    mkdir "$work/cpu"
    "$build/bench/choices" -o "$work/cpu" > "$work/cpu.txt"
    { take h100 h100; take h200 h200; take h200-estimated h200_estimated; take file files; take file files_estimated; take pocl cpu; } > "$work/rows.tsv"
    mv "$work/rows.tsv" "$rows"
fi
"$build/bench/calibrate_confidence" --table model/predict/calibration_table.h --curve "$rows" > "$work/curve.md"
awk -v curve="$work/curve.md" '
    /<!-- calibration: begin -->/ { print; print ""; while ((getline line < curve) > 0) print line; print ""; inside = 1; next }
    /<!-- calibration: end -->/ { inside = 0 }
    !inside { print }' docs/accuracy.md > "$work/accuracy.md"
cat "$work/accuracy.md" > docs/accuracy.md
