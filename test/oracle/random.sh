#!/bin/sh
# random.sh CLANG ORACLE HWDB FOLDER GENERATE FIRST COUNT [data]: COUNT random kernels from seed FIRST on, proved. With
# `data`, loaded values decide some of it and nothing may be wrong; without, everything must be exact.
set -eu
clang=$1 oracle=$2 hwdb=$3 folder=$4 generate=$5 first=$6 count=$7 data=${8:-}
mkdir -p "$folder"
source=$folder/random${data:+-$data}-$first.cl
"$generate" "$first" "$count" $data > "$source"
exec "$(dirname "$0")/prove.sh" "$clang" "$oracle" "$hwdb" "$folder" "$source" ${data:+--claims}
