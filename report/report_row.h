/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A row of report_json.h as an object. */
#ifndef GPUPERF_REPORT_REPORT_ROW_H
#define GPUPERF_REPORT_REPORT_ROW_H

#include <jansson.h>

#include "report/report_json.h"

/* To be owned by the caller. NULL: out of memory. */
json_t *gp_report_row(const struct gp_report_row *row);

/* How a report's numbers are printed: nine digits. */
#define GP_REPORT_DIGITS JSON_REAL_PRECISION(9)

#endif
