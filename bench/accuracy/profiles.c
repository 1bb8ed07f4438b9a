/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "bench/accuracy/profiles.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/accuracy/workers.h"
#include "compile/compile.h"
#include "compile/locate.h"
#include "model/profile/profile_binary.h"
#include "support/hash.h"
#include "support/text.h"

enum { MAX_TEXT = 1024, TIMEOUT_SECONDS = 3600 };

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    return gp_fnv1a(gp_fnv1a(hash, bytes, size), "\xff", 1); /* an end, which no text holds */
}

static uint64_t hash_text(uint64_t hash, const char *text) { return hash_bytes(hash, text, strlen(text)); }

/* Another version of a program has another size; its time of installation says nothing. */
static uint64_t hash_program(uint64_t hash, char *path)
{
    struct stat status;
    if (path != NULL && stat(path, &status) == 0)
        hash = hash_bytes(hash, &status.st_size, sizeof status.st_size);
    free(path);
    return hash;
}

/* What gp_compile() finds from now on. */
static void let_nvcc(const struct profiles *p, bool be_asked)
{
    setenv("GPUPERF_NVCC", be_asked && p->nvcc_path != NULL ? p->nvcc_path : "", 1);
}

static void hash_for(const struct profiles *p, const struct gp_device *device, const char *source,
                     struct profiles_key keys[PROFILES_MAKERS])
{
    bool nvidia = gp_arch_is_nvidia(device->arch);
    uint64_t hash = hash_text(hash_text(hash_text(hash_text(GP_FNV1A, source), device->triple), device->cpu),
                              device->cu_mode ? "CU mode" : "");
    hash = hash_text(hash, p->each_row ? "each row" : "");
    hash = hash_program(hash_program(hash, gp_locate_clang(NULL, NULL)), gp_locate_ptxas(NULL));
    uint64_t asked = hash_program(hash, !nvidia                ? gp_locate_amd_clang(NULL)
                                        : p->nvcc_path != NULL ? strdup(p->nvcc_path)
                                                               : NULL);
    keys[OF_NVCC] = (struct profiles_key){device, asked};
    keys[OF_PTXAS] = (struct profiles_key){device, nvidia && p->nvcc != NVCC_ALWAYS ? hash : asked};
}

static bool hash_everything(struct profiles *p, struct gp_error *error)
{
    char *source = gp_read_file(p->source_path, NULL);
    if (source == NULL)
        return gp_fail(error, "%s: %s", p->source_path, strerror(errno));
    p->nvcc_path = gp_arch_is_nvidia(p->device->arch) && p->nvcc != NVCC_NEVER ? gp_locate_nvcc(NULL) : NULL;
    hash_for(p, p->device, source, p->keys);
    if (p->sibling != NULL)
        hash_for(p, p->sibling, source, p->sibling_keys);
    free(source);
    return true;
}

/* CACHE/MAKER */
static bool find_directory(struct profiles *p, struct gp_error *error)
{
    char *maker = p->maker != NULL ? strdup(p->maker) : gp_read_file(ACCURACY_MAKERS, NULL);
    if (maker == NULL)
        return gp_fail(error, "%s: %s", ACCURACY_MAKERS, strerror(errno));
    if (asprintf(&p->directory, "%s/%.12s", p->cache, maker) < 0)
        p->directory = NULL;
    free(maker);
    bool made = p->directory != NULL && (mkdir(p->cache, 0777) == 0 || errno == EEXIST) &&
                (mkdir(p->directory, 0777) == 0 || errno == EEXIST);
    return made || gp_fail(error, "%s: %s", p->directory ? p->directory : p->cache, strerror(errno));
}

typedef void write_macros(const struct subject *subject, const struct table *table, size_t row, char *text,
                          size_t size);

static uint64_t hash_macros(uint64_t hash, const struct profiles *p, size_t row, write_macros *macros)
{
    char text[MAX_TEXT];
    macros(p->subject, p->table, row, text, sizeof text);
    return hash_text(hash, text);
}

static void row_path(const struct profiles *p, const struct profiles_key *key, size_t row, char *path, size_t size)
{
    snprintf(path, size, "%s/%s-%s-%016llx.gpuperf", p->directory, p->subject->kernel, key->device->cpu,
             (unsigned long long)hash_macros(key->hash, p, row, subject_macros));
}

struct code {
    size_t row;
    uint64_t key;
};

static int by_key(const void *a, const void *b)
{
    const struct code *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static bool find_equal_rows(struct profiles *p)
{
    struct code *codes = calloc(p->table->rows + 1, sizeof *codes);
    if (codes == NULL)
        return false;
    for (size_t row = 0; row < p->table->rows; row++)
        codes[row] = (struct code){row, hash_macros(GP_FNV1A, p, row, subject_macros)};
    qsort(codes, p->table->rows, sizeof *codes, by_key);
    for (size_t i = 0, start = 0; i < p->table->rows; i++) {
        start = codes[i].key == codes[start].key ? start : i;
        p->first[codes[i].row] = codes[start].row;
    }
    free(codes);
    return true;
}

bool profiles_open(struct profiles *p, struct gp_error *error)
{
    p->errors = calloc(p->table->rows + 1, sizeof *p->errors);
    p->first = calloc(p->table->rows + 1, sizeof *p->first);
    p->source_path = subject_path(p->subject);
    if (p->errors == NULL || p->first == NULL || p->source_path == NULL)
        return gp_fail(error, "out of memory");
    return find_directory(p, error) && hash_everything(p, error) &&
           (find_equal_rows(p) || gp_fail(error, "out of memory"));
}

void profiles_close(struct profiles *p)
{
    free(p->source_path);
    free(p->nvcc_path);
    free(p->directory);
    free(p->first);
    free(p->errors);
}

static bool in_cache(const struct profiles *p, const struct profiles_key *key, size_t row)
{
    char path[512];
    row_path(p, key, row, path, sizeof path);
    return access(path, R_OK) == 0;
}

static struct gp_profile *read_from_cache(const struct profiles *p, const struct profiles_key *key, size_t row,
                                          struct gp_error *error)
{
    char path[512];
    row_path(p, key, row, path, sizeof path);
    return gp_profile_read_file(path, error);
}

/* ---- Compiling ------------------------------------------------------------------------------------------------- */

/* A row that NVIDIA's compiler is to be asked of: ptxas spills registers of it, or its body is small. */
struct candidate {
    size_t row;
    uint64_t text; /* equal: their code differs in nothing that changes spills */
    uint64_t said; /* equal: only in the block's shape, and ptxas says the same of both, to the byte */
    unsigned bytes;
    size_t asked; /* the row that NVIDIA's compiler is asked of in its place, or itself */
};

/* Rows to compile, a batch per run of clang: its start, the builtins' header and library and ptxas' start are paid
 * once. */
struct plan {
    struct profiles *profiles;
    enum profiles_maker maker; /* OF_NVCC: only the registers, of rows that have a profile */
    size_t *rows, count, batch;
    size_t made;                  /* updated atomically; siblings' are not counted */
    struct candidate *candidates; /* OF_NVCC: the rows that lack registers */
    size_t candidate_count;
};

/* One kernel of the batch as a profile of its own, under the kernel's true name. */
static bool keep(const struct profiles *p, const struct profiles_key *key, const struct gp_profile *batch, size_t index,
                 size_t row, struct gp_error *error)
{
    char name[128], path[512], part[560];
    snprintf(name, sizeof name, "%s_%zu", p->subject->kernel, index);
    const struct gp_kernel *kernel = gp_profile_find(batch, name);
    if (kernel == NULL)
        return gp_fail(error, "the compile of %s has no kernel %s", p->source_path, name);
    struct gp_kernel renamed = *kernel;
    renamed.name = renamed.symbol = p->subject->kernel;
    struct gp_profile alone = *batch;
    alone.source = p->source_path;
    alone.kernels = &renamed;
    alone.kernel_count = 1;
    alone.storage = NULL;
    row_path(p, key, row, path, sizeof path);
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    if (!gp_profile_write_file(&alone, part, error))
        return false;
    return rename(part, path) == 0 || gp_fail(error, "%s: %s", path, strerror(errno));
}

/* A row asked in another's place may have another block, and so other arrays of the group. */
static void keep_local_bytes(struct gp_kernel *kernel, uint32_t local_bytes)
{
    for (uint32_t i = 0; i < kernel->resource_count; i++)
        kernel->resources[i].local_bytes = local_bytes;
}

/* A copy of the row's profile with the registers of one of the batch's kernels. */
static bool keep_with_registers(const struct profiles *p, const struct profiles_key keys[PROFILES_MAKERS],
                                const struct gp_backend_list *list, size_t index, size_t row, struct gp_error *error)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%zu", p->subject->kernel, index);
    struct gp_profile *profile = read_from_cache(p, &keys[OF_PTXAS], row, error);
    if (profile == NULL)
        return false;
    uint32_t local_bytes = profile->kernels[0].resource_count > 0 ? profile->kernels[0].resources[0].local_bytes : 0;
    profile->kernels[0].name = profile->kernels[0].symbol = name;
    profile = gp_backend_apply(profile, list, false, NULL, error);
    if (profile != NULL && local_bytes > 0)
        keep_local_bytes(&profile->kernels[0], local_bytes);
    bool kept = profile != NULL && keep(p, &keys[OF_NVCC], profile, index, row, error);
    gp_profile_free(profile);
    return kept;
}

static void note_kept(struct plan *plan, bool kept) { __atomic_fetch_add(&plan->made, kept ? 1 : 0, __ATOMIC_RELAXED); }

/* A sibling's profile that cannot be kept is made when its own turn comes. */
static void keep_registers(struct plan *plan, const struct gp_backend_list *list, const struct gp_backend_list *sibling,
                           const size_t *rows, size_t count)
{
    struct profiles *p = plan->profiles;
    struct gp_error ignored;
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < plan->candidate_count; s++) {
            size_t row = plan->candidates[s].row;
            if (plan->candidates[s].asked != rows[i])
                continue;
            note_kept(plan, keep_with_registers(p, p->keys, list, i, row, &p->errors[row]));
            if (sibling->count > 0)
                keep_with_registers(p, p->sibling_keys, sibling, i, row, &ignored);
        }
}

static void keep_all(struct plan *plan, const struct gp_compile_result *batch, const size_t *rows, size_t count)
{
    struct profiles *p = plan->profiles;
    struct gp_error ignored;
    for (size_t i = 0; i < count; i++) {
        note_kept(plan, keep(p, &p->keys[OF_PTXAS], batch->profile, i, rows[i], &p->errors[rows[i]]));
        if (batch->sibling != NULL)
            keep(p, &p->sibling_keys[OF_PTXAS], batch->sibling, i, rows[i], &ignored);
    }
}

static bool compile_batch(struct plan *plan, const size_t *rows, size_t count, struct gp_error *error)
{
    struct profiles *p = plan->profiles;
    char *source = subject_batch(p->subject, p->table, rows, count);
    if (source == NULL)
        return gp_fail(error, "out of memory");
    struct gp_compile_request request = {.source_path = p->source_path,
                                         .source_text = source,
                                         .language = "opencl",
                                         .arguments = p->subject->arguments,
                                         .device = p->device,
                                         .sibling = p->sibling,
                                         .for_llvm_compile = gp_arch_is_amd(p->device->arch),
                                         .alike = !p->each_row,
                                         .timeout_seconds = TIMEOUT_SECONDS};
    struct gp_compile_result result = {0};
    struct gp_backend_list list = {0}, sibling = {0};
    bool registers_only = plan->maker == OF_NVCC;
    bool done =
        registers_only ? gp_compile_registers(&request, &list, &sibling, error) : gp_compile(&request, &result, error);
    if (done && registers_only)
        keep_registers(plan, &list, &sibling, rows, count);
    else if (done)
        keep_all(plan, &result, rows, count);
    free(source);
    gp_backend_free(&list);
    gp_backend_free(&sibling);
    gp_compile_result_free(&result);
    return done;
}

/* A row that does not compile must not take its neighbours with it. */
static void compile_task(void *context, size_t task)
{
    struct plan *plan = context;
    struct profiles *p = plan->profiles;
    size_t first = task * plan->batch, count = plan->count - first < plan->batch ? plan->count - first : plan->batch;
    struct gp_error error = {{0}};
    if (compile_batch(plan, plan->rows + first, count, &error))
        return;
    for (size_t i = first; i < first + count; i++)
        if (count == 1)
            p->errors[plan->rows[i]] = error;
        else
            compile_batch(plan, plan->rows + i, 1, &p->errors[plan->rows[i]]);
}

static unsigned spilled_bytes(const struct gp_profile *profile)
{
    unsigned most = 0;
    for (uint32_t i = 0; i < profile->kernels[0].resource_count; i++)
        most = profile->kernels[0].resources[i].spill_store_bytes > most
                   ? profile->kernels[0].resources[i].spill_store_bytes
                   : most;
    return most;
}

static bool wants_nvcc(const struct profiles *p, const struct gp_profile *profile)
{
    return p->subject->small_body || spilled_bytes(profile) > 0;
}

/* Rows whose code the cache lacks. */
static size_t find_missing(const struct profiles *p, enum profiles_maker maker, size_t *rows)
{
    size_t count = 0;
    for (size_t row = 0; row < p->table->rows; row++)
        if (p->first[row] == row && !in_cache(p, &p->keys[maker], row))
            rows[count++] = row;
    return count;
}

struct place {
    size_t row;
    unsigned outputs;
    uint64_t tile, text; /* equal: but for the block's shape; but for what makes no other code */
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->outputs != y->outputs)
        return x->outputs > y->outputs ? -1 : 1;
    if (x->tile != y->tile)
        return x->tile < y->tile ? -1 : 1;
    if (x->text != y->text)
        return x->text < y->text ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static struct place place_of(const struct profiles *p, size_t row)
{
    return (struct place){row, subject_outputs(p->subject, p->table, row),
                          hash_macros(GP_FNV1A, p, row, subject_tile_macros),
                          hash_macros(GP_FNV1A, p, row, subject_spill_macros)};
}

/* What takes longest first, so that no worker has much left when the others are done; and rows side by side whose code
 * may be alike, for which the backend is asked once a batch. */
static void order_rows(struct plan *plan)
{
    struct place *places = calloc(plan->count + 1, sizeof *places);
    for (size_t i = 0; places != NULL && i < plan->count; i++)
        places[i] = place_of(plan->profiles, plan->rows[i]);
    if (places != NULL)
        qsort(places, plan->count, sizeof *places, by_place);
    for (size_t i = 0; places != NULL && i < plan->count; i++)
        plan->rows[i] = places[i].row;
    free(places);
}

static void compile_rows(struct plan *plan, bool ask_nvcc, int workers)
{
    let_nvcc(plan->profiles, ask_nvcc);
    workers_run(workers, (plan->count + plan->batch - 1) / plan->batch, compile_task, plan);
}

static void compile_missing(struct plan *plan, int workers)
{
    struct profiles *p = plan->profiles;
    plan->maker = OF_PTXAS;
    plan->batch = p->batch;
    plan->count = find_missing(p, OF_PTXAS, plan->rows);
    order_rows(plan);
    compile_rows(plan, p->nvcc == NVCC_ALWAYS, workers);
}

/* ---- Asking NVIDIA's compiler ------------------------------------------------------------------------------------ */

static uint64_t hash_said(const struct profiles *p, size_t row, const struct gp_kernel *kernel)
{
    uint64_t hash = hash_macros(GP_FNV1A, p, row, subject_tile_macros);
    for (uint32_t i = 0; i < kernel->resource_count; i++) {
        const struct gp_resources *r = &kernel->resources[i];
        const uint64_t numbers[] = {r->registers, r->spill_store_bytes, r->spill_load_bytes};
        hash = hash_bytes(hash, numbers, sizeof numbers);
    }
    return hash;
}

static bool describe_candidate(const struct profiles *p, size_t row, struct candidate *candidate)
{
    struct gp_error ignored;
    struct gp_profile *profile = read_from_cache(p, &p->keys[OF_PTXAS], row, &ignored);
    bool asks = profile != NULL && wants_nvcc(p, profile);
    if (asks)
        *candidate = (struct candidate){.row = row,
                                        .text = hash_macros(GP_FNV1A, p, row, subject_spill_macros),
                                        .said = hash_said(p, row, &profile->kernels[0]),
                                        .bytes = spilled_bytes(profile),
                                        .asked = row};
    gp_profile_free(profile);
    return asks;
}

/* The first of those whose text is the same; of first ones, the first of which ptxas said the same. */
static void choose_asked(struct plan *plan)
{
    for (size_t s = 0; s < plan->candidate_count; s++) {
        struct candidate *later = &plan->candidates[s], *first = later;
        for (struct candidate *t = plan->candidates; first == later && t < later; t++)
            if (t->text == later->text)
                first = t;
        for (struct candidate *t = plan->candidates; first == later && t < later; t++)
            if (t->said == later->said)
                first = t;
        later->asked = first->asked;
    }
}

static int most_spilled_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* What spills most takes longest. */
static void list_asked(struct plan *plan)
{
    qsort(plan->candidates, plan->candidate_count, sizeof *plan->candidates, most_spilled_first);
    plan->count = 0;
    for (size_t s = 0; s < plan->candidate_count; s++)
        if (plan->candidates[s].asked == plan->candidates[s].row)
            plan->rows[plan->count++] = plan->candidates[s].row;
}

static void ask_where_wanted(struct plan *plan, int workers)
{
    enum { FEW = 4 }; /* what spills takes NVIDIA's compiler seconds a row: all workers have some at the end */
    struct profiles *p = plan->profiles;
    size_t missing = find_missing(p, OF_NVCC, plan->rows);
    plan->maker = OF_NVCC;
    plan->batch = p->batch < FEW || p->subject->small_body ? p->batch : FEW;
    plan->candidates = malloc((missing + 1) * sizeof *plan->candidates);
    if (plan->candidates == NULL)
        return;
    for (size_t i = 0; i < missing; i++)
        plan->candidate_count += describe_candidate(p, plan->rows[i], &plan->candidates[plan->candidate_count]);
    choose_asked(plan);
    list_asked(plan);
    compile_rows(plan, true, workers);
    free(plan->candidates);
}

size_t profiles_compile(struct profiles *p, int workers)
{
    struct plan plan = {.profiles = p, .rows = malloc((p->table->rows + 1) * sizeof *plan.rows)};
    const char *setting = getenv("GPUPERF_NVCC");
    char *before = setting != NULL ? strdup(setting) : NULL;
    if (plan.rows != NULL) {
        compile_missing(&plan, workers);
        if (p->nvcc == NVCC_WHERE_SPILLED && p->nvcc_path != NULL)
            ask_where_wanted(&plan, workers);
    }
    if (before != NULL)
        setenv("GPUPERF_NVCC", before, 1);
    else
        unsetenv("GPUPERF_NVCC");
    free(before);
    free(plan.rows);
    return plan.made;
}

struct gp_profile *profiles_read(const struct profiles *p, size_t row, struct gp_error *error)
{
    struct gp_profile *profile = read_from_cache(p, &p->keys[OF_PTXAS], row, error);
    const struct gp_error *why = &p->errors[p->first[row]];
    if (profile != NULL && p->nvcc == NVCC_WHERE_SPILLED && p->nvcc_path != NULL && wants_nvcc(p, profile) &&
        in_cache(p, &p->keys[OF_NVCC], row)) {
        gp_profile_free(profile);
        profile = read_from_cache(p, &p->keys[OF_NVCC], row, error);
    }
    if (profile == NULL && why->text[0] != '\0')
        *error = *why;
    return profile;
}
