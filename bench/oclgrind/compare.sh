#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A second opinion on what kernels load and store: Debian's oclgrind interprets its own compile of each kernel of kernels.cl
# and counts; beside it what the executor counts on the profile of ours (spir64, -O2), for the same launch and arguments.
# Bytes are compared, since the two compilers need not agree on how a vector is moved.
#
# usage: bench/oclgrind/compare.sh [BUILD_DIR]
#
# Known differences (the last column; any other is an error):
#   calls      oclgrind carries out vload and vstore as calls, and does not count what they move
#   data       the loop's end is loaded: oclgrind sees the buffers' zeros, we assume 16 iterations
#   unrolled   clang 22 unrolls the loop, so that the constants are numbers in the code
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
command -v oclgrind >/dev/null || { echo "compare: oclgrind is missing: apt install oclgrind" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CLANG:-clang-22}" -x cl -cl-std=CL1.2 -cl-kernel-arg-info -O2 -target spir64 -emit-llvm -c "$here/kernels.cl" -o "$work/kernels.bc"
"$build/passes/gpuperf-profile-ir" "-write=$work/kernels.gpuperf" "$work/kernels.bc"

printf '%-12s %-6s %-9s %12s %12s  %s\n' kernel "" memory "oclgrind" "ours" "difference"
# compare KERNEL GLOBAL LOCAL ITEMS WHY ARGUMENT...     WHY: "load global=calls,..."
compare()
{
    kernel=$1 global=$2 local=$3 items=$4 why=$5
    shift 5
    oclgrind --inst-counts "$build/bench/oclgrind_launch" "$here/kernels.cl" "$kernel" "$global" "$local" "$@" >"$work/theirs" 2>&1 ||
        { cat "$work/theirs"; exit 1; }
    "$build/bench/oclgrind_counts" "$work/kernels.gpuperf" "$kernel" "global=$global:local=$local$items" >"$work/ours"
    sed -nE 's/^ *([0-9]+) - (load|store) ([a-z]+) \(([0-9]+) bytes\).*/theirs \2 \3 \1 \4/p' "$work/theirs" | cat - "$work/ours" |
        awk -v kernel="$kernel" -v why="$why" '
            { at = $1 == "theirs" ? 2 : 1; key = $at " " $(at + 1); seen[key] = 1 }
            at == 2 { theirs[key] = $5 }
            at == 1 { ours[key] = $4 }
            END {
                for (i = split(why, reasons, ","); i > 0; i--) {
                    split(reasons[i], pair, "=")
                    reason[pair[1]] = pair[2]
                }
                for (key in seen) {
                    split(key, word, " ")
                    same = theirs[key] + 0 == ours[key] + 0
                    printf "%-12s %-6s %-9s %12d %12d  %s\n", kernel, word[1], word[2], theirs[key], ours[key], same ? "none" : key in reason ? reason[key] : "UNEXPLAINED"
                }
            }' | sort | tee -a "$work/table"
}
compare add 1024 64 :n=1000 "" buffer buffer buffer 1000
compare strided 256 64 :n=10000:stride=256 "" buffer buffer 10000 256
compare vectors 1024 64 "" "load global=calls,store global=calls" buffer buffer
compare structures 1024 64 "" "" buffer 0.5
compare transpose 64x64 8x8 :n=64 "" buffer buffer 64
compare multiply 64x64 8x8 :n=64 "" buffer buffer buffer 64
compare reduce 1024 128 :part=512 "" buffer buffer local:512
compare triangle 256 64 :n=256 "" buffer buffer 256
compare convolve 1024 64 :n=1000 "load constant=unrolled" buffer buffer 1000
compare histogram 1024 128 "" "" buffer buffer
compare rows 256 64 "" "load global=data" buffer buffer buffer
compare privates 256 64 "" "" buffer buffer
same=$(grep -c ' none$' "$work/table") all=$(wc -l <"$work/table")
echo "$same of $all the same, $(grep -c UNEXPLAINED "$work/table" || true) unexplained"
! grep -q UNEXPLAINED "$work/table"
