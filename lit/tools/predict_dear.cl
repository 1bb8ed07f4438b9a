// Many loads in a loop, many warps in a group: fewer iterations are looked at, but not fewer groups, which would tell nothing of the lines that groups share. On an A100 this takes 73.8 ms (4x6 outputs per work-item).
// RUN: %gpuperf predict --device a100 --clock 1410 --groups 196x11 --local 32x32 %s -- -I%S/../../bench/accuracy/kernels | FileCheck %s
// CHECK: 32x32 {{.*}} 6{{[0-9]}}.{{[0-9]}} ms {{.*}} lsu
#define BLOCK_X 32
#define BLOCK_Y 32
#define TILE_X 4
#define TILE_Y 6
#define STRIDE_X 0
#define STRIDE_Y 0
#define UNROLL 0
#define SAMPLES 25000
#define MEASURES 2048
#include "dedispersion.cl"
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
