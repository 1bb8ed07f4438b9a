/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows in a launch along one dimension: `y = g / w, x = g % w`, or g and g + w beside each other. A group shares what
 * it reads less with the next one than with that which starts a row further on.
 */
#ifndef GPUPERF_MODEL_ROWS_H
#define GPUPERF_MODEL_ROWS_H

#include "model/launch/launch.h"
#include "model/profile/profile.h"

enum { GP_MOST_ROWS = 4 };

/*
 * distances[GP_MOST_ROWS]: after how many groups, ascending and more than one, an index that grows with the group's
 * number has grown by what it is divided by, or an address by what is between two of a buffer. Returns how many; 0 for
 * launches along several dimensions.
 */
uint32_t gp_row_distances(const struct gp_kernel *kernel, const struct gp_launch *launch,
                          double distances[GP_MOST_ROWS]);

#endif
