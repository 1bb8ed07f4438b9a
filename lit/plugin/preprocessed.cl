// What the preprocessor read that another compiler may read otherwise, a line each. The program's own names are not among them, nor what it did not come to.
// RUN: mkdir -p %t.one %t.two
// RUN: echo '#if MINE && HEADERS' > %t.two/inner.h
// RUN: echo '#endif' >> %t.two/inner.h
// RUN: %cl -c %s -DMINE=1 -I%t.one -I%t.two -fplugin-arg-gpuperf-preprocessed=%t.txt -o %t.bc
// RUN: FileCheck %s --implicit-check-not=MINE --implicit-check-not=SKIPPED --implicit-check-not=OWN < %t.txt
// RUN: %cl -c %s -DMINE=1 -I%t.one -I%t.two -cl-fast-relaxed-math -w -fplugin-arg-gpuperf-preprocessed=%t.txt -o %t.bc
// RUN: FileCheck %s --check-prefix=LOOSE < %t.txt
// CHECK: macro ## defined
// CHECK-NEXT: macro ALSO undefined
// CHECK-NEXT: macro BODY undefined
// CHECK-NEXT: macro HEADERS undefined
// CHECK-NEXT: macro NAMED undefined
// CHECK-NEXT: macro X__ undefined
// CHECK-NEXT: macro __AV undefined
// CHECK-NEXT: macro __LINE__ defined
// CHECK-NEXT: macro __builtin_elementwise_abs language
// CHECK-NEXT: macro __clang_major__ defined
// CHECK-NEXT: macro __has_builtin defined
// CHECK-NEXT: macro cl_khr_fp16 defined
// CHECK-NEXT: macro half language
// CHECK-NEXT: macro sin language
// CHECK-NEXT: header {{.*}}.two/inner.h
// CHECK-NEXT: absent {{.*}}.one/inner.h
// CHECK-NOT: rounding
// LOOSE: rounding
#include "inner.h"
#define OWN 1
#define OWN_BODY BODY
#define OWN_PASTE(a, b) a##b
#if 0
#if SKIPPED
#endif
#include "skipped.h"
#endif
#if OWN && OWN_BODY
#elif defined(cl_khr_fp16) && MINE && \
    ALSO
#elif OWN_PASTE(__AV, X__)
#endif
#if __has_builtin(__builtin_elementwise_abs)
#endif
#ifdef NAMED
#endif
#ifndef sin
#endif
#ifdef half
#endif
kernel void f(global float *a, global int *b)
{
    a[get_global_id(0)] = a[0] * M_PI_F + INFINITY;
    b[0] = __LINE__ + __clang_major__;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
