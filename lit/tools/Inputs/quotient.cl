kernel void quotient(global float *o, global const float *x) { size_t i = get_global_id(0); o[i] = x[i] / x[i + 1]; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
