/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GPUPERF_HWDB_STAND_IN_H
#define GPUPERF_HWDB_STAND_IN_H

#include "hwdb/hwdb.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GP_STAND_IN_TEXT = 256 };

/* Whose numbers a device has that is no entry: "rtx 4060: what boards.tsv does not tell is rtx4090's". "" for an entry.
 */
const char *gp_device_stand_in(const struct gp_device *device, char text[GP_STAND_IN_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
