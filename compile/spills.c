/*
 * Spilled registers in LLVM's AMDGPU assembly. The metadata counts the registers that have a place in memory; how often they are stored and
 * loaded stands in the comments of the code:
 *
 *   .LBB0_97:                               ; =>This Inner Loop Header: Depth=1
 *   	buffer_store_dword v22, off, s[0:3], 0 offset:488 ; 4-byte Folded Spill
 *   ; %bb.98:                               ;   in Loop: Header=BB0_97 Depth=1
 *   	buffer_load_dword v22, off, s[0:3], 0 offset:488 ; 4-byte Folded Reload
 */
#define _GNU_SOURCE /* memmem */
#include "compile/spills.h"
#include "model/spilled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct text { const char *data; size_t length; };

static const char *find(struct text line, const char *what) { return memmem(line.data, line.length, what, strlen(what)); }

static bool starts_with(struct text line, const char *what) { return line.length >= strlen(what) && memcmp(line.data, what, strlen(what)) == 0; }

/* The block at hand. */
struct reader {
    struct gp_backend_kernel *kernel;
    const char **headers;       /* per loop: its header's label, "BB0_97" and what follows */
    const char *label;
    uint32_t loop;              /* GP_NONE: none */
    bool in_head;               /* of the comments behind the label */
};

static size_t label_length(const char *label) { return strcspn(label, ": \n"); }

static void add_loop(struct reader *r, uint32_t depth)
{
    struct gp_backend_kernel *k = r->kernel;
    struct gp_backend_loop *loops = realloc(k->loops, (k->loop_count + 1) * sizeof *loops);
    const char **headers = realloc(r->headers, (k->loop_count + 1) * sizeof *headers);
    if (loops == NULL || headers == NULL)
        abort();
    k->loops = loops;
    r->headers = headers;
    loops[k->loop_count] = (struct gp_backend_loop){.depth = depth};
    headers[k->loop_count] = r->label;
    r->loop = k->loop_count++;
}

static uint32_t loop_of(const struct reader *r, const char *header)
{
    for (uint32_t i = 0; i < r->kernel->loop_count; i++)
        if (label_length(r->headers[i]) == label_length(header) && strncmp(r->headers[i], header, label_length(header)) == 0)
            return i;
    return GP_NONE;
}

static void read_head(struct reader *r, struct text line)
{
    const char *heads = find(line, "=>"), *depth = find(line, "Depth="), *header = find(line, "in Loop: Header=");
    if (heads != NULL && depth != NULL)
        add_loop(r, (uint32_t)strtoul(depth + strlen("Depth="), NULL, 10));
    else if (header != NULL)
        r->loop = loop_of(r, header + strlen("in Loop: Header="));
}

static uint32_t bytes_of(struct text line, const char *what)
{
    const char *at = find(line, what);
    while (at != NULL && at > line.data && at[-1] != ' ')
        at--;
    return at != NULL ? (uint32_t)strtoul(at, NULL, 10) : 0;
}

static void read_line(struct reader *r, struct text line, uint32_t *stored, uint32_t *loaded)
{
    bool labelled = starts_with(line, ".LBB"), block = labelled || starts_with(line, "; %bb.");
    const char *first = line.data + strspn(line.data, " \t");
    if (block) {
        r->label = line.data + (labelled ? strlen(".L") : 0);
        r->loop = GP_NONE;
    }
    r->in_head = block || (r->in_head && *first == ';');
    if (r->in_head)
        read_head(r, line);
    uint32_t store = bytes_of(line, "-byte Folded Spill"), load = bytes_of(line, "-byte Folded Reload");
    *stored += store;
    *loaded += load;
    if (r->loop != GP_NONE) {
        r->kernel->loops[r->loop].spill_store_bytes += store;
        r->kernel->loops[r->loop].spill_load_bytes += load;
    }
}

static const char *find_code(const char *assembly, const char *symbol)
{
    size_t length = strlen(symbol);
    for (const char *at = assembly; (at = strstr(at, symbol)) != NULL; at += length)
        if ((at == assembly || at[-1] == '\n') && at[length] == ':')
            return at;
    return NULL;
}

void gp_read_spills(const char *assembly, struct gp_backend_kernel *kernel)
{
    const char *code = find_code(assembly, kernel->symbol);
    struct reader reader = {.kernel = kernel, .loop = GP_NONE};
    uint32_t stored = 0, loaded = 0;
    while (code != NULL && *code != '\0' && strncmp(code, ".Lfunc_end", strlen(".Lfunc_end")) != 0) {
        size_t length = strcspn(code, "\n");
        read_line(&reader, (struct text){code, length}, &stored, &loaded);
        code += length + (code[length] == '\n');
    }
    free(reader.headers);
    struct gp_resources *resources = &kernel->resources;
    resources->spill_store_bytes = stored > resources->spill_store_bytes ? stored : resources->spill_store_bytes;
    resources->spill_load_bytes = loaded > resources->spill_load_bytes ? loaded : resources->spill_load_bytes;
}

static bool same_loops(const struct gp_backend_kernel *known, const struct gp_kernel *kernel)
{
    bool same = known->loop_count == kernel->loop_count;
    for (uint32_t i = 0; same && i < known->loop_count; i++)
        same = known->loops[i].depth == kernel->loops[i].depth;
    return same;
}

static uint32_t add_bytes(uint32_t bytes, double more) { return (uint32_t)fmin(UINT32_MAX, bytes + more); }

/* The innermost loop around one, or itself, whose number of turns only the launch tells; GP_NONE: none. */
static uint32_t launch_decides(const struct gp_kernel *kernel, uint32_t loop)
{
    while (loop != GP_NONE && gp_ref_kind(kernel->loops[loop].trip_count) == GP_REF_CONST)
        loop = kernel->loops[loop].parent;
    return loop;
}

struct spilled_bytes { double stores, loads; };

/* What the loop spills in one turn, with the loops in it whose number of turns is constant. */
static struct spilled_bytes bytes_in(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, uint32_t loop)
{
    struct spilled_bytes bytes = {0};
    for (uint32_t i = 0; i < known->loop_count; i++)
        if (launch_decides(kernel, i) == loop) {
            double times = gp_constant_iterations(kernel, i);
            bytes.stores += times * known->loops[i].spill_store_bytes;
            bytes.loads += times * known->loops[i].spill_load_bytes;
        }
    return bytes;
}

/* Of the loops whose number of turns only the launch tells the one that spills most. */
static void name_spill_loop(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, struct gp_resources *resources)
{
    double most = 0;
    for (uint32_t i = 0; i < known->loop_count; i++) {
        struct spilled_bytes bytes = launch_decides(kernel, i) == i ? bytes_in(known, kernel, i) : (struct spilled_bytes){0};
        if (bytes.stores + bytes.loads <= most)
            continue;
        most = bytes.stores + bytes.loads;
        resources->spill_loop = i;
        resources->loop_store_bytes = add_bytes(0, bytes.stores);
        resources->loop_load_bytes = add_bytes(0, bytes.loads);
    }
}

void gp_weigh_spills(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, struct gp_resources *resources)
{
    if (!same_loops(known, kernel))
        return;
    for (uint32_t i = 0; i < known->loop_count; i++) {
        double again = gp_constant_iterations(kernel, i) - 1;
        resources->spill_store_bytes = add_bytes(resources->spill_store_bytes, again * known->loops[i].spill_store_bytes);
        resources->spill_load_bytes = add_bytes(resources->spill_load_bytes, again * known->loops[i].spill_load_bytes);
    }
    name_spill_loop(known, kernel, resources);
}
