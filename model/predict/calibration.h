/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far from the truth predictions like this one were: confidence and range of a time come from measured rows, told
 * apart by the circumstances of their predictions (docs/accuracy.md; bench/calibrate_confidence.sh makes the table).
 */
#ifndef GPUPERF_MODEL_CALIBRATION_H
#define GPUPERF_MODEL_CALIBRATION_H

#include "model/predict.h"

/* A time is right within so many times. */
#define GP_RIGHT_WITHIN 1.5

/*
 * "nvidia/known/coalesced/memory/compiled/hopper": from what tells errors apart best to the architecture family. A cell
 * of the table is a prefix, and has all rows whose path begins so.
 */
enum { GP_CELL_TEXT = 96 };
void gp_circumstances_path(const struct gp_circumstances *circumstances, char path[GP_CELL_TEXT]);

/* The cell of the path or, where it has too few rows, the nearest one above it that has enough; that of all rows has.
 */
void gp_find_evidence(const char *path, struct gp_evidence *evidence);

/* The longest time that was measured, ns: of what takes much longer no row tells. */
double gp_longest_evidence(void);

#endif
