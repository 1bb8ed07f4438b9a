/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel's input and output on the host. */
#ifndef GPUPERF_BENCH_ARRAYS_H
#define GPUPERF_BENCH_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_ARRAYS = 5 };

struct array {
    void *data; /* the host's copy */
    size_t bytes;
    bool output; /* cleared before each launch that is checked */
};

/* The kernel's arguments in order, and its array in constant memory. */
struct arrays {
    struct array items[MAX_ARRAYS];
    unsigned count;
    const char *constant; /* NULL: none */
    float *constant_data;
    size_t constant_bytes;
    unsigned constant_width; /* floats per element */
    void *reference;         /* what the outputs are checked against, where a case keeps it; else NULL */
};

/* The same numbers in every run: a 64-bit linear congruential generator (Knuth's MMIX constants). */
uint32_t arrays_random(uint64_t *state);

/* Another argument; its memory, of zeros, is the arrays'. NULL: no memory. */
void *arrays_add(struct arrays *arrays, size_t bytes, bool output);
float *arrays_add_floats(struct arrays *arrays, size_t count, float low, float high);
/* The floats of `rows` x `columns`, turned. */
float *arrays_add_turned(struct arrays *arrays, const float *floats, size_t rows, size_t columns);
/* `seed`: of the generator, beside the argument's number. */
uint32_t *arrays_add_words(struct arrays *arrays, size_t count, uint64_t seed);
bool arrays_add_constant(struct arrays *arrays, const char *name, size_t elements, unsigned width);

/* Zeros; the memory is the arrays'. */
void *arrays_add_reference(struct arrays *arrays, size_t bytes);

/* Whether there was memory for all. */
bool arrays_complete(const struct arrays *arrays);

void arrays_free(struct arrays *arrays);

#endif
