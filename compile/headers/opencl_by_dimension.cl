/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Ids and sizes have 64 bits in OpenCL and far fewer on every GPU. Vendors' compilers know that and compute in 32 bits;
 * so does LLVM where it sees the registers that hold them. nodebug: their place is that of the call.
 */
#define GPUPERF_ID(name) static inline __attribute__((always_inline, const, nodebug)) size_t gpuperf_##name(uint d)
#define GPUPERF_PICK(x, y, z, other) (d == 0 ? x : d == 1 ? y : d == 2 ? z : other)
