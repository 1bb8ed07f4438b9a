#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
echo "two.cl(1): error: no suitable constructor"
exit 1
