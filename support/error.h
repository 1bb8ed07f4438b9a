/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One way to fail: a function returns false (or NULL) and has put one sentence into the error. */
#ifndef GPUPERF_SUPPORT_ERROR_H
#define GPUPERF_SUPPORT_ERROR_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gp_error {
    char text[1024]; /* one sentence: what, where (file:line), what to do; "" when nothing failed */
};

/* Writes the sentence and returns false, so that `return gp_fail(err, ...)` reads well. A NULL error is allowed. */
bool gp_fail(struct gp_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "PREFIX: " before the sentence that is there already (adds the file name to a reader's complaint). Returns
 * false. */
bool gp_fail_within(struct gp_error *error, const char *prefix);

#ifdef __cplusplus
}
#endif
#endif
