#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two kernels in configurations that Kernel Tuner measured (a matrix multiplication of register tiles, vector loads, local memory or none; a stencil of several steps in local memory): how well are they ordered, how far
# off are the times, what would the fastest prediction have cost? For all, and for those alone that nothing was found on.
# usage: bench/tuned/tuned.sh [BUILD_DIR [MODEL [check]]]; check: exit status 1 where a row does not reach the rank correlation that stands with it below, or has a larger median error (of the throughput model). VERBOSE=1:
# each configuration.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
model=${2:-throughput}
check=${3:-}
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
size=4096

# Each of these: DEVICE and the numbers of a row.
gemm() {
    "$build/tools/gpuperf" predict --warm --json --device "$1" --model "$model" --local "$5x$6" --global "$((size / $2 * $5))x$((size / $3 * $6))" --arg m_size=$size --arg n_size=$size --arg k_size=$size --arg beta=1 "$here/gemm.cl" -- \
        -DMWG="$2" -DNWG="$3" -DKWG="$4" -DMDIMC="$5" -DNDIMC="$6" -DMDIMA="$7" -DNDIMB="$8" -DKWI="$9" -DVWM="${10}" -DVWN="${11}" -DSTRM="${12}" -DSTRN="${13}" -DSA="${14}" -DSB="${15}"
}
hotspot() {
    local wide=$(($2 * $4)) high=$(($3 * $5))
    "$build/tools/gpuperf" predict --warm --json --device "$1" --model "$model" --local "$2x$3" --global "$(((size + wide - 1) / wide * $2))x$(((size + high - 1) / high * $3))" "$here/hotspot.cu" -- \
        -DBX="$2" -DBY="$3" -DTILE_X="$4" -DTILE_Y="$5" -DSTEPS="$6" -DUNROLL="$7" -DSH_POWER="$8" -DBLOCKS="$9"
}

predict() { # kernel, device, a row: its milliseconds, the predicted ones, what it is used to
    local kernel=$1 device=$2
    shift 2
    "$kernel" "$device" "${@:1:$#-2}" | awk -v measured="${*: -2:1}" -v use="${*: -1}" -v what="${*:1:$#-2}" '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); printf "%s %.3f %s %s\n", measured, $2 / 1e6, use, what}'
}

summary() { # name, file: Spearman's rank correlation, the median error, the time of the fastest prediction over the best
    sort -g "$2" | awk '{print NR, $0}' | sort -g -k3 | awk -v name="$1" '
        {n++; d = NR - $1; squares += d * d; error[n] = $3 / $2 - 1; error[n] = error[n] < 0 ? -error[n] : error[n]; if (NR == 1) picked = $2; if (!best || $2 < best) best = $2}
        END {for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (error[j] < error[i]) {t = error[i]; error[i] = error[j]; error[j] = t}
            printf "%-22s %3d configurations  rank correlation %.2f  median error %2.0f%%  pick over best %.2f\n", name, n, 1 - 6 * squares / (n * (n * n - 1)), 100 * error[int((n + 1) / 2)], picked / best}'
}

bounded() { # kernel, file, least rank correlation, most error in percent: the summary, judged by these
    summary "$1" "$2" | tee "$2.summary"
    [ "$check" != check ] || awk -v least="$3" -v most="$4" '{for (i = 1; i < NF; i++) {if ($i == "correlation") bad += $(i + 1) < least; if ($i == "error") bad += $(i + 1) + 0 > most} exit bad}' "$2.summary"
}

judge() { # kernel, device; least rank correlation and most error of all; of those to judge by
    local rows="$here/$1_$2.txt" times="$work/$1_$2"
    half() { grep -v '^#' "$rows" | awk -v part="$3" 'NR % 2 == part' | while read -r row; do predict "$1" "$2" $row; done > "$times$3"; }
    half "$1" "$2" 0 &
    half "$1" "$2" 1
    wait $!
    cat "${times}0" "${times}1" > "$times"
    [ "$(wc -l < "$times")" = "$(grep -vc '^#' "$rows")" ]
    [ -z "${VERBOSE:-}" ] || sort -n "$times"
    bounded "$1 $2" "$times" "$3" "$4"
    grep ' judge ' "$times" > "${times}_judge"
    bounded "  judged by" "${times}_judge" "$5" "$6"
}

judge gemm a100 0.85 10 0.74 10
judge hotspot a4000 0.97 10 0.97 10
