/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * split [--sweep] [KERNEL...]
 *
 * One range on all devices of the first OpenCL platform at once, shared out by gpuperf_split(): each device gets a
 * stretch of it, from a thread of its own, into buffers of its own: it is sent what its stretch can read, and sends
 * back what it wrote. What comes out is compared with the first device's. --sweep: beside the shares of simpler rules
 * and, for two devices, the best of all in steps of 5%; all are run seven times in turns, the shortest counts.
 *
 *     cc split.c $(pkg-config --cflags --libs gpuperf) -lOpenCL -lpthread -lm -o split
 *     POCL_DEVICES="pthread basic" ./split --sweep
 *
 * SPLIT_UNITS=1,3 shares out over parts of the first device, of so many compute units each.
 * Each device must be known to gpuperf; GPUPERF_DEVICES="a100,pocl-cpu" says which they are, in the platform's order.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gpuperf/gpuperf.h>

enum { MOST_DEVICES = 8, ITEMS = 1 << 17, LOCAL = 256, RUNS = 7, STEPS = 20 };

static const struct work {
    const char *name;
    int trips;
} works[] = {{"scale", 600},       {"blur", 300}, {"columns", 300},   {"matmul", 300},     {"nbody", 120},
             {"blackscholes", 80}, {"hash", 300}, {"distances", 300}, {"mandelbrot", 300}, {"triangular", 600}};
enum { WORKS = sizeof works / sizeof *works };

struct place {
    cl_device_id id;
    cl_command_queue queue;
    cl_mem in, out;
    cl_kernel kernel;
    cl_uint units, clock;
    gpuperf_device *model;
    gpuperf_profile *profile;
};

static struct place places[MOST_DEVICES];
static cl_uint place_count;
static float *input, *output, *expected;
static const struct work *at_work;

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "split: %s failed with %d\n", what, code);
    exit(1);
}

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "split: %s\n", what);
    exit(1);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- Devices ---- */

static char *read_source(const char *program)
{
    char path[1024];
    const char *end = strrchr(program, '/');
    const char *directory = getenv("SPLIT_KERNELS");
    if (directory != NULL)
        snprintf(path, sizeof path, "%s/kernels.cl", directory);
    else
        snprintf(path, sizeof path, "%.*skernels.cl", end != NULL ? (int)(end - program + 1) : 0, program);
    FILE *file = fopen(path, "r");
    char *text = calloc(1 << 16, 1);
    require(file != NULL && text != NULL && fread(text, 1, (1 << 16) - 1, file) > 0,
            "kernels.cl must lie beside the program, or in the directory that SPLIT_KERNELS names");
    fclose(file);
    return text;
}

static const char *model_name(cl_uint number)
{
    static char names[512];
    const char *list = getenv("GPUPERF_DEVICES"), *name;
    snprintf(names, sizeof names, "%s", list != NULL ? list : "");
    name = strtok(names, ",");
    for (cl_uint i = 0; i < number && name != NULL; i++)
        name = strtok(NULL, ",");
    return name != NULL ? name : "pocl-cpu";
}

static void open_place(struct place *p, cl_uint number, cl_context context, const char *source)
{
    cl_int code;
    gpuperf_error error;
    p->queue = clCreateCommandQueue(context, p->id, 0, &code);
    check(code, "clCreateCommandQueue");
    p->in = clCreateBuffer(context, CL_MEM_READ_ONLY, ITEMS * sizeof *input, NULL, &code);
    check(code, "clCreateBuffer");
    p->out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, ITEMS * sizeof *output, NULL, &code);
    check(code, "clCreateBuffer");
    clGetDeviceInfo(p->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof p->units, &p->units, NULL);
    clGetDeviceInfo(p->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof p->clock, &p->clock, NULL);
    p->model = gpuperf_device_open(model_name(number), &error);
    require(p->model != NULL, error.text);
    gpuperf_device_override(p->model, p->units, p->clock);
    p->profile = gpuperf_profile_compile(source, "", p->model, &error);
    require(p->profile != NULL, error.text);
}

/* Parts of a device, of the numbers of compute units in a list. */
static void take_parts(const char *list, cl_device_id *ids)
{
    cl_device_partition_property parts[MOST_DEVICES + 3] = {CL_DEVICE_PARTITION_BY_COUNTS};
    cl_device_id whole = ids[0];
    char *rest = NULL;
    for (place_count = 0; place_count < MOST_DEVICES && *list != '\0'; place_count++) {
        parts[place_count + 1] = strtol(list, &rest, 10);
        require(rest != list && parts[place_count + 1] > 0, "SPLIT_UNITS has numbers of compute units: 1,3");
        list = *rest == ',' ? rest + 1 : rest;
    }
    parts[place_count + 1] = CL_DEVICE_PARTITION_BY_COUNTS_LIST_END;
    check(clCreateSubDevices(whole, parts, MOST_DEVICES, ids, NULL), "clCreateSubDevices");
}

static cl_program open_all(const char *program_name)
{
    cl_platform_id platform;
    cl_device_id ids[MOST_DEVICES];
    cl_int code;
    char *source = read_source(program_name);
    const char *text = source;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &place_count), "clGetDeviceIDs");
    place_count = place_count < MOST_DEVICES ? place_count : MOST_DEVICES;
    if (getenv("SPLIT_UNITS") != NULL)
        take_parts(getenv("SPLIT_UNITS"), ids);
    cl_context context = clCreateContext(NULL, place_count, ids, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
    for (cl_uint i = 0; i < place_count; i++) {
        places[i].id = ids[i];
        open_place(&places[i], i, context, source);
    }
    free(source);
    return program;
}

/* A kernel of each device's own: a thread sets its arguments. */
static void open_work(cl_program program, const struct work *work)
{
    cl_int code, items = ITEMS;
    at_work = work;
    for (cl_uint i = 0; i < place_count; i++) {
        struct place *p = &places[i];
        p->kernel = clCreateKernel(program, work->name, &code);
        check(code, "clCreateKernel");
        check(clSetKernelArg(p->kernel, 0, sizeof p->in, &p->in), "argument 0");
        check(clSetKernelArg(p->kernel, 1, sizeof p->out, &p->out), "argument 1");
        check(clSetKernelArg(p->kernel, 2, sizeof work->trips, &work->trips), "argument 2");
        check(clSetKernelArg(p->kernel, 3, sizeof items, &items), "argument 3");
    }
}

static void close_work(void)
{
    for (cl_uint i = 0; i < place_count; i++)
        clReleaseKernel(places[i].kernel);
}

/* ---- A launch in shares ---- */

struct stretch {
    struct place *place;
    size_t offset, items, local;
    size_t read_from, read_to; /* bytes of the input */
};

/* Of the input, what a stretch can read; all of it where that is not known. */
static void set_read(struct stretch *s)
{
    const gpuperf_argument arguments[] = {{2, (uint64_t)at_work->trips}, {3, ITEMS}};
    const gpuperf_launch share = {.dims = 1,
                                  .offset = {s->offset, 0, 0},
                                  .global = {s->items, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = 2};
    uint32_t local[3] = {(uint32_t)s->local, 1, 1};
    uint64_t from, to, all = ITEMS * sizeof *input;
    gpuperf_error error;
    int code =
        gpuperf_read_range(s->place->profile, at_work->name, s->place->model, &share, local, 0, &from, &to, &error);
    require(code == GPUPERF_OK, error.text);
    s->read_from = from < all ? from : all;
    s->read_to = to < all ? to : all;
}

/* Whatever devices do while they are given work (PoCL's basic one runs it then), they do side by side. */
static void *run_stretch(void *argument)
{
    const struct stretch *s = argument;
    if (s->read_to > s->read_from)
        check(clEnqueueWriteBuffer(s->place->queue, s->place->in, CL_FALSE, s->read_from, s->read_to - s->read_from,
                                   (const char *)input + s->read_from, 0, NULL, NULL),
              "clEnqueueWriteBuffer");
    check(clEnqueueNDRangeKernel(s->place->queue, s->place->kernel, 1, &s->offset, &s->items, &s->local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(s->place->queue, s->place->out, CL_TRUE, s->offset * sizeof *output,
                              s->items * sizeof *output, output + s->offset, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    return NULL;
}

/* Until all have ended, ms. */
static double run_once(const gpuperf_share *shares)
{
    pthread_t threads[MOST_DEVICES];
    struct stretch stretches[MOST_DEVICES];
    for (cl_uint i = 0; i < place_count; i++) {
        stretches[i] = (struct stretch){&places[i], shares[i].offset, shares[i].items, shares[i].local[0], 0, 0};
        if (shares[i].items > 0)
            set_read(&stretches[i]);
    }
    double before = now_ms();
    for (cl_uint i = 0; i < place_count; i++) {
        if (shares[i].items > 0)
            pthread_create(&threads[i], NULL, run_stretch, &stretches[i]);
    }
    for (cl_uint i = 0; i < place_count; i++)
        if (shares[i].items > 0)
            pthread_join(threads[i], NULL);
    return now_ms() - before;
}

/* Shares in proportion to weights, of whole groups, with the sizes at hand. */
static void share_by(const double *weights, gpuperf_share *shares)
{
    double sum = 0, so_far = 0;
    size_t first = 0;
    for (cl_uint i = 0; i < place_count; i++)
        sum += weights[i];
    for (cl_uint i = 0; i < place_count; i++) {
        so_far += weights[i];
        size_t end = i + 1 == place_count ? ITEMS : (size_t)(so_far / sum * ITEMS / LOCAL) * LOCAL;
        shares[i].offset = first;
        shares[i].items = end - first;
        shares[i].local[0] = LOCAL;
        first = end;
    }
}

/* ---- gpuperf's shares ---- */

/* A predicted size that leaves a rest would run as another: whole groups of LOCAL do everywhere. */
static double split(const struct work *work, gpuperf_share *shares)
{
    const gpuperf_profile *profiles[MOST_DEVICES];
    const gpuperf_device *models[MOST_DEVICES];
    const gpuperf_argument arguments[] = {{2, (uint64_t)work->trips}, {3, ITEMS}};
    const gpuperf_launch launch = {
        .dims = 1, .global = {ITEMS, 1, 1}, .arguments = arguments, .argument_count = 2, .uniform = 1};
    uint32_t dimension;
    double ns;
    gpuperf_error error;
    for (cl_uint i = 0; i < place_count; i++) {
        profiles[i] = places[i].profile;
        models[i] = places[i].model;
    }
    int code = gpuperf_split(profiles, work->name, models, place_count, &launch, NULL, shares, &dimension, &ns, &error);
    require(code == GPUPERF_OK, error.text);
    for (cl_uint i = 0; i < place_count; i++)
        if (shares[i].items % shares[i].local[0] != 0)
            shares[i].local[0] = LOCAL;
    return ns * 1e-6;
}

static double percent(const gpuperf_share *shares) { return 100.0 * (double)shares[0].items / ITEMS; }

/* ---- Beside simpler rules ---- */

/* Ways to share out a launch, and the shortest time of each. All are run in turns, so that what else the machine does
 * disturbs them alike. */
enum { OWN, EVEN, PEAK, INVERSE, STEP, WAYS = STEP + STEPS + 1 };
struct way {
    gpuperf_share shares[MOST_DEVICES];
    double ms;
};

static void run_in_turns(struct way *ways, int count)
{
    for (int w = 0; w < count; w++)
        ways[w].ms = INFINITY;
    for (int i = 0; i < RUNS; i++)
        for (int w = 0; w < count; w++)
            ways[w].ms = fmin(ways[w].ms, run_once(ways[w].shares));
}

/* All of it on one device, of each. */
static void time_wholes(double *ms)
{
    struct way ways[MOST_DEVICES] = {{.ms = 0}};
    for (cl_uint i = 0; i < place_count; i++) {
        double weights[MOST_DEVICES] = {0};
        weights[i] = 1;
        share_by(weights, ways[i].shares);
    }
    run_in_turns(ways, (int)place_count);
    for (cl_uint i = 0; i < place_count; i++)
        ms[i] = ways[i].ms;
}

static void compare(const struct work *work, const gpuperf_share *shares)
{
    static struct way ways[WAYS];
    double even[MOST_DEVICES] = {0}, peak[MOST_DEVICES] = {0}, inverse[MOST_DEVICES] = {0}, whole[MOST_DEVICES] = {0};
    int best = STEP, count = place_count == 2 ? WAYS : STEP;
    time_wholes(whole);
    for (cl_uint i = 0; i < place_count; i++) {
        even[i] = 1;
        peak[i] = (double)places[i].units * places[i].clock;
        inverse[i] = 1 / whole[i];
    }
    memcpy(ways[OWN].shares, shares, place_count * sizeof *shares);
    share_by(even, ways[EVEN].shares);
    share_by(peak, ways[PEAK].shares);
    share_by(inverse, ways[INVERSE].shares);
    for (int step = 0; count == WAYS && step <= STEPS; step++)
        share_by((double[2]){step, STEPS - step}, ways[STEP + step].shares);
    run_in_turns(ways, count);
    for (int w = STEP; w < count; w++)
        best = ways[w].ms < ways[best].ms ? w : best;
    printf("%-13s %5.0f%% %8.1f %8.1f %8.1f %8.1f", work->name, percent(shares), ways[OWN].ms, ways[EVEN].ms,
           ways[PEAK].ms, ways[INVERSE].ms);
    if (count == WAYS)
        printf(" %5.0f%% %8.1f %8.2f", 100.0 * (best - STEP) / STEPS, ways[best].ms, ways[OWN].ms / ways[best].ms);
    printf("\n");
    fflush(stdout);
}

static bool is_right(void)
{
    for (int i = 0; i < ITEMS; i++)
        if (fabsf(output[i] - expected[i]) > 1e-5f * fabsf(expected[i]))
            return false;
    return true;
}

static bool run_work(cl_program program, const struct work *work, bool sweeps)
{
    gpuperf_share shares[MOST_DEVICES];
    open_work(program, work);
    for (cl_uint i = place_count; i-- > 0;) { /* the drivers build the kernels; the first device's results stay */
        double one[MOST_DEVICES] = {0};
        one[i] = 1;
        share_by(one, shares);
        run_once(shares);
    }
    memcpy(expected, output, ITEMS * sizeof *output);
    memset(output, 0, ITEMS * sizeof *output);
    double predicted = split(work, shares);
    double ms = run_once(shares);
    bool right = is_right();
    if (sweeps)
        compare(work, shares);
    else
        printf("%-13s %5.0f%% to the first device: %.1f ms, predicted %.1f%s\n", work->name, percent(shares), ms,
               predicted, right ? "" : ": WRONG");
    if (!right)
        fprintf(stderr, "split: %s: other results than on one device\n", work->name);
    close_work();
    return right;
}

int main(int count, char **arguments)
{
    bool sweeps = count > 1 && strcmp(arguments[1], "--sweep") == 0, right = true;
    input = malloc(ITEMS * sizeof *input);
    output = calloc(ITEMS, sizeof *output);
    expected = calloc(ITEMS, sizeof *expected);
    require(input != NULL && output != NULL && expected != NULL, "out of memory");
    for (int i = 0; i < ITEMS; i++)
        input[i] = (float)((unsigned)i * 2654435761u % 1000u) * 1e-3f;
    cl_program program = open_all(arguments[0]);
    require(place_count > 1, "the platform has one device only; POCL_DEVICES=\"pthread basic\" makes two of a CPU");
    if (sweeps)
        printf("kernel        share  gpuperf     even     peak  inverse  best       ms  of best\n");
    for (int w = 0; w < WORKS; w++) {
        bool named = count == (sweeps ? 2 : 1);
        for (int a = sweeps ? 2 : 1; a < count; a++)
            named |= strcmp(arguments[a], works[w].name) == 0;
        if (named)
            right = run_work(program, &works[w], sweeps) && right;
    }
    return right ? 0 : 1;
}
