# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# rows.awk -v source=NAME KERNEL__DEVICE.csv...: of files that accuracy --rows and choices -o write, "SOURCE KERNEL CIRCUMSTANCES MEASURED
# PREDICTED" of each row, at most 40 of a file, spread evenly. A set of one kernel is a source of its own: source=file.
BEGIN { FS = ","; OFS = "\t" }
function tell(  i, step) {
    step = count > 40 ? count / 40 : 1
    for (i = 0; int(i) < count; i += step)
        print rows[int(i)]
    count = 0
}
FNR == 1 {
    tell()
    delete column
    for (i = 1; i <= NF; i++)
        column[$i] = i
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.csv$/, "", name)
    kernel = name
    sub(/__.*/, "", kernel)
    sub(/_counters$/, "", kernel)
    next
}
$column["predicted_ms"] > 0 && $column["time_ms"] > 0 && $column["circumstances"] != "" {
    rows[count++] = (source == "file" ? name : source) OFS kernel OFS $column["circumstances"] OFS $column["time_ms"] OFS $column["predicted_ms"]
}
END { tell() }
