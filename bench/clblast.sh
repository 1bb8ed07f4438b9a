#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuperf's choice among the configurations of CLBlast's two matrix multiplications (register tiles, vector loads, local memory) against what CLBlast's tuner
# found fastest on the GPU itself: where does the tuner's winner stand, and how much slower than gpuperf's pick is it said to be? Single precision, the tuner's
# sizes: 1024 cubed for xgemm; 256 cubed for xgemm_direct, which is a group or less per SM. The kernels come from Debian's clblast-utils, whose tuners are stopped
# before they run anything. The sample is every STEP-th configuration of a tuner's first, exhaustive round.
# usage: [MODEL=auto] bench/clblast.sh xgemm|xgemm_direct [BUILD_DIR [STEP [DEVICE...]]]
set -eu
family=${1:?usage: bench/clblast.sh xgemm|xgemm_direct [BUILD_DIR [STEP [DEVICE...]]]}
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${2:-build}" && pwd)
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so" GPUPERF_HWDB="$here/devices:${GPUPERF_HWDB:-$here/../hwdb}"
step=${3:-}
shift $(($# < 3 ? $# : 3))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Winners as published in CLBlast's database (src/database/kernels, July 2025), in its order of parameters. Its two Radeon cards' files are in devices/.
case $family in
xgemm)
    kernel=Xgemm size=1024 step=${step:-5} names="KWG KWI MDIMA MDIMC MWG NDIMB NDIMC NWG SA SB STRM STRN VWM VWN" fixed="-DGEMMK=0 -DKREG=1"
    arguments="kSizeM kSizeN kSizeK b_offset=0 c_offset=0"
    winners="a100 32 2 8 8 32 16 16 64 1 1 0 0 4 4
v100 32 2 16 16 64 8 8 32 1 1 0 0 4 4
rtx3090 32 2 16 16 64 8 8 64 1 1 0 0 4 4
a6000 32 2 16 16 64 8 8 64 1 1 0 0 4 4
rtx2080ti 32 2 8 32 128 16 8 128 1 1 1 1 2 2
t4 16 2 16 16 128 32 16 128 1 1 1 1 1 2
mi50 32 2 16 16 64 16 16 64 1 1 0 0 4 4
rx6600xt 32 2 8 8 128 32 16 128 1 1 1 1 4 4
rx7900xtx 32 2 16 16 64 8 8 32 0 1 1 0 4 4" ;;
xgemm_direct)
    kernel=XgemmDirectTN size=256 step=${step:-1} names="KWID MDIMAD MDIMCD NDIMBD NDIMCD PADA PADB VWMD VWND WGD" fixed=
    arguments="kSizeM kSizeN kSizeK a_ld b_ld c_ld a_offset=0 b_offset=0 c_offset=0 c_transpose=1 a_conjugate=0 b_conjugate=0"
    winners="a100 8 8 16 32 16 1 1 2 1 32
v100 2 16 16 16 16 1 1 1 2 32
rtx3090 2 8 8 8 8 1 1 1 1 32
a6000 2 8 8 8 8 1 1 1 1 32
rtx4090 2 8 8 8 8 1 1 1 1 16
rtx2080ti 8 16 8 16 8 1 0 2 2 32
t4 8 16 8 16 8 1 0 2 2 32" ;;
*) echo "clblast.sh: no kernel '$family': xgemm or xgemm_direct" >&2; exit 1 ;;
esac

# Tiles, every work-group that divides them, vectors; for xgemm with local memory for both matrices or for neither.
first_round() {
    local m n vm vn
    for m in 8 16 32; do for n in 8 16 32; do for vm in 1 2 4 8; do for vn in 1 2 4 8; do
        if [ "$family" = xgemm ]; then
            for mwg in 16 32 64; do for nwg in 16 32 64; do for s in 0 1; do
                if ((vm < 8 && vn < 8 && mwg % (m * vm) == 0 && nwg % (n * vn) == 0)); then echo "32 2 $m $m $mwg $n $n $nwg $s $s 0 0 $vm $vn"; fi
            done; done; done
        else
            for w in 8 16 32; do
                if ((w % (m * vm) == 0 && w % (n * vn) == 0)); then echo "2 $m $m $n $n 1 1 $vm $vn $w"; fi
            done
        fi
    done; done; done; done | awk -v step="$step" 'NR % step == 1 || step == 1'
}

tuner=$(command -v "clblast_tuner_$family") || { echo "clblast.sh: no clblast_tuner_$family: apt-get install clblast-utils" >&2; exit 1; }
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
grep -Ev "^#define (GEMMK|KREG|${names// /|}) [0-9]+$" "$work/captured.cl" > "$work/kernel.cl" || { cat "$work/log" >&2; exit 1; }

predict() { # device, then a configuration: the nanoseconds; nothing where the device cannot run it
    local device=$1 name argument
    local -A of
    local -a defines arguments_given
    shift
    for name in $names; do of[$name]=$1 defines+=("-D$name=$1"); shift; done
    for argument in $arguments; do case $argument in *=*) ;; *) argument=$argument=$size ;; esac; arguments_given+=(--arg "$argument"); done
    local m=${of[MDIMC]:-${of[MDIMCD]:-}} n=${of[NDIMC]:-${of[NDIMCD]:-}}
    "$build/tools/gpuperf" predict --warm --json --model "${MODEL:-auto}" --device "$device" --kernel "$kernel" --local "${m}x$n" \
        --global "$((size / ${of[MWG]:-${of[WGD]:-}} * m))x$((size / ${of[NWG]:-${of[WGD]:-}} * n))" "${arguments_given[@]}" "$work/kernel.cl" -- \
        $fixed "${defines[@]}" 2> /dev/null | awk -F'[:,]' '/"time_ns"/ {print $2}' || true
}

first_round > "$work/sample"
printf '%-10s %-22s %-28s %s\n' device "winner's rank of all" "winner over pick, predicted" "slowest over pick"
echo "$winners" | while read -r device winner; do
    [ $# -eq 0 ] || [[ " $* " == *" $device "* ]] || continue
    { echo "$winner"; grep -vx "$winner" "$work/sample"; } | while read -r configuration; do
        predict "$device" $configuration
    done > "$work/times"
    awk -v device="$device" 'NR == 1 {won = $1} {all++; faster += $1 < won; if (!best || $1 < best) best = $1; if ($1 > worst) worst = $1}
        END {printf "%-10s %-22s %-28.2f %.1f\n", device, faster + 1 " of " all, won / best, worst / best}' "$work/times"
done
