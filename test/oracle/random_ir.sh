#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# random_ir.sh ORACLE HWDB FOLDER GENERATE_IR FIRST COUNT [BLOCKS]: COUNT random graphs from seed FIRST on, proved. The launches stand in comments.
set -eu
oracle=$1 hwdb=$2 folder=$3 generate=$4 first=$5
shift 4
mkdir -p "$folder"
ir=$folder/random-graphs-$first.ll
"$generate" "$@" > "$ir"
sed -n 's|^; // run|// run|p' "$ir" > "$ir.runs"
exec "$oracle" --hwdb "$hwdb" "$ir.runs" "$ir"
