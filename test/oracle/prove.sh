#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# prove.sh CLANG ORACLE HWDB FOLDER SOURCE [ORACLE'S OPTIONS]: compiles SOURCE for each target that it is for, into
# FOLDER, and has the executor checked against executions.
set -eu
clang=$1 oracle=$2 hwdb=$3 folder=$4 source=$5
shift 5
name=$(basename "$source")
mkdir -p "$folder"

compile() # TARGET'S NAME, FLAGS...
{
    output=$folder/$name.$1.bc
    shift
    "$clang" -O2 -gline-tables-only -emit-llvm -w -c "$source" -o "$output" "$@"
}

# libclc's functions are linked where they are installed, as `gpuperf predict` does.
with_library()
{
    library=$1
    shift
    if [ -e "$library" ]; then
        compile "$@" -Xclang -mlink-builtin-bitcode -Xclang "$library"
    else
        compile "$@"
    fi
}

case $name in
*.cl)
    compile spir -x cl -cl-std=CL2.0 -target spir64 -cl-kernel-arg-info
    with_library /usr/lib/clc/nvptx64--nvidiacl.bc nvptx -x cl -cl-std=CL1.2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -cl-kernel-arg-info
    with_library /usr/lib/clc/amdgcn-amd-amdhsa.bc amdgcn -x cl -cl-std=CL1.2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -cl-kernel-arg-info
    ;;
*.cu)
    compile nvptx -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -fno-discard-value-names
    ;;
esac
exec "$oracle" --hwdb "$hwdb" "$@" "$source" "$folder/$name".*.bc
