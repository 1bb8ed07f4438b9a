/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the layer keeps what it has found out: as runtime/settings.h has it. */
#ifndef GPUPERF_TOOLS_CACHE_FOLDER_H
#define GPUPERF_TOOLS_CACHE_FOLDER_H

#include <stdbool.h>

/* "" where nothing is to be kept (GPUPERF_CACHE is empty). False: there is no place for it. */
bool gp_cache_folder(char path[4096]);

#endif
