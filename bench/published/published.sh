#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# published.sh BUILD: published times beside ours, a line for each kernel and board; fails where one is not within its
# printed range.
set -eu
here=$(dirname "$0")
"$1"/tools/gpuperf validate "$here/times.csv" "$here/kernels.cl" | awk '
/^[a-z].* rows?$/ { name = $0; sub(/: [0-9]+ rows?$/, "", name) }
/predicted over measured/ { ratio = $4; sub(/x$/, "", ratio) }
/^  ranges/ { held = $2 == $4; kinds++; rows += $4; holds += $2 }
/furthest off  / {
    sub(/^.*local [0-9x]+: /, "")
    printf "%-36s %5.2fx  %s  %s\n", name, ratio, held ? "in range    " : "OUT OF RANGE", $0
    off[kinds] = ratio > 1 ? ratio : 1 / ratio
}
END {
    for (i = 1; i <= kinds; i++) # insertion sort: no asort() in every awk
        for (k = i; k > 1 && off[k] < off[k - 1]; k--) { t = off[k]; off[k] = off[k - 1]; off[k - 1] = t }
    printf "%d of %d in their range; ", holds, rows
    printf "off by %.2fx in the median, %.2fx at most\n", off[int((kinds + 1) / 2)], off[kinds]
    exit holds < rows || rows == 0
}'
