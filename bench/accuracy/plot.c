/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/accuracy/plot.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/chart.h"

bool plot_times(const char *directory, const char *name, const struct config *configs, size_t count,
                struct gp_error *error)
{
    char path[512], title[256];
    double *measured = malloc((count + 1) * sizeof *measured), *predicted = malloc((count + 1) * sizeof *predicted);
    bool done = measured != NULL && predicted != NULL ? true : gp_fail(error, "out of memory");
    for (size_t i = 0; done && i < count; i++) {
        measured[i] = configs[i].measured_ms;
        predicted[i] = configs[i].predicted_ms;
    }
    snprintf(path, sizeof path, "%s/%s.svg", directory, name);
    snprintf(title, sizeof title, "%s: predicted against measured, ms", name);
    struct chart_series series = {.kind = CHART_POINTS, .x = measured, .y = predicted, .count = count};
    struct chart chart = {.title = title,
                          .x_label = "measured",
                          .y_label = "predicted",
                          .logarithmic = true,
                          .series = &series,
                          .series_count = 1};
    done = done && chart_write(path, &chart, error);
    free(measured);
    free(predicted);
    return done;
}
