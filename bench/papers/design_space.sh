#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# design_space.sh BUILD [DIR [MODEL]]: the 306,558 configurations of Table IV of the hybrid framework's paper (Wang et al.), each kernel's in one run of `gpuperf predict`.
# The paper says how many configurations of range, local size and input each kernel has, and not which: the lists are ours. DIR (default: a
# temporary one) gets KERNEL.csv, and KERNEL.svg: the predicted time over them, in the order of the paper's Figure 3: range, then local
# size, then input. One kernel alone: ONLY=NAME; JOBS (default: the processors) kernels at a time.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 's/^# //p' "$0" | sed -n 2,5p; exit 2; }
gpuperf=$(cd "$1" && pwd)/tools/gpuperf
directory=${2:-$(mktemp -d)} model=${3:-throughput} device=${DEVICE:-k620}
kernels=$(cd "$(dirname "$0")/rodinia" && pwd)
mkdir -p "$directory"
TIMEFORMAT='%U %S'
jobs=${JOBS:-$(nproc)} running=0 begun=$SECONDS
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT

list() { # list FORMAT FROM STEP COUNT: the sizes, with commas between
    seq -s , -f "$1" "$2" "$3" $(($2 + $3 * ($4 - 1)))
}
steps() { echo "$1=$2..$(($2 + $3 * ($4 - 1)))+$3"; } # steps NAME FROM STEP COUNT: --arg's range

plot() { # the times on a logarithmic scale, one point for each configuration
    awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "time_ns") at = i}
        NR > 1 {n++; t[n] = log($at / 1000) / log(10); if (n == 1 || t[n] < low) low = t[n]; if (n == 1 || t[n] > high) high = t[n]}
        END {if (high - low < 0.1) {low -= 0.05; high += 0.05}
            print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 840 300\" font-family=\"sans-serif\" font-size=\"12\">"
            printf "<text x=\"8\" y=\"16\">%s: predicted time in us (from %.3g to %.3g) over %d configurations</text>\n", name, 10 ^ low, 10 ^ high, n
            printf "<path fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1\" d=\""
            for (i = 1; i <= n; i++) printf("%s%.1f,%.1f", (i > 1 ? "L" : "M"), 20 + 800 * (i - 1) / (n > 1 ? n - 1 : 1), 280 - 250 * (t[i] - low) / (high - low))
            print "\"/></svg>"}' name="$1" "$directory/$1.csv" > "$directory/$1.svg"
}

space() { # space FILE KERNEL ...: as soon as fewer than `jobs` run
    [ -z "${ONLY:-}" ] || [ "$ONLY" = "$2" ] || return 0
    [ $running -lt "$jobs" ] || wait -n
    [ $running -ge "$jobs" ] || running=$((running + 1))
    explore "$@" &
}

explore() { # explore FILE KERNEL POINTS LOCALS RANGES [NAME=VALUES ...]
    local file=$1 kernel=$2 points=$3 options=(--local "$4" --global "$5") argument used found
    for argument in "${@:6}"; do options+=(--arg "$argument"); done
    used=$( { time "$gpuperf" predict --device "$device" --model "$model" --kernel "$kernel" "${options[@]}" --format csv "$kernels/$file.cl" > "$directory/$kernel.raw"; } 2>&1 | tail -1)
    # A combination's local sizes come best first: sorted into the figure's order, an input's number being its place.
    head -n 1 "$directory/$kernel.raw" > "$directory/$kernel.csv"
    awk -F, 'function product(size, parts, n, i) {n = split(size, parts, "x"); size = 1; for (i = 1; i <= n; i++) size *= parts[i]; return size}
        NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
        {print product($at["global"]) "," product($at["local"]) "," NR "," $0}' "$directory/$kernel.raw" | sort -t , -k 1,1n -k 2,2n -k 3,3n | cut -d , -f 4- >> "$directory/$kernel.csv"
    found=$(($(wc -l < "$directory/$kernel.csv") - 1))
    rm "$directory/$kernel.raw"
    plot "$kernel"
    echo "$used" | awk -v kernel="$kernel" -v found="$found" -v points="$points" \
        '{printf("%-22s %8d %8d %9.1f %9.3f%s\n", kernel, points, found, $1 + $2, 1000 * ($1 + $2) / found, (found != points ? "  DIFFERS" : ""))}'
    echo "$found $used" > "$directory/$kernel.used"
}

sizes=32,64,128,256,512,1024
printf '%-22s %8s %8s %9s %9s\n' kernel paper ours seconds ms/point
for kernel in bpnn_layerforward bpnn_adjust_weights; do
    space backprop $kernel 11450 16x16 "$(list 16x%g 1024 1024 50)" "$(steps hidden 16 16 229)"
done
for kernel in BFS_1 BFS_2; do space bfs $kernel 14028 $sizes "$(list %.0f 65536 65536 14)" "$(steps count 60000 5000 167)"; done
for kernel in findK findRangeK; do space btree $kernel 42000 $sizes "$(list %.0f 65536 65536 70)" "$(steps knodes_elem 100 100 100)"; done
space cfd memset_kernel 12 $sizes 97280,193536
for kernel in initialize_variables compute_step_factor compute_flux time_step; do
    space cfd $kernel 3072 $sizes "$(list %.0f 32768 32768 8)" "$(steps nelr 30000 3000 64)"
done
space hotspot hotspot 1024 16x16 "$(list %gx1024 256 256 16)" "$(steps columns 256 256 8)" "$(steps rows 256 256 8)"
space kmeans kmeans_swap 40000 32,64,128,256,512 "$(list %.0f 32768 32768 20)" "$(steps points 30000 30000 20)" "$(steps features 4 4 20)"
space kmeans kmeans_c 40000 32,64,128,256,512 "$(list %.0f 32768 65536 10)" "$(steps points 30000 60000 8)" "$(steps cluster_count 2 2 10)" "$(steps features 4 8 10)"
space lud lud_internal 8267 16x16 "$(list %gx240 48 32 7)" "$(steps offset 0 16 1181)" dim=32768
space nn nearestNeighbor 66 $sizes "$(list %.0f 4096 4096 11)"
for kernel in nw_kernel1 nw_kernel2; do space nw $kernel 19408 16 "$(list %.0f 128 128 16)" "$(steps columns 2049 16 1213)"; done
space particlefilter particle_naive 104 64,128,256,512 "$(list %.0f 1024 1024 13)" particles=1000:10000
space pathfinder dynproc 31025 256 "$(list %.0f 4096 4096 25)" "$(steps columns 4000 4000 73)" "$(steps iteration 2 1 17)"
while [ $running -gt 0 ]; do
    wait -n
    running=$((running - 1))
done
awk -v wall=$((SECONDS - begun)) '{all += $1; used += $2 + $3}
    END {printf("%d configurations in %d s, %.0f s of processor time: %.1f ms each; the mean of the paper'"'"'s kernels is 931 ms\n", all, wall, used, 1000 * used / all)}' "$directory"/*.used
rm "$directory"/*.used
