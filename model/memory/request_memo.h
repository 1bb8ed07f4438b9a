/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Requests that were made before. Lanes at the same distances from each other, moved by what no rule sees, make the
 * same request again, whichever of the kernel's operations of a kind they execute: most do.
 */
#ifndef GPUPERF_MODEL_REQUEST_MEMO_H
#define GPUPERF_MODEL_REQUEST_MEMO_H

#include "model/memory/requests.h"

struct gp_request_memo;

/* For a kernel, which must stay alive. The caller frees it. */
struct gp_request_memo *gp_request_memo_new(const struct gp_kernel *kernel);
void gp_request_memo_free(struct gp_request_memo *memo);

/* As gp_request_cost(). A change of the device starts afresh. */
void gp_request_memo_cost(struct gp_request_memo *memo, const struct gp_device *device, const struct gp_access *access,
                          struct gp_request *request);

#endif
