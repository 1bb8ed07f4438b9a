# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Findings of the plugin's remarks (the first file) beside those of predict's tables (the others; COLUMNS=1000): prints what the one tells with a
# gain of a fifth and more that the other lacks in that line, or tells with one that is more than a twentieth off, or `within` (-v). The plugin rounds to tenths.
# Bandwidth and latency are left out, which no change of the source repairs.
BEGIN { if (!within) within = 0.05 }
function place(path) { sub(/:[0-9]+: .*/, "", path); sub(/.*\//, "", path); return path }
function what(text) { sub(/^[^ ]* (remark: |(throughput|tail|latency|bandwidth|barrier): )?/, "", text); return substr(text, 1, 8) }
FNR == 1 { file++ }
/L2 and DRAM bandwidth|exposed latency/ { next }
file == 1 && /: remark: .*x faster .*\[gpuperf-/ {
    match($0, /\([0-9.]+x faster/)
    told["plugin", place($0) ": " what($0)] = substr($0, RSTART + 1, RLENGTH - 9) + 0
    places[place($0) ": " what($0)]
}
file > 1 && /^ +[0-9]+% +[0-9.]+x  / {
    gain = $2 + 0
    sub(/^ +[0-9]+% +[0-9.]+x  /, "")
    told["predict", place($0) ": " what($0)] = gain
    places[place($0) ": " what($0)]
}
END {
    for (at in places) {
        a = told["plugin", at]; b = told["predict", at]
        most = a > b ? a : b
        if (most >= 1.2 && (a == 0 || b == 0 || (a > b ? a - b : b - a) > within * most + 0.05))
            printf "%s: %.2fx by the plugin, %.2fx by predict\n", at, a, b
    }
}
