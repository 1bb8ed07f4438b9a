/*
 * Any valid profile, executed: the executor must stay within its arrays and end, whatever the profile says, even that
 * values are used before they are computed or that post-dominators are wrong. The weights it reports must be numbers.
 * The profiles are golden ones with small changes, since bytes by chance hardly ever make a valid one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor.h"
#include "model/profile/profile_text.h"

struct seen {
    const struct gp_kernel *kernel;
    uint32_t width;
    bool entered;
    uint64_t sum; /* reads all that is reported */
};

static void want(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct seen *seen = context;
    want(block < seen->kernel->block_count && active && !seen->entered, "a visit that is none");
    want(isfinite(weight) && weight >= 0, "a weight that is no number");
    seen->entered = true;
}

static void leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct seen *seen = context;
    want(seen->entered && block < seen->kernel->block_count && active && weight >= 0, "a leave without its enter");
    seen->entered = false;
}

static void access_memory(void *context, const struct gp_access *access)
{
    struct seen *seen = context;
    want(seen->entered && access->memory < seen->kernel->memory_count, "an access to nothing");
    want(access->active && (seen->width == 64 || access->active >> seen->width == 0),
         "an access by lanes that do not exist");
    want(isfinite(access->weight) && access->weight >= 0, "a weight that is no number");
    for (uint32_t lane = 0; lane < seen->width; lane++) {
        seen->sum += access->symbol[lane] + access->offset[lane];
        for (uint32_t i = 0; i < access->coordinates; i++)
            seen->sum += access->coordinate_symbol[i][lane] + access->coordinate[i][lane];
    }
}

static void barrier(void *context, uint32_t inst, gp_mask active, double weight)
{
    struct seen *seen = context;
    want(seen->entered && inst < seen->kernel->inst_count && active && weight >= 0, "a barrier that is none");
}

static void diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    struct seen *seen = context;
    want(seen->entered && branch < seen->kernel->branch_count && taken && not_taken && weight >= 0,
         "a divergence that is none");
}

static void skip(void *context, uint32_t loop, uint64_t left_out)
{
    struct seen *seen = context;
    want(!seen->entered && loop < seen->kernel->loop_count && left_out > 0, "a jump in no loop");
}

static void execute(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t width, bool exhaustive)
{
    struct gp_executor *executor = gp_executor_new(kernel);
    struct gp_sample *samples;
    want(executor != NULL, "no executor");
    size_t count = gp_sample_launch(launch, width, 2, 2, &samples);
    for (size_t k = 0; k < count; k++) {
        struct seen seen = {kernel, width, false, 0};
        struct gp_observer observer = {&seen, enter, access_memory, barrier, leave, diverge, skip};
        struct gp_exec_options options = {.warp_width = width, .exhaustive = exhaustive, .max_block_visits = 500};
        struct gp_exec_result result;
        struct gp_error error;
        if (gp_execute_warp(executor, launch, samples[k].group, samples[k].warp, &options, &observer, &result, &error))
            want(isfinite(result.instructions) && result.instructions >= result.guessed_instructions * (1 - 1e-9),
                 "sums that are none");
    }
    free(samples);
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        uint64_t trips;
        (void)gp_loop_trip_count(executor, launch, loop, &trips);
    }
    gp_executor_free(executor);
}

/* ---- Edits: small changes to a good profile, many of which leave it valid -------------------------------------- */

struct edits {
    const uint8_t *bytes;
    size_t size;
};

static uint32_t take(struct edits *edits, uint32_t below)
{
    uint32_t number = 0;
    for (int i = 0; i < 3 && edits->size; i++, edits->size--)
        number = number << 8 | *edits->bytes++;
    return below ? number % below : 0;
}

static gp_ref some_ref(const struct gp_kernel *kernel, enum gp_ref_kind kind, struct edits *edits)
{
    const uint32_t counts[] = {1, kernel->inst_count, kernel->constant_count, kernel->param_count, kernel->local_count,
                               kernel->global_count, kernel->private_count, kernel->block_count};
    return counts[kind] ? gp_ref_make(kind, take(edits, counts[kind])) : 0;
}

static void edit_operand(struct gp_kernel *kernel, struct edits *edits)
{
    gp_ref *ref = &kernel->operands[take(edits, kernel->operand_count)];
    enum gp_ref_kind kind = gp_ref_kind(*ref);
    if (kind != GP_REF_BLOCK && take(edits, 2))
        kind = (enum gp_ref_kind)(GP_REF_INST + take(edits, GP_REF_PRIVATE));
    *ref = some_ref(kernel, kind, edits);
}

static void edit_operation(struct gp_kernel *kernel, struct edits *edits)
{
    static const uint8_t others[] = {GP_OP_ADD,  GP_OP_SUB,    GP_OP_MUL,  GP_OP_UDIV, GP_OP_SREM, GP_OP_AND,
                                     GP_OP_OR,   GP_OP_XOR,    GP_OP_SHL,  GP_OP_LSHR, GP_OP_ASHR, GP_OP_UMIN,
                                     GP_OP_SMAX, GP_OP_UMULHI, GP_OP_FADD, GP_OP_FMIN};
    struct gp_inst *inst = &kernel->insts[take(edits, kernel->inst_count)];
    if (inst->op == GP_OP_ICMP)
        inst->sub = (uint8_t)take(edits, GP_PRED_SGE + 1);
    else if (gp_op_operands(inst->op) == 2 && inst->width == 0 && inst->bits)
        inst->op = others[take(edits, sizeof others)];
    else
        inst->flags ^= GP_INST_UNIFORM;
}

static void edit_loop(struct gp_kernel *kernel, struct edits *edits)
{
    struct gp_loop *loop = &kernel->loops[take(edits, kernel->loop_count)];
    gp_ref value = some_ref(kernel, take(edits, 2) ? GP_REF_INST : GP_REF_CONST, edits);
    if (take(edits, 3) == 0)
        loop->bound = (uint8_t)take(edits, GP_BOUND_COUNT);
    else if (kernel->induction_count && take(edits, 2))
        kernel->inductions[take(edits, kernel->induction_count)].step = value;
    else
        loop->trip_count = value;
}

static void edit(struct gp_kernel *kernel, struct edits *edits)
{
    uint32_t block = 0;
    switch (take(edits, 8)) {
    case 0: case 1: case 2:
        if (kernel->operand_count)
            edit_operand(kernel, edits);
        break;
    case 3:
        block = take(edits, kernel->block_count);
        kernel->blocks[block].ipdom = take(edits, 4) ? take(edits, kernel->block_count) : GP_NONE;
        break;
    case 4:
        if (kernel->constant_count)
            kernel->constants[take(edits, kernel->constant_count)] =
                take(edits, 3) ? take(edits, 100) : UINT64_MAX / 3 * take(edits, 1000);
        break;
    case 5: edit_operation(kernel, edits); break;
    case 6:
        if (kernel->loop_count)
            edit_loop(kernel, edits);
        break;
    default:
        if (kernel->branch_count)
            kernel->branches[take(edits, kernel->branch_count)].kind = (uint8_t)take(edits, GP_BRANCH_KIND_COUNT);
        break;
    }
}

static void use(const struct gp_kernel *kernel, uint32_t choice)
{
    static const uint32_t widths[] = {32, 64, 1, 7};
    struct gp_launch *launch = calloc(1, sizeof *launch);
    if (launch && kernel->inst_count <= 5000 && kernel->loop_count <= 200) {
        gp_launch_default(kernel, launch);
        execute(kernel, launch, widths[choice % 4], false);
        launch->dims = 2;
        for (int d = 0; d < 3; d++) {
            launch->global[d] = d < 2 ? 37 : 1;
            launch->local[d] = d == 0 ? 10 : d == 1 ? 3 : 1;
        }
        for (uint32_t k = 0; k < kernel->param_count; k++)
            launch->arguments[k].known = k % 2;
        launch->assumed_trip_count = 3;
        execute(kernel, launch, widths[choice / 4 % 4], true);
    }
    free(launch);
}

static char *golden[] = {TEST_DATA "/profiles/matrix_multiply.gptext", TEST_DATA "/profiles/data_loop.gptext",
                         TEST_DATA "/profiles/divergent_branch.gptext", TEST_DATA "/profiles/transpose_tiled.gptext",
                         TEST_DATA "/profiles/every_field.gptext", TEST_DATA "/profiles/loop_nest.gptext"};
enum { GOLDEN_COUNT = sizeof golden / sizeof *golden };
static size_t golden_size[GOLDEN_COUNT];

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    for (int i = 0; i < GOLDEN_COUNT; i++) {
        char *text = gp_read_file(golden[i], &golden_size[i]);
        want(text != NULL, golden[i]);
        golden[i] = text;
    }
    return 0;
}

/* A profile as text; or a byte that chooses a golden profile, then edits. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gp_error error = {""};
    bool is_text = size > 8 && memcmp(bytes, "gpuperf-", 8) == 0;
    if (size == 0)
        return 0;
    uint32_t choice = bytes[0] % GOLDEN_COUNT;
    struct gp_profile *profile = is_text ? gp_profile_parse((const char *)bytes, size, &error)
                                         : gp_profile_parse(golden[choice], golden_size[choice], &error);
    if (profile == NULL || profile->kernel_count == 0) {
        want(is_text, error.text);
        gp_profile_free(profile);
        return 0;
    }
    struct edits edits = {bytes + 1, size - 1};
    for (int i = 0; !is_text && edits.size && i < 16; i++)
        edit(&profile->kernels[0], &edits);
    if (is_text || gp_profile_check(profile, &error))
        use(&profile->kernels[0], bytes[0] / GOLDEN_COUNT);
    gp_profile_free(profile);
    return 0;
}
