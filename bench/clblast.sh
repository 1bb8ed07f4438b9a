#!/bin/bash
# gpuperf's choice among the configurations of CLBlast's matrix multiplication (register tiles, vector loads, local memory) against what CLBlast's tuner found
# fastest on the GPU itself: where does the tuner's winner stand, and how much slower than gpuperf's pick is it said to be? 1024x1024x1024, single precision.
# The kernel comes from Debian's clblast-utils, whose tuner is stopped before it runs anything. The sample is every STEP-th configuration of the
# tuner's first, exhaustive round. usage: [MODEL=auto] bench/clblast.sh [BUILD_DIR [STEP [DEVICE...]]]
set -eu
build=$(cd "${1:-build}" && pwd)
step=${2:-5}
shift $(($# < 2 ? $# : 2))
tuner=$(command -v clblast_tuner_xgemm) || { echo "clblast.sh: no clblast_tuner_xgemm: apt-get install clblast-utils" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Winners as published in CLBlast's database (src/database/kernels/xgemm/xgemm_32.hpp, July 2025), in its order:
# KWG KWI MDIMA MDIMC MWG NDIMB NDIMC NWG SA SB STRM STRN VWM VWN. The last two are relatives of the database's cards: Radeon RX 6600 XT, RX 7900 XTX.
winners="a100 32 2 8 8 32 16 16 64 1 1 0 0 4 4
v100 32 2 16 16 64 8 8 32 1 1 0 0 4 4
rtx3090 32 2 16 16 64 8 8 64 1 1 0 0 4 4
a6000 32 2 16 16 64 8 8 64 1 1 0 0 4 4
rtx2080ti 32 2 8 32 128 16 8 128 1 1 1 1 2 2
t4 16 2 16 16 128 32 16 128 1 1 1 1 1 2
mi50 32 2 16 16 64 16 16 64 1 1 0 0 4 4
w6600 32 2 8 8 128 32 16 128 1 1 1 1 4 4
w7800 32 2 16 16 64 8 8 32 0 1 1 0 4 4"

cat > "$work/capture.c" <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
/* Keeps the first program that the tuner makes, and ends it. */
void *clCreateProgramWithSource(void *context, unsigned count, const char **text, const size_t *length, int *error)
{
    FILE *out = fopen(getenv("CAPTURE"), "w");
    for (unsigned i = 0; i < count; i++)
        length != NULL && length[i] > 0 ? fwrite(text[i], 1, length[i], out) : (size_t)fputs(text[i], out);
    fclose(out);
    _exit(0);
}
C
cc -shared -fPIC -o "$work/capture.so" "$work/capture.c"
CAPTURE=$work/captured.cl LD_PRELOAD=$work/capture.so "$tuner" > "$work/log" 2>&1 || true
names="KWG KWI MDIMA MDIMC MWG NDIMB NDIMC NWG SA SB STRM STRN VWM VWN"
grep -Ev "^#define (GEMMK|KREG|${names// /|}) [0-9]+$" "$work/captured.cl" > "$work/xgemm.cl" || { cat "$work/log" >&2; exit 1; }

# The tuner's first round: tiles of 16 to 64, every work-group that divides them, with local memory for both matrices or for neither.
for mwg in 16 32 64; do for nwg in 16 32 64; do for m in 8 16 32; do for n in 8 16 32; do for vm in 1 2 4; do for vn in 1 2 4; do for s in 0 1; do
    if ((mwg % (m * vm) == 0 && nwg % (n * vn) == 0)); then echo "32 2 $m $m $mwg $n $n $nwg $s $s 0 0 $vm $vn"; fi
done; done; done; done; done; done; done | awk -v step="$step" 'NR % step == 1 || step == 1' > "$work/sample"

predict() { # device, then a configuration: the nanoseconds; nothing where the device cannot run it
    local device=$1 defines=(-DGEMMK=0 -DKREG=1) i=1
    shift
    local value=("$@")
    for name in $names; do defines+=("-D$name=${value[i - 1]}"); i=$((i + 1)); done
    "$build/tools/gpuperf" predict --json --model "${MODEL:-auto}" --device "$device" --kernel Xgemm --global $((1024 / $5 * $4))x$((1024 / $8 * $7)) --local "$4x$7" \
        --arg kSizeM=1024 --arg kSizeN=1024 --arg kSizeK=1024 --arg b_offset=0 --arg c_offset=0 "$work/xgemm.cl" -- "${defines[@]}" 2> /dev/null |
        awk -F'[:,]' '/"time_ns"/ {print $2}' || true
}

printf '%-10s %-28s %-28s %s\n' device "winner's rank of all" "winner over pick, predicted" "slowest over pick"
echo "$winners" | while read -r device winner; do
    [ $# -eq 0 ] || [[ " $* " == *" $device "* ]] || continue
    { echo "$winner"; grep -vx "$winner" "$work/sample"; } | while read -r configuration; do
        predict "$device" $configuration
    done > "$work/times"
    awk -v device="$device" 'NR == 1 {won = $1} {all++; faster += $1 < won; if (!best || $1 < best) best = $1; if ($1 > worst) worst = $1}
        END {printf "%-10s %-28s %-28.2f %.1f\n", device, faster + 1 " of " all, won / best, worst / best}' "$work/times"
done
