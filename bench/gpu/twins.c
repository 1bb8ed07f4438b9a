/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/gpu/twins.h"

#include <stdlib.h>
#include <string.h>

#include "bench/gpu/agreement.h"

/* ---- Arguments ------------------------------------------------------------------------------------------------- */

enum { SEED = 11 };

static size_t size_of(const struct subject *s) { return subject_size(s, "SIZE"); }

static void add_word(struct arrays *a, uint32_t value)
{
    uint32_t *word = arrays_add(a, sizeof *word, false);
    if (word != NULL)
        *word = value;
}

static bool make_matrix(size_t n, size_t columns, struct arrays *a)
{
    agreement_output(a, n * sizeof(float));
    const float *rows = arrays_add_floats(a, n * columns, 0, 1);
    arrays_add_turned(a, rows, n, columns);
    return agreement_complete(a);
}

bool twin_make_8(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    return make_matrix(size_of(s), 8, a);
}

bool twin_make_64(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    return make_matrix(size_of(s), 64, a);
}

bool twin_make_floats(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(float));
    arrays_add_floats(a, size_of(s) + 64, 0, 1);
    return agreement_complete(a);
}

bool twin_make_wide(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, 16 * size_of(s) * sizeof(float));
    arrays_add_floats(a, 16 * size_of(s), 0, 1);
    return agreement_complete(a);
}

bool twin_make_quads(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, 4 * size_of(s) * sizeof(float));
    arrays_add_floats(a, 4 * size_of(s), 0, 1);
    return agreement_complete(a);
}

static void add_rows(size_t n, struct arrays *a)
{
    agreement_output(a, n * sizeof(float));
    arrays_add_floats(a, 32 * n, 0, 1);
}

bool twin_make_rows(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    add_rows(size_of(s), a);
    return agreement_complete(a);
}

bool twin_make_tall(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    add_rows(size_of(s), a);
    add_word(a, 3);
    return agreement_complete(a);
}

bool twin_make_counts(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(float));
    arrays_add_floats(a, size_of(s), 0, 1);
    arrays_add_words(a, size_of(s), SEED);
    return agreement_complete(a);
}

bool twin_make_bytes(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(float));
    arrays_add_words(a, 8 * size_of(s), SEED);
    return agreement_complete(a);
}

bool twin_make_bins(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, 8 * sizeof(uint32_t));
    arrays_add_words(a, 64 * size_of(s), SEED);
    return agreement_complete(a);
}

/* Sattolo's shuffle: one cycle through all. */
bool twin_make_links(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(uint32_t));
    uint32_t *links = arrays_add(a, size_of(s) * sizeof *links, false);
    uint64_t state = 17;
    for (size_t i = 0; links != NULL && i < size_of(s); i++)
        links[i] = (uint32_t)i;
    for (size_t i = size_of(s) - 1; links != NULL && i > 0; i--) {
        size_t other = arrays_random(&state) % i;
        uint32_t link = links[i];
        links[i] = links[other];
        links[other] = link;
    }
    return agreement_complete(a);
}

bool twin_make_constant(const struct subject *s, double stride, struct arrays *a)
{
    enum { ENTRIES = 1024 };
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(float));
    float *copy = arrays_add(a, ENTRIES * sizeof *copy, false);
    if (copy == NULL || !arrays_add_constant(a, "table", ENTRIES, 1))
        return false;
    memcpy(copy, a->constant_data, ENTRIES * sizeof *copy);
    return agreement_complete(a);
}

bool twin_make_walks(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(uint32_t));
    arrays_add_words(a, 256, SEED);
    arrays_add_words(a, size_of(s), SEED);
    return agreement_complete(a);
}

bool twin_make_numbers(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(uint32_t));
    arrays_add_words(a, size_of(s), SEED);
    add_word(a, 64);
    return agreement_complete(a);
}
