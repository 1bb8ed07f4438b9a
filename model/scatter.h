/* What to expect of addresses that data decides, within a range that is known: each is as likely as any other. */
#ifndef GPUPERF_MODEL_SCATTER_H
#define GPUPERF_MODEL_SCATTER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of `cells`, those that at least one of `draws` falls into: m (1 - (1 - 1/m)^n). */
double gp_expected_distinct(double cells, double draws);

/*
 * How many of `draws` (at most 64) fall into the fullest of `cells`, exactly: 1 + sum over k >= 1 of P(fullest > k), where
 * P(fullest <= k) = n!/m^n [x^n] (sum of x^i/i! for i <= k)^m. Some ten thousand operations.
 */
double gp_expected_in_fullest(uint64_t cells, unsigned draws);

#ifdef __cplusplus
}
#endif
#endif
