/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A compile target stands for many boards: how far apart their times are. */
#ifndef GPUPERF_TOOLS_BOARD_RANGE_H
#define GPUPERF_TOOLS_BOARD_RANGE_H

#include "model/predict.h"

struct gp_board_range {
    size_t count; /* boards of the target that run the launch; 0: the device is no bare target, or has none */
    double fastest_ns, slowest_ns;
    char fastest[64], slowest[64]; /* their names, as --device takes them */
};

/* Predicts a launch, with its local size, for each board of `target` ("sm_89"); the clock is the board's own. */
void gp_range_over_boards(struct gp_predictor *predictor, const char *target, const struct gp_launch *launch,
                          const struct gp_predict_options *options, struct gp_board_range *range);

#endif
