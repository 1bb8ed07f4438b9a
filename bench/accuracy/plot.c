#include "bench/accuracy/plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 520, MARGIN = 60 };

static double place(double ms, double low, double high) { return (log10(ms) - low) / (high - low) * SIDE; }

bool plot_times(const char *directory, const char *name, const struct config *configs, size_t count, struct gp_error *error)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.svg", directory, name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (isnan(configs[i].predicted_ms))
            continue;
        low = fmin(low, log10(fmin(configs[i].measured_ms, configs[i].predicted_ms)));
        high = fmax(high, log10(fmax(configs[i].measured_ms, configs[i].predicted_ms)));
    }
    low = floor(low * 4) / 4;
    high = ceil(high * 4) / 4;
    if (!(high > low))
        high = low + 1;
    fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n", SIDE + 2 * MARGIN, SIDE + 2 * MARGIN);
    fprintf(out, "<rect width='100%%' height='100%%' fill='white'/><g transform='translate(%d,%d)'>\n", MARGIN, MARGIN);
    fprintf(out, "<text x='%d' y='-25' text-anchor='middle' font-size='15'>%s: predicted against measured, ms</text>\n", SIDE / 2, name);
    fprintf(out, "<path d='M0 0V%dH%d' fill='none' stroke='black'/><path d='M0 %dL%d 0' stroke='#999' stroke-dasharray='4'/>\n", SIDE, SIDE, SIDE, SIDE);
    for (double tick = ceil(low * 2) / 2; tick <= high + 1e-9; tick += 0.5) {
        double at = (tick - low) / (high - low) * SIDE;
        fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle'>%.3g</text><text x='-6' y='%.1f' text-anchor='end'>%.3g</text>\n", at, SIDE + 16, pow(10, tick),
                SIDE - at + 4, pow(10, tick));
    }
    fprintf(out, "<text x='%d' y='%d' text-anchor='middle'>measured</text><text transform='translate(-45,%d) rotate(-90)' text-anchor='middle'>predicted</text>\n", SIDE / 2,
            SIDE + 36, SIDE / 2);
    for (size_t i = 0; i < count; i++)
        if (!isnan(configs[i].predicted_ms))
            fprintf(out, "<circle cx='%.1f' cy='%.1f' r='2' fill='#1f77b4' fill-opacity='0.4'/>\n", place(configs[i].measured_ms, low, high),
                    SIDE - place(configs[i].predicted_ms, low, high));
    fprintf(out, "</g></svg>\n");
    return fclose(out) == 0 || gp_fail(error, "%s: %s", path, strerror(errno));
}
