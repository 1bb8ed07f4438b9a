#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An NVIDIA GPU's entry as `gpuperf calibrate --cuda` measures it, beside the one in hwdb/, on the kernels whose times on that GPU are stored
# (bench/gpu/results/DEVICE): the median error of the predicted times within 3 points, the regret of the picks no worse.
# usage: calibrate.sh pack ARCHITECTURE FOLDER         on a machine with clang: what the one with the GPU needs, which has neither clang nor
#                                                      our libraries: then FOLDER/measure NAME.yaml there, which takes at most five minutes
#        calibrate.sh judge DEVICE NAME.yaml [OPTION]  anywhere; OPTION: of bench/accuracy, such as --slices 4
#        calibrate.sh DEVICE [OPTION]                  all of it, where there are a GPU and clang
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}

pack() { # architecture, folder
    mkdir -p "$2/ptx" "$2/lib" "$2/hwdb"
    cp "$build/tools/gpuperf" "$2/"
    ldd "$build/tools/gpuperf" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m)\.so/ { print $3 }' | xargs -I{} cp -L {} "$2/lib/"
    cp hwdb/*.yaml hwdb/boards.tsv "$2/hwdb/"
    "$build/tools/gpuperf" calibrate --compile-only "$1" --ptx "$2/ptx"
    cat > "$2/measure" << 'END'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} GPUPERF_HWDB=$here/hwdb exec timeout 300 "$here/gpuperf" calibrate --cuda --ptx "$here/ptx" -o "$@"
END
    chmod +x "$2/measure"
}

# Median error in percent and macro regret of a device's predictions; the device, the folder of its times, options.
score() {
    device=$1 times=$2
    shift 2
    rm -rf "$scratch/rows"
    mkdir "$scratch/rows"
    regret=$("$build/bench/accuracy" --measured "$times" --rows "$scratch/rows" "$@" | tee "$scratch/$device.txt" | sed -n 's/^macro: regret \([0-9.]*\),.*/\1/p')
    awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["predicted_ms"] > 0 { e = 100 * ($at["predicted_ms"] / $at["time_ms"] - 1); print e < 0 ? -e : e }' "$scratch"/rows/*.csv |
        sort -n | awk -v regret="$regret" '{ e[NR] = $1 } END { if (NR == 0) exit 1; print (e[int((NR + 1) / 2)] + e[int(NR / 2) + 1]) / 2, regret, NR }'
}

judge() { # device, entry, options
    device=$1 entry=$2 name=$(basename "$2" .yaml)
    shift 2
    mkdir "$scratch/hwdb" "$scratch/times"
    cp "$entry" "$scratch/hwdb/"
    for file in bench/gpu/results/"$device"/*__"$device".csv; do
        ln -s "$PWD/$file" "$scratch/times/$(basename "$file" "__$device.csv")__$name.csv"
    done
    by_hand=$(score "$device" "bench/gpu/results/$device" "$@")
    by_command=$(GPUPERF_HWDB=$scratch/hwdb score "$name" "$scratch/times" "$@")
    printf '%s %s\n' "$by_hand" "$by_command" | awk '{
        printf "by hand:    median error %4.1f%%, regret %.3f, %d configurations\n", $1, $2, $3
        printf "by command: median error %4.1f%%, regret %.3f, %d configurations\n", $4, $5, $6
        good = $4 < $1 + 3 && $5 < $2 + 0.0005 && $6 == $3
        print good ? "as good" : "not as good: median error within 3 points, and regret no worse, are asked for"
        exit !good }'
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case ${1:-}:$# in
pack:3) pack "$2" "$3" ;;
judge:[3-9] | judge:1?) shift && judge "$@" ;;
pack:* | judge:* | [!a-z]*) sed -n 's/^# usage:/usage:/p; s/^#        /       /p' "$0" >&2 && exit 2 ;;
*)
    device=$1
    shift
    timeout 300 "$build/tools/gpuperf" calibrate --cuda -o "$scratch/by-command.yaml"
    judge "$device" "$scratch/by-command.yaml" "$@"
    ;;
esac
