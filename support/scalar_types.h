/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL's types that a kernel takes by value, as recordings write them. */
#ifndef GPUPERF_SUPPORT_SCALAR_TYPES_H
#define GPUPERF_SUPPORT_SCALAR_TYPES_H

struct gp_scalar_type {
    const char *name;
    unsigned size; /* bytes */
    char kind;     /* 's' signed, 'u' unsigned, 'f' floating-point */
};

/* "float4": float, 4 elements; "float": float, 1. NULL: another type, as is half, which C does not print. */
const struct gp_scalar_type *gp_scalar_type_of(const char *type, unsigned *elements);

#endif
