#!/bin/bash
# A tuned matrix multiplication (register tiles, vector loads, local memory or none) in configurations that were measured on an A100: how well are they ordered, how far off are the times, what would the fastest prediction
# have cost? For all, and for those alone that nothing was found on.
# usage: bench/tuned/tuned.sh [BUILD_DIR [MODEL [LEAST]]]; LEAST: rank correlation that all must reach, in percent (0); exit status 1 where they do not. VERBOSE=1: each configuration.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
model=${2:-throughput}
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
size=4096

predict() { # the parameters, the measured milliseconds, what the row is used to: these two and the prediction
    local defines="-DMWG=$1 -DNWG=$2 -DKWG=$3 -DMDIMC=$4 -DNDIMC=$5 -DMDIMA=$6 -DNDIMB=$7 -DKWI=$8 -DVWM=$9 -DVWN=${10} -DSTRM=${11} -DSTRN=${12} -DSA=${13} -DSB=${14}"
    "$build/tools/gpuperf" predict --json --device a100 --model "$model" --local "$4x$5" --global "$((size / $1 * $4))x$((size / $2 * $5))" \
        --arg m_size=$size --arg n_size=$size --arg k_size=$size --arg beta=1 "$here/gemm.cl" -- $defines |
        awk -v measured="${15}" -v use="${16}" -v what="${*:1:14}" '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); printf "%s %.3f %s %s\n", measured, $2 / 1e6, use, what}'
}

grep -v '^#' "$here/a100.txt" > "$work/rows"
half() { awk -v part="$1" 'NR % 2 == part' "$work/rows" | while read -r row; do predict $row; done > "$work/times$1"; }
half 0 &
half 1
wait $!
cat "$work/times0" "$work/times1" > "$work/times"
[ "$(wc -l < "$work/times")" = "$(wc -l < "$work/rows")" ]
[ -z "${VERBOSE:-}" ] || sort -n "$work/times"

summary() { # name, file: Spearman's rank correlation, the median error, the time of the fastest prediction over the best
    sort -g "$2" | awk '{print NR, $0}' | sort -g -k3 | awk -v name="$1" '
        {n++; d = NR - $1; squares += d * d; error[n] = $3 / $2 - 1; error[n] = error[n] < 0 ? -error[n] : error[n]; if (NR == 1) picked = $2; if (!best || $2 < best) best = $2}
        END {for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (error[j] < error[i]) {t = error[i]; error[i] = error[j]; error[j] = t}
            printf "%-22s %3d configurations  rank correlation %.2f  median error %2.0f%%  pick over best %.2f\n", name, n, 1 - 6 * squares / (n * (n * n - 1)), 100 * error[int((n + 1) / 2)], picked / best}'
}
summary all "$work/times" | tee "$work/all"
grep ' judge ' "$work/times" > "$work/judge"
summary "judged by" "$work/judge"
awk -v least="${3:-0}" '{for (i = 1; i < NF; i++) if ($i == "correlation") exit 100 * $(i + 1) < least}' "$work/all"
