/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/chart.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 620, HEIGHT = 420, SIDE = 520, MARGIN = 70, TICKS = 8 };

struct axis {
    double low, high; /* of the logarithm where logarithmic */
    int length;
};

static const char *const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                      "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};

static double place(const struct axis *axis, double value)
{
    return (value - axis->low) / (axis->high - axis->low) * axis->length;
}

static void include(struct axis *axis, double value)
{
    if (!isfinite(value))
        return;
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

/* 1, 2 or 5 times a power of ten, so that at most TICKS fit. */
static double tick_step(const struct axis *axis)
{
    static const double steps[] = {1, 2, 5, 10};
    double range = axis->high - axis->low, power = pow(10, floor(log10(range / TICKS)));
    int i = 0;
    while (i < 3 && range / (steps[i] * power) > TICKS)
        i++;
    return steps[i] * power;
}

static struct axis scale(const struct chart *chart, bool vertical, bool right)
{
    struct axis axis = {.low = INFINITY, .high = -INFINITY, .length = vertical ? HEIGHT : WIDTH};
    for (size_t s = 0; s < chart->series_count; s++) {
        const struct chart_series *series = &chart->series[s];
        for (size_t i = 0; i < series->count && (series->right == right || !vertical); i++) {
            include(&axis, vertical ? series->y[i] : series->x[i]);
            if (vertical && series->from != NULL)
                include(&axis, series->from[i]);
        }
    }
    if (vertical)
        axis.low = fmin(axis.low, 0);
    if (!(axis.high > axis.low))
        axis = (struct axis){.low = isfinite(axis.low) ? axis.low : 0,
                             .high = (isfinite(axis.low) ? axis.low : 0) + 1,
                             .length = axis.length};
    double step = tick_step(&axis);
    axis.low = floor(axis.low / step + 1e-9) * step;
    axis.high = ceil(axis.high / step - 1e-9) * step;
    return axis;
}

static struct axis common_logarithm(const struct chart *chart)
{
    struct axis axis = {.low = INFINITY, .high = -INFINITY, .length = SIDE};
    for (size_t s = 0; s < chart->series_count; s++) {
        for (size_t i = 0; i < chart->series[s].count; i++) {
            include(&axis, log10(chart->series[s].x[i]));
            include(&axis, log10(chart->series[s].y[i]));
        }
    }
    axis.low = isfinite(axis.low) ? floor(axis.low * 4) / 4 : 0;
    axis.high = isfinite(axis.high) ? ceil(axis.high * 4) / 4 : 1;
    if (!(axis.high > axis.low))
        axis.high = axis.low + 1;
    return axis;
}

/* Text as XML takes it. */
static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
    }
}

static void print_label(FILE *out, double x, double y, bool turned, const char *text)
{
    fprintf(out, "<text transform='translate(%.1f,%.1f)%s' text-anchor='middle'>", x, y, turned ? " rotate(-90)" : "");
    print_text(out, text);
    fprintf(out, "</text>\n");
}

static void print_ticks(FILE *out, const struct axis *x, const struct axis *y, const struct axis *right,
                        bool logarithmic)
{
    double step = logarithmic ? 0.5 : tick_step(x);
    for (double tick = ceil(x->low / step) * step; tick <= x->high + 1e-9 * step; tick += step)
        fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle'>%.4g</text>\n", place(x, tick), y->length + 16,
                logarithmic ? pow(10, tick) : tick + 0.0);
    step = logarithmic ? 0.5 : tick_step(y);
    for (double tick = ceil(y->low / step) * step; tick <= y->high + 1e-9 * step; tick += step)
        fprintf(out, "<text x='-6' y='%.1f' text-anchor='end'>%.4g</text>\n", y->length - place(y, tick) + 4,
                logarithmic ? pow(10, tick) : tick + 0.0);
    if (right == NULL)
        return;
    step = tick_step(right);
    for (double tick = right->low; tick <= right->high + 1e-9 * step; tick += step)
        fprintf(out, "<text x='%d' y='%.1f'>%.4g</text>\n", x->length + 6, right->length - place(right, tick) + 4,
                tick + 0.0);
}

static void print_line(FILE *out, const struct chart_series *series, const struct axis *x, const struct axis *y,
                       const char *colour)
{
    bool drawing = false;
    fprintf(out, "<path fill='none' stroke='%s' stroke-width='1.3' d='", colour);
    for (size_t i = 0; i < series->count; i++) {
        bool known = isfinite(series->x[i]) && isfinite(series->y[i]);
        if (known)
            fprintf(out, "%c%.1f %.1f", drawing ? 'L' : 'M', place(x, series->x[i]),
                    y->length - place(y, series->y[i]));
        drawing = known;
    }
    fprintf(out, "'/>\n");
}

static void print_marks(FILE *out, const struct chart_series *series, const struct axis *x, const struct axis *y,
                        const char *colour, bool logarithmic)
{
    for (size_t i = 0; i < series->count; i++) {
        double at = logarithmic ? log10(series->x[i]) : series->x[i],
               value = logarithmic ? log10(series->y[i]) : series->y[i];
        if (!isfinite(at) || !isfinite(value))
            continue;
        if (series->kind == CHART_SPANS)
            fprintf(out, "<path stroke='%s' stroke-width='2' d='M%.1f %.1fV%.1f'/>\n", colour, place(x, at),
                    y->length - place(y, series->from[i]), y->length - place(y, value));
        else
            fprintf(out, "<circle cx='%.1f' cy='%.1f' r='2' fill='%s' fill-opacity='0.4'/>\n", place(x, at),
                    y->length - place(y, value), colour);
    }
}

static void print_series(FILE *out, const struct chart *chart, const struct axis *x, const struct axis *y,
                         const struct axis *right)
{
    int row = 0;
    for (size_t s = 0; s < chart->series_count; s++) {
        const struct chart_series *series = &chart->series[s];
        const char *colour = colours[s % (sizeof colours / sizeof *colours)];
        const struct axis *vertical = series->right ? right : y;
        if (series->kind == CHART_LINE)
            print_line(out, series, x, vertical, colour);
        else
            print_marks(out, series, x, vertical, colour, chart->logarithmic);
        if (series->name == NULL)
            continue;
        fprintf(out, "<rect x='12' y='%d' width='14' height='4' fill='%s'/><text x='32' y='%d'>", 8 + 16 * row, colour,
                14 + 16 * row);
        print_text(out, series->name);
        fprintf(out, "</text>\n");
        row++;
    }
}

bool chart_write(const char *path, const struct chart *chart, struct gp_error *error)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    struct axis x, y, right;
    if (chart->logarithmic)
        x = y = common_logarithm(chart);
    else
        x = scale(chart, false, false), y = scale(chart, true, false);
    if (chart->right_label)
        right = scale(chart, true, true);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n",
            x.length + 2 * MARGIN, y.length + 2 * MARGIN);
    fprintf(out, "<rect width='100%%' height='100%%' fill='white'/><g transform='translate(%d,%d)'>\n", MARGIN,
            MARGIN - 20);
    print_label(out, x.length / 2.0, -20, false, chart->title);
    print_label(out, x.length / 2.0, y.length + 38, false, chart->x_label);
    print_label(out, -50, y.length / 2.0, true, chart->y_label);
    fprintf(out, "<path d='M0 0V%dH%d%s' fill='none' stroke='black'/>\n", y.length, x.length,
            chart->right_label ? "V0" : "");
    if (chart->right_label)
        print_label(out, x.length + 62, y.length / 2.0, true, chart->right_label);
    if (chart->logarithmic)
        fprintf(out, "<path d='M0 %dL%d 0' stroke='#999' stroke-dasharray='4'/>\n", SIDE, SIDE);
    print_ticks(out, &x, &y, chart->right_label ? &right : NULL, chart->logarithmic);
    print_series(out, chart, &x, &y, &right);
    fprintf(out, "</g></svg>\n");
    return fclose(out) == 0 || gp_fail(error, "%s: %s", path, strerror(errno));
}
