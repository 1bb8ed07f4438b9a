#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A clang whose code has 77 registers.
echo "$@" >> "$AMD_ARGUMENTS"
clang-22 "$@" || exit
for argument; do
    [ "$last" = -o ] && output=$argument
    last=$argument
done
sed -i 's/\.vgpr_count: .*/.vgpr_count:     77/' "$output"
