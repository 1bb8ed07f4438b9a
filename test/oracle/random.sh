#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# random.sh CLANG ORACLE HWDB FOLDER GENERATE FIRST COUNT [KIND]: COUNT random kernels from seed FIRST on, proved. KIND is
# `data` (loaded values decide some of it and nothing may be wrong; without, everything must be exact), `flow` (gotos) or `flow-data`.
set -eu
clang=$1 oracle=$2 hwdb=$3 folder=$4 generate=$5 first=$6 count=$7 kind=${8:-}
mkdir -p "$folder"
source=$folder/random${kind:+-$kind}-$first.cl
"$generate" "$first" "$count" $kind > "$source"
case $kind in *data) set -- --claims ;; *) set -- ;; esac
exec "$(dirname "$0")/prove.sh" "$clang" "$oracle" "$hwdb" "$folder" "$source" "$@"
