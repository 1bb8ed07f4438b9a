/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * choices [-v] [-p] [-r ROUNDS] [-o DIR] [-d DEVICE] [KERNEL...]
 *
 * Launches the kernels of kernels.cl on this machine's first OpenCL CPU device in every candidate local size and in the
 * driver's own, and compares: what the driver's choice takes over the best size (its regret), what gpuperf's first
 * choice takes, what the layer's takes, which stays with the driver's where too little is to be gained; how well the
 * predictions order the sizes (Spearman), and the predicted over the measured time of the driver's. Times are the
 * smallest of ROUNDS (default 5) rounds over all sizes, each the mean of some launches, so that other work on the
 * machine hurts none more than others. -v prints every size, -p the predictions without launching anything. -o writes a
 * file DIR/KERNEL__pocl.csv for each, with a row for each size. -d takes that device's numbers as they are (an entry
 * that `gpuperf calibrate` wrote, where GPUPERF_HWDB names its folder); else those of pocl-cpu with what the driver
 * says.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/rank_correlation.h"
#include "compile/compile.h"
#include "model/predict/calibration.h"
#include "runtime/choose.h"
#include "runtime/decision.h"
#include "runtime/driver_rule.h"
#include "support/text.h"
#include "support/words.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "support/random.h"

enum { MAX_ARGUMENTS = 6, MAX_SIZES = GP_MAX_CANDIDATES + 1, EDGE = 2048 };

enum kind { NOTHING, FLOATS, INDICES, INTEGER, IMAGE };

struct argument {
    enum kind kind;
    size_t count; /* FLOATS, INDICES: elements. IMAGE: width = height */
    int value;    /* INTEGER; INDICES: all are below; IMAGE: 0 read, 1 written */
    const char *name;
};

struct kernel {
    const char *name;
    uint32_t dims;
    uint64_t global[3];
    struct argument arguments[MAX_ARGUMENTS];
};

#define ALL ((size_t)EDGE * EDGE)
#define IN \
    { \
        FLOATS, ALL, 0, NULL \
    }
#define OUT \
    { \
        FLOATS, ALL, 0, NULL \
    }
#define NUMBER(name, value) \
    { \
        INTEGER, 0, value, name \
    }
#define PLANE \
    { \
        EDGE, EDGE, 1 \
    }

static const struct kernel kernels[] = {
    {"add", 1, {4 * ALL, 1, 1}, {{FLOATS, 4 * ALL, 0, NULL}, {FLOATS, 4 * ALL, 0, NULL}, {FLOATS, 4 * ALL, 0, NULL}}},
    {"scale_guarded", 1, {ALL, 1, 1}, {IN, OUT, NUMBER("n", ALL - 5)}},
    {"transpose_write", 2, PLANE, {IN, OUT, NUMBER("width", EDGE), NUMBER("height", EDGE)}},
    {"transpose_read", 2, PLANE, {IN, OUT, NUMBER("width", EDGE), NUMBER("height", EDGE)}},
    {"copy_columns", 2, PLANE, {IN, OUT, NUMBER("width", EDGE)}},
    {"stencil", 2, PLANE, {IN, OUT, NUMBER("width", EDGE), NUMBER("height", EDGE)}},
    {"blur", 2, {1024, 1024, 1}, {IN, OUT, NUMBER("width", 1024), NUMBER("height", 1024), NUMBER("radius", 3)}},
    {"blur_down", 2, {1024, 1024, 1}, {IN, OUT, NUMBER("width", 1024), NUMBER("height", 1024), NUMBER("radius", 16)}},
    {"matmul", 2, {384, 384, 1}, {IN, IN, OUT, NUMBER("n", 384)}},
    {"matmul_swapped", 2, {384, 384, 1}, {IN, IN, OUT, NUMBER("n", 384)}},
    {"mandelbrot", 2, {1024, 768, 1}, {OUT, NUMBER("width", 1024), NUMBER("height", 768)}},
    {"nbody", 1, {4096, 1, 1}, {IN, OUT, NUMBER("n", 4096)}},
    {"blackscholes", 1, {ALL / 4, 1, 1}, {IN, IN, OUT}},
    {"gather", 1, {ALL, 1, 1}, {IN, {INDICES, ALL, ALL, NULL}, OUT}},
    {"strided", 1, {ALL / 16, 1, 1}, {IN, OUT, NUMBER("stride", 16)}},
    {"particles", 1, {ALL / 8, 1, 1}, {IN, {INTEGER, 0, 0, "step"}}},
    {"histogram", 1, {ALL / 4, 1, 1}, {IN, OUT}},
    {"spmv",
     1,
     {ALL / 32, 1, 1},
     {{INDICES, ALL, ALL / 32, NULL}, IN, {FLOATS, ALL / 32, 0, NULL}, OUT, NUMBER("per_row", 16)}},
    {"stencil3d", 3, {128, 128, 128}, {IN, OUT, NUMBER("width", 128), NUMBER("height", 128), NUMBER("depth", 128)}},
    {"row_sums", 1, {EDGE, 1, 1}, {IN, OUT, NUMBER("width", EDGE)}},
    {"column_sums", 1, {EDGE, 1, 1}, {IN, OUT, NUMBER("width", EDGE), NUMBER("height", EDGE)}},
    {"hash", 1, {ALL / 4, 1, 1}, {IN, OUT}},
    {"grey", 2, PLANE, {IN, OUT, NUMBER("width", EDGE)}},
    {"sum_over_depth", 2, {512, 512, 1}, {IN, OUT, NUMBER("width", 512), NUMBER("height", 512), NUMBER("depth", 16)}},
    {"planes", 2, {1024, 1024, 1}, {IN, OUT, NUMBER("width", 1024), NUMBER("height", 1024)}},
    {"rotate_quarter", 2, {1920, 1080, 1}, {IN, OUT, NUMBER("width", 1920), NUMBER("height", 1080)}},
    {"permute", 3, {128, 128, 128}, {IN, OUT, NUMBER("width", 128), NUMBER("height", 128), NUMBER("depth", 128)}},
    {"life", 2, PLANE, {IN, OUT, NUMBER("width", EDGE), NUMBER("height", EDGE)}},
    {"jacobi_deep", 3, {128, 128, 128}, {IN, OUT, NUMBER("width", 128), NUMBER("height", 128), NUMBER("depth", 128)}},
    {"matvec", 1, {EDGE, 1, 1}, {IN, IN, OUT, NUMBER("n", EDGE)}},
    {"outer", 2, PLANE, {IN, IN, OUT, NUMBER("n", EDGE)}},
    {"shrink", 2, {512, 512, 1}, {IN, OUT, NUMBER("width", 512)}},
    {"complex_columns", 2, {1000, 1500, 1}, {IN, OUT, NUMBER("rows", 1000), NUMBER("columns", 1500)}},
    {"distances", 2, {1024, 1024, 1}, {IN, OUT, NUMBER("n", 1024), NUMBER("dims", 16)}},
    {"unpack_columns", 2, {512, 768, 1}, {IN, OUT, NUMBER("width", 512), NUMBER("height", 768)}},
    {"average_planes", 1, {ALL / 16, 1, 1}, {IN, OUT, NUMBER("count", 16), NUMBER("plane", ALL / 16)}},
    {"average", 2, {640, 360, 1}, {{IMAGE, 640, 0, NULL}, {IMAGE, 640, 1, NULL}, NUMBER("radius", 4)}},
};

struct machine {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    struct gp_driver_limits limits;
    struct gp_device *model;
    struct gp_profile *profile;
    bool foreign;
};

/* A local size with its times, ns. */
struct size {
    uint32_t local[3];
    double predicted, known_share, measured;
    struct gp_circumstances circumstances;
};

static void stop(const char *what, long code)
{
    fprintf(stderr, "choices: %s (%ld)\n", what, code);
    exit(1);
}

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS)
        stop(what, status);
}

/* ---- The machine ------------------------------------------------------------------------------------------------ */

static void find_device(struct machine *m)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    check(clGetPlatformIDs(8, platforms, &count), "there is no OpenCL platform");
    for (cl_uint i = 0; i < count && m->id == NULL; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &m->id, NULL) != CL_SUCCESS)
            m->id = NULL;
    if (m->id == NULL)
        stop("there is no OpenCL CPU device", 0);
}

/* As the layer does: cores and clock are the machine's. */
static void ask_limits(struct machine *m, bool at_hand)
{
    size_t sizes[3] = {0}, group = 0, multiple = 1;
    cl_uint units = 0, clock = 0;
    cl_ulong cache = 0;
    check(clGetDeviceInfo(m->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL), "asking the device");
    check(clGetDeviceInfo(m->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL), "asking the device");
    clGetDeviceInfo(m->id, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple, NULL);
    check(clGetDeviceInfo(m->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "asking the device");
    check(clGetDeviceInfo(m->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof clock, &clock, NULL), "asking the device");
    check(clGetDeviceInfo(m->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, NULL), "asking the device");
    for (int d = 0; d < 3; d++)
        m->limits.max_sizes[d] = sizes[d];
    m->limits.max_group = group;
    m->limits.preferred_multiple = multiple;
    m->limits.compute_units = units;
    if (at_hand)
        gp_device_at_hand(m->model, units, clock, (double)cache, "the OpenCL driver");
}

static void open_machine(struct machine *m, const char *device)
{
    struct gp_error error = {{0}};
    struct gp_compile_result compiled = {0};
    size_t size = 0;
    cl_int status;
    char *text = gp_read_file(BENCH_DIR "/cpu/kernels.cl", &size);
    *m = (struct machine){0};
    find_device(m);
    m->model = gp_device_load(device != NULL ? device : "pocl-cpu", getenv("GPUPERF_HWDB"), &error);
    if (text == NULL || m->model == NULL)
        stop(text == NULL ? BENCH_DIR "/cpu/kernels.cl cannot be read" : error.text, 0);
    ask_limits(m, device == NULL);
    struct gp_compile_request request = {.source_path = "kernels.cl",
                                         .source_text = text,
                                         .language = "opencl",
                                         .device = m->model,
                                         .for_llvm_compile = true};
    if (!gp_compile(&request, &compiled, &error))
        stop(error.text, 0);
    m->profile = compiled.profile;
    m->foreign = compiled.foreign_target;
    m->context = clCreateContext(NULL, 1, &m->id, NULL, NULL, &status);
    check(status, "making a context");
    m->queue = clCreateCommandQueue(m->context, m->id, 0, &status);
    check(status, "making a queue");
    m->program = clCreateProgramWithSource(m->context, 1, (const char **)&text, &size, &status);
    check(status, "making the program");
    check(clBuildProgram(m->program, 1, &m->id, "", NULL, NULL), "building the program");
    free(text);
}

/* ---- Arguments -------------------------------------------------------------------------------------------------- */

static cl_mem make_buffer(const struct machine *m, const struct argument *argument)
{
    cl_int status;
    uint64_t state = 1;
    union {
        float f;
        int i;
    } *data = malloc(argument->count * sizeof *data);
    for (size_t i = 0; data != NULL && i < argument->count; i++) {
        gp_next_random(&state);
        if (argument->kind == INDICES)
            data[i].i = (int)((state >> 33) % (uint64_t)argument->value);
        else
            data[i].f = (float)(state >> 40) / 16777216.0f;
    }
    cl_mem memory = clCreateBuffer(m->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, argument->count * sizeof *data,
                                   data, &status);
    check(status, "making a buffer");
    free(data);
    return memory;
}

static cl_mem make_image(const struct machine *m, const struct argument *argument)
{
    cl_int status;
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = argument->count, .image_height = argument->count};
    cl_mem memory = clCreateImage(m->context, argument->value ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY, &format, &desc,
                                  NULL, &status);
    check(status, "making an image");
    return memory;
}

static cl_kernel make_kernel(const struct machine *m, const struct kernel *what, cl_mem memory[MAX_ARGUMENTS])
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(m->program, what->name, &status);
    check(status, what->name);
    for (cl_uint i = 0; i < MAX_ARGUMENTS && what->arguments[i].kind != NOTHING; i++) {
        const struct argument *argument = &what->arguments[i];
        memory[i] = argument->kind == INTEGER ? NULL
                    : argument->kind == IMAGE ? make_image(m, argument)
                                              : make_buffer(m, argument);
        check(memory[i] != NULL ? clSetKernelArg(kernel, i, sizeof memory[i], &memory[i])
                                : clSetKernelArg(kernel, i, sizeof argument->value, &argument->value),
              what->name);
    }
    return kernel;
}

/* ---- Predicting and measuring ----------------------------------------------------------------------------------- */

/* All sizes of the launch with their predictions, best first; the driver's is among them. */
static size_t predict(const struct machine *m, const struct kernel *what, const uint32_t drivers[3],
                      struct size sizes[MAX_SIZES])
{
    struct gp_error error = {{0}};
    struct gp_ranking ranking;
    struct gp_launch *launch = malloc(sizeof *launch);
    const struct gp_kernel *kernel = gp_profile_find(m->profile, what->name);
    if (launch == NULL || kernel == NULL)
        stop(what->name, 0);
    gp_launch_default(kernel, launch);
    gp_launch_set_global(kernel, launch, what->dims, what->global);
    launch->cold = false; /* each is measured many times */
    for (int i = 0; i < MAX_ARGUMENTS && what->arguments[i].kind != NOTHING; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", what->arguments[i].value);
        if (what->arguments[i].kind == INTEGER &&
            !gp_launch_set_argument(kernel, launch, what->arguments[i].name, number, &error))
            stop(error.text, 0);
        if (what->arguments[i].kind == FLOATS || what->arguments[i].kind == INDICES)
            launch->arguments[i].bytes = what->arguments[i].count * sizeof(float);
    }
    struct gp_choose_request request = {.profile = m->profile,
                                        .kernel = kernel,
                                        .device = m->model,
                                        .launch = launch,
                                        .uniform = true,
                                        .max_group = (uint32_t)m->limits.max_group,
                                        .foreign_target = m->foreign};
    memcpy(request.also, drivers, sizeof request.also);
    if (!gp_choose(&request, &ranking, &error))
        stop(error.text, 0);
    size_t count = ranking.count;
    for (size_t i = 0; i < count; i++) {
        sizes[i] = (struct size){.predicted = ranking.predictions[i].time_ns,
                                 .known_share = ranking.predictions[i].known_share,
                                 .circumstances = ranking.predictions[i].basis.circumstances,
                                 .measured = INFINITY};
        memcpy(sizes[i].local, ranking.predictions[i].local, sizeof sizes[i].local);
    }
    gp_ranking_free(&ranking);
    free(launch);
    return count;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_launches(const struct machine *m, const struct kernel *what, cl_kernel kernel,
                            const struct size *size, int launches)
{
    size_t global[3], local[3];
    for (uint32_t d = 0; d < 3; d++)
        global[d] = what->global[d], local[d] = size->local[d];
    double begin = now();
    for (int i = 0; i < launches; i++) {
        check(clEnqueueNDRangeKernel(m->queue, kernel, what->dims, NULL, global, local, 0, NULL, NULL), "launching");
        check(clFinish(m->queue), "finishing");
    }
    return (now() - begin) / launches;
}

static void measure(const struct machine *m, const struct kernel *what, struct size *sizes, size_t count, int rounds)
{
    const double enough = 4e6;
    cl_mem memory[MAX_ARGUMENTS] = {0};
    cl_kernel kernel = make_kernel(m, what, memory);
    for (int round = -1; round < rounds; round++) /* the first builds the kernel for each size */
        for (size_t i = 0; i < count; i++) {
            double once = time_launches(m, what, kernel, &sizes[i], 1);
            if (round >= 0 && once < enough)
                once = fmin(once, time_launches(m, what, kernel, &sizes[i], (int)fmin(50, 1 + enough / once)));
            if (round >= 0)
                sizes[i].measured = fmin(sizes[i].measured, once);
        }
    clReleaseKernel(kernel);
    for (int i = 0; i < MAX_ARGUMENTS; i++)
        if (memory[i] != NULL)
            clReleaseMemObject(memory[i]);
}

/* ---- Reporting -------------------------------------------------------------------------------------------------- */

static double spearman(const struct size *sizes, size_t count)
{
    double predicted[MAX_SIZES], measured[MAX_SIZES];
    for (size_t i = 0; i < count; i++)
        predicted[i] = sizes[i].predicted, measured[i] = sizes[i].measured;
    return gp_rank_correlation(predicted, measured, count);
}

/* Regrets of the driver's size, of the first predicted and of what the layer takes where building costs nothing; and by
 * what factor the predicted time of the driver's is off. */
struct outcome {
    double driver, first, layer, off;
};

static struct outcome report(const struct kernel *what, const struct size *sizes, size_t count,
                             const uint32_t drivers[3], const struct gp_device *model, bool every)
{
    const struct size *best = &sizes[0], *own = &sizes[0];
    for (size_t i = 0; i < count; i++) {
        best = sizes[i].measured < best->measured ? &sizes[i] : best;
        own = memcmp(sizes[i].local, drivers, sizeof sizes[i].local) == 0 ? &sizes[i] : own;
    }
    const struct size *layer =
        gp_is_worth_leaving(model, own->predicted, sizes[0].predicted, sizes[0].known_share) ? &sizes[0] : own;
    struct outcome o = {own->measured / best->measured, sizes[0].measured / best->measured,
                        layer->measured / best->measured, exp(fabs(log(own->predicted / own->measured)))};
    char shapes[3][40];
    const struct size *of[3] = {best, own, &sizes[0]};
    for (int i = 0; i < 3; i++)
        snprintf(shapes[i], sizeof shapes[i], "%ux%ux%u", of[i]->local[0], of[i]->local[1], of[i]->local[2]);
    printf("%-16s %-11s %8.3f ms  %-11s %5.2f  %-11s %5.2f  %5.2f  %6.2f  %6.2f\n", what->name, shapes[0],
           best->measured * 1e-6, shapes[1], o.driver, shapes[2], o.first, o.layer, spearman(sizes, count),
           own->predicted / own->measured);
    for (size_t i = 0; every && i < count; i++)
        printf("    %4ux%-4ux%-4u measured %9.4f  predicted %9.4f  %.2f\n", sizes[i].local[0], sizes[i].local[1],
               sizes[i].local[2], sizes[i].measured * 1e-6, sizes[i].predicted * 1e-6, sizes[i].known_share);
    fflush(stdout);
    return o;
}

/* For bench/calibrate_confidence.sh. */
static void write_rows(const char *directory, const struct kernel *what, const struct size *sizes, size_t count)
{
    char path[512], circumstances[GP_CELL_TEXT];
    snprintf(path, sizeof path, "%s/%s__pocl.csv", directory, what->name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        stop(path, 0);
    fprintf(out, "block_size_x,block_size_y,block_size_z,time_ms,predicted_ms,known_share,circumstances\n");
    for (size_t i = 0; i < count; i++) {
        gp_circumstances_path(&sizes[i].circumstances, circumstances);
        fprintf(out, "%u,%u,%u,%.6g,%.6g,%.2f,%s\n", sizes[i].local[0], sizes[i].local[1], sizes[i].local[2],
                sizes[i].measured * 1e-6, sizes[i].predicted * 1e-6, sizes[i].known_share, circumstances);
    }
    if (fclose(out) != 0)
        stop(path, 0);
}

int main(int argc, char **argv)
{
    struct machine machine;
    struct outcome sum = {0};
    bool every = false, only = false;
    const char *rows = NULL, *device = NULL;
    int rounds = 5, done = 0;
    for (int option; (option = getopt(argc, argv, "vpr:o:d:")) != -1;) {
        every |= option == 'v';
        only |= option == 'p';
        rows = option == 'o' ? optarg : rows;
        device = option == 'd' ? optarg : device;
        rounds = option == 'r' ? atoi(optarg) : rounds;
        if (option == '?' || rounds < 1)
            return fprintf(stderr, "usage: choices [-v] [-p] [-r ROUNDS] [-o DIR] [-d DEVICE] [KERNEL...]\n"), 2;
    }
    open_machine(&machine, device);
    if (!only)
        printf("%-16s %-11s %11s  %-11s %5s  %-11s %5s  %5s  %6s  %6s\n", "kernel", "best", "", "driver's", "", "first",
               "", "layer", "order", "time");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct size sizes[MAX_SIZES];
        uint32_t drivers[3];
        if (!gp_is_asked_for(kernels[k].name, argv + optind))
            continue;
        gp_pocl_local_size(&machine.limits, kernels[k].global, drivers);
        size_t count = predict(&machine, &kernels[k], drivers, sizes);
        for (size_t i = 0; only && i < count; i++)
            printf("%s %ux%ux%u %.6g\n", kernels[k].name, sizes[i].local[0], sizes[i].local[1], sizes[i].local[2],
                   sizes[i].predicted * 1e-6);
        if (only)
            continue;
        measure(&machine, &kernels[k], sizes, count, rounds);
        if (rows != NULL)
            write_rows(rows, &kernels[k], sizes, count);
        struct outcome o = report(&kernels[k], sizes, count, drivers, machine.model, every);
        sum.driver += log(o.driver), sum.first += log(o.first), sum.layer += log(o.layer), sum.off += log(o.off);
        done++;
    }
    if (done > 0)
        printf(
            "geometric mean of %d regrets: driver's %.3f, first %.3f, layer's %.3f; predicted times are off by %.2fx\n",
            done, exp(sum.driver / done), exp(sum.first / done), exp(sum.layer / done), exp(sum.off / done));
    gp_profile_free(machine.profile);
    gp_device_free(machine.model);
    clReleaseProgram(machine.program);
    clReleaseCommandQueue(machine.queue);
    clReleaseContext(machine.context);
    return 0;
}
