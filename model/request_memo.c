#include "model/request_memo.h"

#include <stdlib.h>
#include <string.h>

#include "model/lanes.h"
#include "model/work.h"

/* What a request depends on. Beside it: the lanes' distances from the first active one. */
struct last_request {
    bool valid, unknown, uniform;
    gp_mask active;
    uint64_t place;            /* of the first active lane, modulo period_of() */
    struct gp_request request;
};

struct gp_request_memo {
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    struct last_request *last; /* per memory operation */
    uint64_t *lanes;           /* of these: [memory_count * GP_MAX_LANES] */
};

struct gp_request_memo *gp_request_memo_new(const struct gp_kernel *kernel)
{
    struct gp_request_memo *memo = calloc(1, sizeof *memo);
    if (memo == NULL)
        return NULL;
    memo->kernel = kernel;
    memo->last = calloc(kernel->memory_count + 1, sizeof *memo->last);
    memo->lanes = malloc(((size_t)kernel->memory_count * GP_MAX_LANES + 1) * sizeof *memo->lanes);
    if (memo->last != NULL && memo->lanes != NULL)
        return memo;
    gp_request_memo_free(memo);
    return NULL;
}

void gp_request_memo_free(struct gp_request_memo *memo)
{
    if (memo == NULL)
        return;
    free(memo->last);
    free(memo->lanes);
    free(memo);
}

/*
 * Bytes by which all lanes may move without changing the request. Rules look at alignment of far less than a page; in local memory only
 * banks matter, and any multiple of the widest access (16 bytes) takes turns with them alike, unless two words of a row come together.
 */
static uint64_t period_of(const struct gp_device *device, const struct gp_memory *memory)
{
    enum { PAGE = 4096, WIDEST = 16 };
    return memory->space != GP_SPACE_LOCAL || device->arch == GP_ARCH_CPU ? PAGE
           : device->smem_bank_bytes.value > 4 ? (uint64_t)(device->smem_banks.value * device->smem_bank_bytes.value) : WIDEST;
}

/* Bytes from the first active lane to each. True: they are what they were. */
static bool same_lanes(const struct gp_access *access, unsigned first, uint32_t lanes, uint64_t *last)
{
    uint64_t moved = 0, from = access->offset[first];
    if (access->active == gp_lanes_below(lanes) && lanes % 4 == 0) { /* four at a time, so that compilers vectorise it */
        for (uint32_t i = 0; i < lanes; i += 4)
            for (uint32_t j = i; j < i + 4; j++) {
                uint64_t distance = access->offset[j] - from;
                moved |= distance ^ last[j];
                last[j] = distance;
            }
        return moved == 0;
    }
    for (gp_mask rest = access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint64_t distance = access->offset[lane] - from;
        moved |= distance ^ last[lane];
        last[lane] = distance;
    }
    return moved == 0;
}

void gp_request_memo_cost(struct gp_request_memo *memo, const struct gp_device *device, const struct gp_access *access, struct gp_request *request)
{
    if (memo->device != device)
        memset(memo->last, 0, memo->kernel->memory_count * sizeof *memo->last);
    memo->device = device;
    if (!access->one_symbol || access->coordinates > 0) {
        gp_request_cost(device, memo->kernel, access, request);
        return;
    }
    struct last_request *last = &memo->last[access->memory];
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    struct last_request now = {.valid = true, .unknown = access->symbol[first] == GP_SYMBOL_UNKNOWN, .uniform = access->uniform,
                               .active = access->active, .place = access->offset[first] % period_of(device, &memo->kernel->memory[access->memory])};
    bool alike = last->valid && last->active == now.active && last->unknown == now.unknown && last->uniform == now.uniform &&
                 (now.unknown || last->place == now.place);
    if (!now.unknown && !now.uniform) /* in any case: it remembers the lanes */
        alike = same_lanes(access, first, gp_device_lanes(device), &memo->lanes[(size_t)access->memory * GP_MAX_LANES]) && alike;
    if (!alike) {
        *last = now;
        gp_request_cost(device, memo->kernel, access, &last->request);
    }
    *request = last->request;
}
