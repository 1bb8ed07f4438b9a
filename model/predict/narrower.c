/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sub-groups that Intel's compiler makes narrower: a hardware thread has a fixed number of registers, and what does not
 * fit with 16 (32) work-items is compiled with half as many, which have twice the registers each. So the same device
 * has twice as many registers per work-item, and half the work-items resident.
 */
#include <stdlib.h>
#include <string.h>

#include "model/predict/run.h"

/* A device and what it is with narrower sub-groups. They live as long as the predictor, since what was found out of a
 * device is kept by its place. */
struct gp_narrower {
    struct gp_device of, narrower;
    struct gp_narrower *next;
};

static void scale(struct gp_number *number, double by)
{
    *number = (struct gp_number){number->value * by, number->origin, number->source};
}

static struct gp_narrower *make(struct gp_predictor *predictor, const struct gp_device *device)
{
    struct gp_narrower *made = malloc(sizeof *made);
    memcpy(&made->of, device, sizeof made->of); /* padding, too: it is compared */
    made->narrower = *device;
    made->next = predictor->narrower;
    scale(&made->narrower.warp_width, 0.5);
    scale(&made->narrower.max_threads_per_sm, 0.5);
    scale(&made->narrower.max_registers_per_thread, 2);
    scale(&made->narrower.register_unit, 2);
    predictor->narrower = made;
    return made;
}

const struct gp_device *gp_with_room_for(struct gp_predictor *predictor, const struct gp_device *device,
                                         const struct gp_resources *resources)
{
    double most = device->max_registers_per_thread.value, slack = 1.2; /* an estimate's (registers.c) */
    if (device->arch != GP_ARCH_XE || resources == NULL || resources->registers <= slack * most)
        return device;
    struct gp_narrower *known = predictor->narrower;
    while (known != NULL && memcmp(&known->of, device, sizeof *device) != 0)
        known = known->next;
    known = known != NULL ? known : make(predictor, device);
    return &known->narrower;
}

void gp_narrower_free(struct gp_predictor *predictor)
{
    while (predictor->narrower != NULL) {
        struct gp_narrower *next = predictor->narrower->next;
        free(predictor->narrower);
        predictor->narrower = next;
    }
}
