/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Accesses to images that were made before. Lanes whose texels lie as far apart, and alike in their line, touch
 * addresses as far apart and make the same request: both are worked out once.
 */
#ifndef GPUPERF_MODEL_IMAGE_MEMO_H
#define GPUPERF_MODEL_IMAGE_MEMO_H

#include "model/memory/requests.h"

struct gp_image_memo;

/* For a kernel, which must stay alive. The caller frees it. */
struct gp_image_memo *gp_image_memo_new(const struct gp_kernel *kernel);
void gp_image_memo_free(struct gp_image_memo *memo);

/* As gp_image_addresses(), with distances where they are known: then offset[] need hold no more than lane 0's and the
 * first active one's. A change of the device starts afresh. */
void gp_image_memo_addresses(struct gp_image_memo *memo, const struct gp_device *device, const struct gp_access *access,
                             struct gp_image_addresses *addresses);

/* As gp_request_cost(). */
void gp_image_memo_cost(struct gp_image_memo *memo, const struct gp_device *device, const struct gp_access *access,
                        struct gp_request *request);

#endif
