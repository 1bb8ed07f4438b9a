/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that hold several integers, vectors and structures passed by value: behind a kernel's own parameters stands
 * one for each (GP_PARAM_ELEMENT). */
#ifndef GPUPERF_MODEL_VECTORS_H
#define GPUPERF_MODEL_VECTORS_H

#include "model/launch/launch.h"

enum { GP_MOST_ELEMENTS = 16, GP_MOST_WHOLE = 256 /* bytes of an argument that are known */ };

/* The parameters that are elements of this one, in their order. Their number; 0: it is no such vector. */
uint32_t gp_vector_elements(const struct gp_kernel *kernel, uint32_t vector, uint32_t elements[GP_MOST_ELEMENTS]);

/* It is an integer of a structure: a number with a name of its own, where a vector's elements are stated together. */
bool gp_is_member(const struct gp_kernel *kernel, const struct gp_param *param);

/* What an element is of the bytes that a program passes for the whole. False: so many bytes do not hold it. */
bool gp_element_of_bytes(const struct gp_param *element, const void *bytes, size_t size, uint64_t *value);

/* What a launch knows by the bytes of one argument: the integers in it that so many bytes hold. */
void gp_take_elements(const struct gp_kernel *kernel, uint32_t whole, const void *bytes, size_t size, bool stated,
                      struct gp_launch *launch);

#endif
