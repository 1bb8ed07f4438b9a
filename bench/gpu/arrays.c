/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/gpu/arrays.h"

#include "support/random.h"

#include <stdlib.h>

uint32_t arrays_random(uint64_t *state) { return (uint32_t)(gp_next_random(state) >> 33); }

static float uniform(uint64_t *state, float low, float high)
{
    return low + (high - low) * ((float)(arrays_random(state) & 0xffffff) / 16777216.0f);
}

void *arrays_add(struct arrays *arrays, size_t bytes, bool output)
{
    struct array *array = &arrays->items[arrays->count++];
    *array = (struct array){calloc(bytes, 1), bytes, output};
    return array->data;
}

float *arrays_add_floats(struct arrays *arrays, size_t count, float low, float high)
{
    float *data = arrays_add(arrays, count * sizeof *data, false);
    uint64_t state = arrays->count;
    for (size_t i = 0; data != NULL && i < count; i++)
        data[i] = uniform(&state, low, high);
    return data;
}

float *arrays_add_turned(struct arrays *arrays, const float *floats, size_t rows, size_t columns)
{
    float *turned = arrays_add(arrays, rows * columns * sizeof *turned, false);
    for (size_t i = 0; floats != NULL && turned != NULL && i < rows * columns; i++)
        turned[i % columns * rows + i / columns] = floats[i];
    return turned;
}

uint32_t *arrays_add_words(struct arrays *arrays, size_t count, uint64_t seed)
{
    uint32_t *words = arrays_add(arrays, count * sizeof *words, false);
    uint64_t state = seed + arrays->count;
    for (size_t i = 0; words != NULL && i < count; i++)
        words[i] = arrays_random(&state);
    return words;
}

bool arrays_add_constant(struct arrays *arrays, const char *name, size_t elements, unsigned width)
{
    size_t count = elements * width;
    uint64_t state = 99;
    arrays->constant = name;
    arrays->constant_width = width;
    arrays->constant_bytes = count * sizeof *arrays->constant_data;
    arrays->constant_data = malloc(arrays->constant_bytes);
    for (size_t i = 0; arrays->constant_data != NULL && i < count; i++)
        arrays->constant_data[i] = uniform(&state, -1, 1);
    return arrays->constant_data != NULL;
}

void *arrays_add_reference(struct arrays *arrays, size_t bytes)
{
    free(arrays->reference);
    return arrays->reference = calloc(bytes, 1);
}

bool arrays_complete(const struct arrays *arrays)
{
    for (unsigned i = 0; i < arrays->count; i++)
        if (arrays->items[i].data == NULL)
            return false;
    return true;
}

void arrays_free(struct arrays *arrays)
{
    for (unsigned i = 0; i < arrays->count; i++)
        free(arrays->items[i].data);
    free(arrays->constant_data);
    free(arrays->reference);
    *arrays = (struct arrays){0};
}
