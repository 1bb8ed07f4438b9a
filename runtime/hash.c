/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/hash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13);
    v[1] ^= v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16);
    v[3] ^= v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21);
    v[3] ^= v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17);
    v[1] ^= v[2];
    v[2] = rotate(v[2], 32);
}

static void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    sip_round(v);
    v[0] ^= word;
}

void gp_hash_start(struct gp_hasher *hasher)
{
    /* The initial state of SipHash for the key 0x0706..00, 0x0f0e..08; 0xee marks the 128-bit variant. */
    uint64_t k0 = UINT64_C(0x0706050403020100), k1 = UINT64_C(0x0f0e0d0c0b0a0908);
    hasher->v[0] = k0 ^ UINT64_C(0x736f6d6570736575);
    hasher->v[1] = k1 ^ UINT64_C(0x646f72616e646f6d) ^ 0xee;
    hasher->v[2] = k0 ^ UINT64_C(0x6c7967656e657261);
    hasher->v[3] = k1 ^ UINT64_C(0x7465646279746573);
    hasher->tail = 0;
    hasher->length = 0;
}

void gp_hash_add(struct gp_hasher *hasher, const void *bytes, size_t count)
{
    const unsigned char *at = bytes, *end = at + count;
    while (at < end && hasher->length % 8 != 0) {
        hasher->tail |= (uint64_t)*at++ << hasher->length % 8 * 8;
        if (++hasher->length % 8 == 0) {
            absorb(hasher->v, hasher->tail);
            hasher->tail = 0;
        }
    }
    for (; end - at >= 8; at += 8, hasher->length += 8) {
        uint64_t word = 0;
        for (int i = 7; i >= 0; i--)
            word = word << 8 | at[i];
        absorb(hasher->v, word);
    }
    for (; at < end; hasher->length++)
        hasher->tail |= (uint64_t)*at++ << hasher->length % 8 * 8;
}

struct gp_hash gp_hash_end(struct gp_hasher *hasher)
{
    struct gp_hash result;
    absorb(hasher->v, hasher->tail | hasher->length << 56);
    hasher->v[2] ^= 0xee;
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < 4; i++)
            sip_round(hasher->v);
        result.word[half] = hasher->v[0] ^ hasher->v[1] ^ hasher->v[2] ^ hasher->v[3];
        hasher->v[1] ^= 0xdd;
    }
    return result;
}

void gp_hash_add_u64(struct gp_hasher *hasher, uint64_t value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    gp_hash_add(hasher, bytes, sizeof bytes);
}

void gp_hash_add_string(struct gp_hasher *hasher, const char *text)
{
    if (text == NULL)
        text = "";
    gp_hash_add(hasher, text, strlen(text) + 1);
}
