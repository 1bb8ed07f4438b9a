#include "bench/accuracy/subject.h"

#include <stdio.h>
#include <string.h>

/* `use_padding`: a row of the tile starts in another bank than the one above, where a group's width leaves banks idle. */
static double padding(const struct table *table, size_t row)
{
    enum { BORDER = 16, BANKS = 32 };
    int block = (int)table_cell(table, row, "block_size_x", 1), tile = (int)table_cell(table, row, "tile_size_x", 1);
    int rest = BORDER + block * tile - block;
    bool used = table_cell(table, row, "use_padding", 0) != 0 && block % BANKS != 0 && rest % BANKS != 0;
    return used ? (BANKS - rest) & (BANKS - 1) : 0;
}

/*
 * Half of clang's time on the unrolled bodies goes into GVN's search for what a load depends on, 100 loads back for each. A shorter
 * search leaves the code as it is: EarlyCSE has merged the equal loads.
 */
#define SHORT_SEARCH {"-mllvm", "-memdep-block-scan-limit=10"}

static const struct subject subjects[] = {
    {"convolution", "convolution",
     {{"BLOCK_X", "block_size_x", 1, NULL}, {"BLOCK_Y", "block_size_y", 1, NULL}, {"TILE_X", "tile_size_x", 1, NULL}, {"TILE_Y", "tile_size_y", 1, NULL},
      {"READ_ONLY", "read_only", 0, NULL}, {"PADDING", NULL, 0, padding}, {"FILTER", NULL, 17, NULL}, {"SIZE", NULL, 4096, NULL}},
     {4096, 4096}, SHORT_SEARCH},
    /* 15x15; padding was never in effect when these were measured */
    {"convolution_counters", "convolution",
     {{"BLOCK_X", "block_size_x", 1, NULL}, {"BLOCK_Y", "block_size_y", 1, NULL}, {"TILE_X", "tile_size_x", 1, NULL}, {"TILE_Y", "tile_size_y", 1, NULL},
      {"READ_ONLY", "read_only", 0, NULL}, {"PADDING", NULL, 0, NULL}, {"FILTER", NULL, 15, NULL}, {"SIZE", NULL, 4096, NULL}},
     {4096, 4096}, SHORT_SEARCH},
    {"dedispersion", "dedispersion",
     {{"BLOCK_X", "block_size_x", 1, NULL}, {"BLOCK_Y", "block_size_y", 1, NULL}, {"TILE_X", "tile_size_x", 1, NULL}, {"TILE_Y", "tile_size_y", 1, NULL},
      {"STRIDE_X", "tile_stride_x", 0, NULL}, {"STRIDE_Y", "tile_stride_y", 0, NULL}, {"UNROLL", "loop_unroll_factor_channel", 0, NULL}},
     {25000, 2048}, {NULL}},
    {"pnpoly_counters", "pnpoly",
     {{"BLOCK_X", "block_size_x", 1, NULL}, {"TILE_X", "tile_size", 1, NULL}, {"BETWEEN", "between_method", 0, NULL}, {"USE", "use_method", 0, NULL},
      {"VERTICES", NULL, 600, NULL}, {"POINTS", NULL, 20000000, NULL}},
     {20000000, 1}, {NULL}},
};

const struct subject *subject_find(const char *file, size_t length)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strlen(subjects[i].file) == length && strncmp(subjects[i].file, file, length) == 0)
            return &subjects[i];
    return NULL;
}

static double value_of(const struct macro *macro, const struct table *table, size_t row)
{
    if (macro->computed != NULL)
        return macro->computed(table, row);
    return macro->column != NULL ? table_cell(table, row, macro->column, macro->fixed) : macro->fixed;
}

void subject_macros(const struct subject *subject, const struct table *table, size_t row, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (const struct macro *m = subject->macros; m->name != NULL && length < size; m++)
        length += (size_t)snprintf(text + length, size - length, "#define %s %.0f\n", m->name, value_of(m, table, row));
}

void subject_launch(const struct subject *subject, const struct table *table, size_t row, struct gp_launch *launch)
{
    const char *tile_x = table_column(table, "tile_size") >= 0 ? "tile_size" : "tile_size_x";
    unsigned block[2] = {(unsigned)table_cell(table, row, "block_size_x", 1), (unsigned)table_cell(table, row, "block_size_y", 1)};
    unsigned tile[2] = {(unsigned)table_cell(table, row, tile_x, 1), (unsigned)table_cell(table, row, "tile_size_y", 1)};
    launch->dims = 2;
    for (int d = 0; d < 2; d++) {
        unsigned outputs = block[d] * tile[d];
        launch->local[d] = block[d];
        launch->global[d] = (uint64_t)((subject->range[d] + outputs - 1) / outputs) * block[d];
    }
    launch->global[2] = launch->local[2] = 1;
}
