#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# random_plugin.sh CLANG PLUGIN FOLDER GENERATE FIRST COUNT: COUNT random kernels with gotos from seed FIRST on, compiled with the plugin. Each compile must end
# well and predict: no crash, no profile that is not valid.
set -eu
clang=$1 plugin=$2 folder=$3 generate=$4 first=$5 count=$6
mkdir -p "$folder"
source=$folder/plugin-$first.cl
for kind in flow flow-data; do
    "$generate" "$first" "$count" $kind > "$source"
    for target in "spir64 -emit-llvm -c" "nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S"; do
        told=$("$clang" -fplugin="$plugin" -x cl -cl-std=CL1.2 -O2 -w -target $target "$source" -o /dev/null 2>&1) ||
            { echo "$source for $target: the compile fails: $told"; exit 1; }
        case $told in *"no prediction"*) echo "$source for $target: $told"; exit 1 ;; esac
    done
done
