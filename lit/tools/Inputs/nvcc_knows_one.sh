#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
echo "ptxas info    : Compiling entry function 'one' for 'sm_80'"
echo "ptxas info    : Used 77 registers, used 0 barriers, 368 bytes cmem[0]"
