/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pow() with an int as exponent is a power of doubles to nvcc (C++11's overloads; nvcc 13.0 makes the same PTX of
 * pow(v, 2) and pow(v, 2.0), also of a float v), repeated products in clang's headers. Of functions that differ in that
 * alone, the one with a condition is taken.
 */
#define GPUPERF_POWER static __device__ __forceinline__ __attribute__((nodebug)) double
#define GPUPERF_ALWAYS __attribute__((enable_if(true, "")))
GPUPERF_POWER pow(double, int) GPUPERF_ALWAYS __asm__("gpuperf_powi"); GPUPERF_POWER pow(double x, int y)
    GPUPERF_ALWAYS { return pow(x, (double)y); }
GPUPERF_POWER pow(float, int) GPUPERF_ALWAYS __asm__("gpuperf_powif"); GPUPERF_POWER pow(float x, int y)
    GPUPERF_ALWAYS { return pow((double)x, (double)y); }
namespace std { using ::pow; }
