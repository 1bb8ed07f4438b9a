/* What has to be less than what for a branch to go a way: all comparisons of a condition that are joined by `&&`, or by `||` where the condition must not hold. */
#ifndef GPUPERF_MODEL_ORDERS_H
#define GPUPERF_MODEL_ORDERS_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* smaller < larger, or <=, of so many bits. */
typedef void (*gp_order_seen)(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, void *data);

void gp_each_order(const struct gp_kernel *kernel, gp_ref condition, bool wanted, gp_order_seen seen, void *data);

#ifdef __cplusplus
}
#endif
#endif
