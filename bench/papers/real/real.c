/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * real [-o DIR] [-r ROUNDS] [-d DEVICE] rodinia|lane [KERNEL...]
 *
 * Runs a paper's kernels on the first OpenCL device over a design space, 30 points of each or as many as the paper has,
 * and predicts each: the mean of |predicted - measured| / measured beside the paper's, by what factor predictions are
 * off in the geometric mean and the mean error without it, how well they order the space (Spearman), and what the local
 * size that is predicted best for an input takes over the best one. Times are the shortest of ROUNDS (default 5); on a
 * CPU processor time over its cores, in which other programs do not count. -o writes DIR/KERNEL.csv.
 * -d predicts for that device, as it is.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/real/point.h"
#include "bench/papers/subject.h"
#include "compile/compile.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "support/rank_correlation.h"
#include "support/text.h"
#include "support/words.h"
#include "support/random.h"

enum { MOST_POINTS = 128 };

struct machine {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_uint units;
    size_t most_local;
    bool is_cpu;
    struct gp_device *model;
    const char *rows;
    int rounds;
};

static void stop(const char *what, int code)
{
    fprintf(stderr, code != 0 ? "real: %s: OpenCL error %d\n" : "real: %s\n", what, code);
    exit(2);
}

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        stop(what, code);
}

static void open_machine(struct machine *m, const char *device)
{
    struct gp_error error = {{0}};
    cl_platform_id platform;
    cl_device_type type = 0;
    cl_uint clock = 0;
    cl_ulong cache = 0;
    cl_int code;
    char name[256] = "";
    check(clGetPlatformIDs(1, &platform, NULL), "there is no OpenCL platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &m->id, NULL), "there is no OpenCL device");
    clGetDeviceInfo(m->id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    clGetDeviceInfo(m->id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(m->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof m->units, &m->units, NULL);
    clGetDeviceInfo(m->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof clock, &clock, NULL);
    clGetDeviceInfo(m->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, NULL);
    clGetDeviceInfo(m->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof m->most_local, &m->most_local, NULL);
    m->is_cpu = type & CL_DEVICE_TYPE_CPU;
    m->model = device != NULL ? gp_device_load(device, getenv("GPUPERF_HWDB"), &error)
               : m->is_cpu    ? gp_device_load("pocl-cpu", getenv("GPUPERF_HWDB"), &error)
                              : gp_device_match(name, getenv("GPUPERF_HWDB"), &error);
    if (m->model == NULL)
        stop(error.text[0] != '\0' ? error.text : "the database has no such device", 0);
    if (device == NULL)
        gp_device_at_hand(m->model, m->units, clock, (double)cache, "the OpenCL driver");
    m->context = clCreateContext(NULL, 1, &m->id, NULL, NULL, &code);
    check(code, "making a context");
    m->queue = clCreateCommandQueue(m->context, m->id, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "making a queue");
    printf("%s, %u units, predicted as %s\n", name, m->units, m->model->name);
}

/* ---- Data -------------------------------------------------------------------------------------------------------- */

struct knode {
    int location, indices[257], keys[257];
    bool is_leaf;
    int num_keys;
};

static size_t bytes_of(const struct value *v)
{
    static const size_t each[] = {[FLOATS] = 4, [SORTED] = 4, [ROAD] = 4,  [INTS] = 4,
                                  [STEPS] = 8,  [LONGS] = 8,  [BYTES] = 1, [NODES] = sizeof(struct knode)};
    return (size_t)v->count * each[v->kind] + 64;
}

static double chance(uint64_t *state) { return (double)(gp_next_random(state) >> 40) / 16777216; }

static void fill_nodes(struct knode *nodes, size_t count, double below, uint64_t *state)
{
    for (size_t n = 0; n < count; n++)
        for (int k = 0; k < 257; k++) {
            nodes[n].keys[k] = k;
            nodes[n].indices[k] = (int)(below * chance(state));
        }
}

/* Two markings that meet far away. */
static float road(size_t pixel, uint64_t *state)
{
    double x = (double)(pixel % 512), y = (double)(pixel / 512), grey = 0.3 + 0.1 * chance(state);
    bool marked = fabs(x - (220 - 1.5 * y)) < 3 || fabs(x - (290 + 1.5 * y)) < 3;
    return (float)(marked ? 0.9 : grey);
}

static void fill(void *data, const struct value *v)
{
    uint64_t state = 1;
    size_t count = (size_t)v->count;
    memset(data, v->kind == BYTES ? (int)v->value : 0, bytes_of(v));
    if (v->kind == NODES)
        fill_nodes(data, count, v->value, &state);
    for (size_t i = 0; i < count; i++) {
        switch (v->kind) {
        case FLOATS: ((float *)data)[i] = (float)chance(&state); break;
        case SORTED: ((float *)data)[i] = (float)(i + 1) / (float)count; break;
        case ROAD: ((float *)data)[i] = road(i, &state); break;
        case INTS: ((int *)data)[i] = (int)(v->value * chance(&state)); break;
        case STEPS:
            ((int *)data)[2 * i] = (int)(v->value * (double)i);
            ((int *)data)[2 * i + 1] = (int)v->value;
            break;
        default: return;
        }
    }
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

struct running {
    cl_kernel kernel;
    cl_mem memory[MOST_VALUES];
    void *anew[MOST_VALUES]; /* what is written before each launch; NULL: nothing */
};

static void set_buffer(const struct machine *m, const struct value *v, cl_uint number, struct running *r)
{
    cl_int code;
    void *data = malloc(bytes_of(v));
    if (data == NULL)
        stop("out of memory", 0);
    fill(data, v);
    r->memory[number] = clCreateBuffer(m->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes_of(v), data, &code);
    check(code, "making a buffer");
    check(clSetKernelArg(r->kernel, number, sizeof(cl_mem), &r->memory[number]), "a buffer");
    if (v->anew)
        r->anew[number] = data;
    else
        free(data);
}

static void set_value(const struct machine *m, const struct value *v, cl_uint number, struct running *r)
{
    int32_t whole = (int32_t)v->value;
    int64_t wide = (int64_t)v->value;
    char byte = (char)v->value;
    float real = (float)v->value;
    switch (v->kind) {
    case INT: check(clSetKernelArg(r->kernel, number, sizeof whole, &whole), v->name); break;
    case LONG: check(clSetKernelArg(r->kernel, number, sizeof wide, &wide), v->name); break;
    case CHAR: check(clSetKernelArg(r->kernel, number, sizeof byte, &byte), "a byte"); break;
    case FLOAT: check(clSetKernelArg(r->kernel, number, sizeof real, &real), "a float"); break;
    case LOCAL: check(clSetKernelArg(r->kernel, number, (size_t)v->count, NULL), v->name); break;
    default: set_buffer(m, v, number, r); break;
    }
}

static double time_once(const struct machine *m, const struct point *p, const struct running *r)
{
    size_t global[2] = {p->global[0], p->global[1]}, local[2] = {p->local[0], p->local[1]};
    cl_event event;
    cl_ulong begin = 0, end = 0;
    for (size_t i = 0; i < p->count; i++)
        if (r->anew[i] != NULL)
            check(clEnqueueWriteBuffer(m->queue, r->memory[i], CL_TRUE, 0, bytes_of(&p->values[i]), r->anew[i], 0, NULL,
                                       NULL),
                  "writing");
    double processor = processor_seconds();
    check(clEnqueueNDRangeKernel(m->queue, r->kernel, 2, NULL, global, local, 0, NULL, &event), "launching");
    check(clFinish(m->queue), "finishing");
    processor = (processor_seconds() - processor) * 1e9 / m->units;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    return m->is_cpu ? processor : (double)(end - begin);
}

static double measure(const struct machine *m, cl_program program, const char *name, const struct point *p)
{
    struct running r = {0};
    cl_int code;
    double best = INFINITY;
    r.kernel = clCreateKernel(program, name, &code);
    check(code, name);
    for (cl_uint i = 0; i < p->count; i++)
        set_value(m, &p->values[i], i, &r);
    for (int round = -1; round < m->rounds; round++) { /* the first builds the kernel for this size */
        double once = time_once(m, p, &r);
        best = round >= 0 ? fmin(best, once) : best;
    }
    for (size_t i = 0; i < p->count; i++) {
        if (r.memory[i] != NULL)
            clReleaseMemObject(r.memory[i]);
        free(r.anew[i]);
    }
    clReleaseKernel(r.kernel);
    return best;
}

/* ---- Predicting -------------------------------------------------------------------------------------------------- */

/* NAN: it cannot be. */
static double predict(const struct machine *m, const struct gp_profile *profile, const struct gp_kernel *kernel,
                      const struct point *p)
{
    static struct gp_launch launch;
    static struct gp_prediction prediction;
    struct gp_error error = {{0}};
    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "global=%llux%llu:local=%ux%u", (unsigned long long)p->global[0],
                                   (unsigned long long)p->global[1], p->local[0], p->local[1]);
    for (size_t i = 0; i < p->count; i++)
        if (p->values[i].name != NULL)
            used += (size_t)snprintf(text + used, sizeof text - used, ":%s=%.0f", p->values[i].name,
                                     p->values[i].kind == LOCAL ? p->values[i].count : p->values[i].value);
    if (p->also != NULL)
        snprintf(text + used, sizeof text - used, ":%s", p->also);
    gp_launch_default(kernel, &launch);
    if (!gp_launch_assume(kernel, &launch, text, &error))
        stop(error.text, 0);
    launch.cold = false;
    for (size_t i = 0; i < p->count; i++)
        if (p->values[i].kind < INT)
            launch.arguments[i].bytes = bytes_of(&p->values[i]);
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    struct gp_predict_options options = {.model = GP_MODEL_AUTO};
    bool done = predictor != NULL && gp_predict(predictor, m->model, &launch, &options, &prediction, &error);
    gp_predictor_free(predictor);
    return done && prediction.feasible ? prediction.time_ns : NAN;
}

/* ---- A kernel's space -------------------------------------------------------------------------------------------- */

struct outcome {
    double predicted[MOST_POINTS], measured[MOST_POINTS];
    size_t count;
    double chosen; /* sum of logarithms over inputs: time at the chosen local size over the best */
    int inputs;
};

static cl_program build(const struct machine *m, const char *text)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(m->context, 1, &text, NULL, &code);
    check(code, "making a program");
    check(clBuildProgram(program, 1, &m->id, "", NULL, NULL), "building");
    return program;
}

static struct gp_profile *compile(const struct machine *m, const char *path, const char *text)
{
    struct gp_compile_result result;
    struct gp_error error = {{0}};
    struct gp_compile_request request = {.source_path = path,
                                         .source_text = text,
                                         .language = "opencl",
                                         .device = m->model,
                                         .for_llvm_compile = m->is_cpu};
    if (!gp_compile(&request, &result, &error))
        stop(error.text, 0);
    struct gp_profile *profile = result.profile;
    result.profile = NULL;
    gp_compile_result_free(&result);
    return profile;
}

static void run_input(const struct machine *m, const struct subspace *s, int input, cl_program program,
                      const struct gp_profile *profile, FILE *rows, struct outcome *o)
{
    static const uint32_t own[] = {1, 0};
    const struct gp_kernel *kernel = gp_profile_find(profile, s->kernel);
    double best = INFINITY, least = INFINITY, chosen = 0;
    for (const uint32_t *local = s->locals != NULL ? s->locals : own; *local != 0; local++) {
        struct point p = {0};
        if (*local > m->most_local || o->count == MOST_POINTS)
            continue;
        s->make(input, *local, &p);
        double predicted = predict(m, profile, kernel, &p), measured = measure(m, program, s->kernel, &p);
        if (isnan(predicted))
            continue;
        o->predicted[o->count] = predicted;
        o->measured[o->count++] = measured;
        chosen = predicted < least ? measured : chosen;
        least = fmin(least, predicted);
        best = fmin(best, measured);
        if (rows != NULL)
            fprintf(rows, "%d,%llu,%llu,%u,%u,%.6g,%.6g\n", input, (unsigned long long)p.global[0],
                    (unsigned long long)p.global[1], p.local[0], p.local[1], measured * 1e-6, predicted * 1e-6);
    }
    if (s->locals != NULL && best < INFINITY) {
        o->chosen += log(chosen / best);
        o->inputs++;
    }
}

static double mean_error(const struct outcome *o, double factor)
{
    double sum = 0;
    for (size_t i = 0; i < o->count; i++)
        sum += fabs(o->predicted[i] / factor - o->measured[i]) / o->measured[i];
    return 100 * sum / (double)o->count;
}

static double paper_mean(const struct subspace *s)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < 4 && s->paper[i] > 0; i++, count++)
        sum += s->paper[i];
    return sum / count;
}

/* What all kernels together show. */
struct total {
    double error, scaled, paper, order;
    int kernels;
};

static void report(const struct subspace *s, const struct outcome *o, struct total *t)
{
    double factor = 0, order = gp_rank_correlation(o->predicted, o->measured, o->count);
    for (size_t i = 0; i < o->count; i++)
        factor += log(o->predicted[i] / o->measured[i]) / (double)o->count;
    factor = exp(factor);
    double error = mean_error(o, 1), scaled = mean_error(o, factor);
    printf("%-15s %-21s %4zu %8.1f %8.1f %8.2f %8.1f %8.3f", s->application, s->kernel, o->count, paper_mean(s), error,
           factor, scaled, order);
    if (o->inputs > 0)
        printf(" %8.3f", exp(o->chosen / o->inputs));
    printf("\n");
    fflush(stdout);
    t->error += error;
    t->scaled += scaled;
    t->paper += paper_mean(s);
    t->order += order;
    t->kernels++;
}

static void run_kernel(const struct machine *m, const struct subspace *s, struct total *t)
{
    static struct outcome o;
    char path[512];
    FILE *rows = NULL;
    snprintf(path, sizeof path, "%s/%s", PAPERS_DIR, s->file);
    char *text = gp_read_file(path, NULL);
    if (text == NULL)
        stop(path, 0);
    cl_program program = build(m, text);
    struct gp_profile *profile = compile(m, path, text);
    snprintf(path, sizeof path, "%s/%s.csv", m->rows != NULL ? m->rows : "", s->kernel);
    if (m->rows != NULL && (rows = fopen(path, "w")) == NULL)
        stop(path, 0);
    if (rows != NULL)
        fprintf(rows, "input,global_x,global_y,local_x,local_y,measured_ms,predicted_ms\n");
    o = (struct outcome){.count = 0};
    for (int input = 0; input < s->inputs; input++)
        run_input(m, s, input, program, profile, rows, &o);
    if (rows != NULL && fclose(rows) != 0)
        stop(path, 0);
    if (o.count > 1)
        report(s, &o, t);
    gp_profile_free(profile);
    clReleaseProgram(program);
    free(text);
}

int main(int argc, char **argv)
{
    struct machine machine = {.rounds = 5};
    struct total t = {0};
    const char *device = NULL;
    for (int option; (option = getopt(argc, argv, "o:r:d:")) != -1;) {
        machine.rows = option == 'o' ? optarg : machine.rows;
        device = option == 'd' ? optarg : device;
        machine.rounds = option == 'r' ? atoi(optarg) : machine.rounds;
    }
    const char *which = optind < argc ? argv[optind] : "";
    const struct subspace *spaces = strcmp(which, "rodinia") == 0 ? rodinia_spaces
                                    : strcmp(which, "lane") == 0  ? lane_spaces
                                                                  : NULL;
    if (spaces == NULL || machine.rounds < 1)
        return fprintf(stderr, "usage: real [-o DIR] [-r ROUNDS] [-d DEVICE] rodinia|lane [KERNEL...]\n"), 2;
    open_machine(&machine, device);
    printf("%-15s %-21s %4s %8s %8s %8s %8s %8s %8s\n", "", "kernel", "", "paper %", "error %", "factor", "without",
           "order", "chosen");
    for (const struct subspace *s = spaces; s->application != NULL; s++)
        if (gp_is_asked_for(s->kernel, argv + optind + 1))
            run_kernel(&machine, s, &t);
    if (t.kernels > 0)
        printf("mean of %d kernels: paper %.1f%%, error %.1f%%, without the factor %.1f%%, order %.3f\n", t.kernels,
               t.paper / t.kernels, t.error / t.kernels, t.scaled / t.kernels, t.order / t.kernels);
    gp_device_free(machine.model);
    clReleaseCommandQueue(machine.queue);
    clReleaseContext(machine.context);
    return 0;
}
