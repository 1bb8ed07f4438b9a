/* The sampling and learning paper's micro-benchmarks of section 4: a loop of one single-precision addition, or of ADDS independent double-precision ones. */
#if ADDS == 0
typedef float real;
#else
typedef double real;
#endif

kernel void adds(global real *out, int n, real step)
{
    real a = get_global_id(0), b = a + 1, c = a + 2;
    __attribute__((opencl_unroll_hint(1)))
    for (int i = 0; i < n; i++) {
        a += step;
#if ADDS >= 2
        b += step;
#endif
#if ADDS >= 3
        c += step;
#endif
    }
    out[get_global_id(0)] = a + b + c;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
