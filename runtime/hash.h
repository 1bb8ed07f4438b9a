/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* 128-bit content hashes: SipHash-2-4 with a 128-bit result (Aumasson & Bernstein, INDOCRYPT 2012) under a fixed key.
 */
#ifndef GPUPERF_RUNTIME_HASH_H
#define GPUPERF_RUNTIME_HASH_H

#include <stddef.h>
#include <stdint.h>

struct gp_hash {
    uint64_t word[2];
};

/* Data may come in any number of pieces; the pieces' borders do not matter. */
struct gp_hasher {
    uint64_t v[4];
    uint64_t tail; /* bytes that do not fill a word yet */
    uint64_t length;
};

void gp_hash_start(struct gp_hasher *hasher);
void gp_hash_add(struct gp_hasher *hasher, const void *bytes, size_t count);
struct gp_hash gp_hash_end(struct gp_hasher *hasher);

/* A number of 64 bits, and a string with its terminator (so that "a","bc" and "ab","c" differ; NULL counts as ""). */
void gp_hash_add_u64(struct gp_hasher *hasher, uint64_t value);
void gp_hash_add_string(struct gp_hasher *hasher, const char *text);

#endif
