/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory for arrays that may have no element. */
#ifndef GPUPERF_SUPPORT_MEMORY_H
#define GPUPERF_SUPPORT_MEMORY_H

#include <stdlib.h>

/* calloc() that gives NULL only where there is no memory. free() it. */
static inline void *gp_some(size_t count, size_t size) { return calloc(count ? count : 1, size); }

#endif
