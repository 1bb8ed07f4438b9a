/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A small OpenCL program for the tests of the layer: runs one kernel with the local size left open and prints a
 * checksum of what it wrote, so that runs with and without the layer can be compared.
 *
 *   launches KERNEL GLOBAL [option...]
 *     KERNEL       point, line, weight, rows (in rows of N=scalar; its launches may be cut), columns (likewise, the
 *                  wrong way round), trailing, collatz, julia (uneven work), reverse, required, sizes (prints the local
 *                  size instead of a checksum)
 *     GLOBAL       64, 64x32, 64x32x2
 *     option       offset=OXxOY local=LXxLY repeat=N threads=N scalar=N step=N (from launch to launch) pause=MS
 *                  options=TEXT profiling=1 unordered=1 events=1 fork=1 link=1 clone=1 all=1 include=FILE time=1 (the
 *                  shortest time of a launch, in us, instead of a checksum) binary=FILE: loads the program's binary
 *                  from the file if it is there, else builds from source and writes it (with late=1 behind the
 *                  launches)
 */
#define CL_TARGET_OPENCL_VERSION 300
#define _GNU_SOURCE
#include <CL/cl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char source[] =
    "uint place(void) {\n"
    "    return (uint)((get_global_id(2) - get_global_offset(2)) * get_global_size(1) * get_global_size(0) +\n"
    "           (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + (get_global_id(0) - "
    "get_global_offset(0)));\n"
    "}\n"
    "__kernel void point(__global uint *out, __global const uint *in, int n) {\n"
    "    uint i = place();\n"
    "    out[i] = in[i] * 3u + (uint)get_global_id(0) * 7u + (uint)get_global_id(1) * 11u + (uint)n;\n"
    "}\n"
    "__kernel void line(__global uint *out, __global const uint *in, int n) {\n"
    "    uint i = (uint)get_global_id(0);\n"
    "    out[i] = in[i] * 5u + (uint)n;\n"
    "}\n"
    "__kernel void weight(__global uint *out, __global const uint *in, int n) {\n"
    "    uint i = place(), sum = in[i];\n"
    "    for (int k = 0; k < n; k++)\n"
    "        sum = sum * 1664525u + 1013904223u + (uint)k;\n"
    "    out[i] = sum;\n"
    "}\n"
    "__kernel void rows(__global uint *out, __global const uint *in, int n) {\n"
    "    uint i = (uint)get_global_id(1) * (uint)n + (uint)get_global_id(0), sum = in[i];\n"
    "    for (uint k = 0; k < 8; k++)\n"
    "        sum = (sum ^ sum >> 7) * 1664525u + k;\n"
    "    out[i] = sum;\n"
    "}\n"
    "__kernel void columns(__global uint *out, __global const uint *in, int n) {\n"
    "    uint i = (uint)get_global_id(0) * (uint)n + (uint)get_global_id(1);\n"
    "    out[i] = in[i] * 3u + 1u;\n"
    "}\n"
    "__kernel void trailing(__global uint *out, __global const uint *in, int n) {\n"
    "    uint i = (uint)get_global_id(0), j = (uint)get_global_id(1), w = (uint)n, k = w / 3;\n"
    "    if (i > k && j > k)\n"
    "        out[i * w + j] = in[i * w + j] - in[i * w + k] * in[k * w + j];\n"
    "}\n"
    "__kernel void collatz(__global uint *out, __global const uint *in, int most) {\n"
    "    uint i = (uint)get_global_id(0), n = in[i], steps = 0;\n"
    "    while (n != 1 && steps < (uint)most) {\n"
    "        n = (n & 1) ? 3 * n + 1 : n >> 1;\n"
    "        steps++;\n"
    "    }\n"
    "    out[i] = steps;\n"
    "}\n"
    "__kernel void julia(__global uint *out, __global const uint *in, int w) {\n"
    "    uint x = (uint)get_global_id(0), y = (uint)get_global_id(1), steps = 0;\n"
    "    float zr = x * (3.0f / w) - 1.5f, zi = y * (3.0f / w) - 1.5f;\n"
    "    while (zr * zr + zi * zi < 4.0f && steps < 128) {\n"
    "        float t = zr * zr - zi * zi - 0.8f;\n"
    "        zi = 2 * zr * zi + 0.156f;\n"
    "        zr = t;\n"
    "        steps++;\n"
    "    }\n"
    "    out[y * (uint)w + x] = steps;\n"
    "}\n"
    "__kernel void reverse(__global uint *out, __global const uint *in, int n, __local uint *tile) {\n"
    "    uint i = place(), l = (uint)get_local_id(0), size = (uint)get_local_size(0);\n"
    "    tile[l] = in[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[i] = tile[size - 1 - l] + (uint)n;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void required(__global uint *out, __global const uint "
    "*in, int n) {\n"
    "    uint i = place();\n"
    "    out[i] = in[i] + (uint)n;\n"
    "}\n"
    "__kernel void sizes(__global uint *out, __global const uint *in, int n) {\n"
    "    if (place() == 0)\n"
    "        for (uint d = 0; d < 3; d++)\n"
    "            out[d] = (uint)get_local_size(d);\n"
    "}\n";

struct test {
    const char *kernel;
    cl_uint dims;
    size_t global[3], offset[3], local[3], items;
    int explicit_local, repeat, threads, scalar, step, pause_ms, forks, links, clones, all, profiling, unordered,
        events, late, timed;
    const char *binary, *options, *include;
    cl_device_id device;
    cl_context context;
    cl_program program;
};

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "launches: %s failed with %d\n", what, code);
    exit(1);
}

static cl_uint parse_sizes(const char *text, size_t sizes[3])
{
    cl_uint dims = 0;
    while (dims < 3) {
        char *end;
        sizes[dims++] = strtoul(text, &end, 10);
        if (*end != 'x')
            break;
        text = end + 1;
    }
    return dims;
}

static void parse(struct test *test, int count, char **arguments)
{
    *test = (struct test){.kernel = arguments[1], .global = {1, 1, 1}, .repeat = 1, .threads = 1, .scalar = 16};
    test->dims = parse_sizes(arguments[2], test->global);
    test->items = test->global[0] * test->global[1] * test->global[2];
    for (int i = 3; i < count; i++) {
        char *value = strchr(arguments[i], '=');
        if (value == NULL)
            exit(2);
        *value++ = '\0';
        const char *key = arguments[i];
        if (strcmp(key, "offset") == 0)
            parse_sizes(value, test->offset);
        else if (strcmp(key, "local") == 0)
            test->explicit_local = parse_sizes(value, test->local) > 0;
        else if (strcmp(key, "binary") == 0)
            test->binary = value;
        else if (strcmp(key, "options") == 0)
            test->options = value;
        else if (strcmp(key, "include") == 0)
            test->include = value;
        else if (strcmp(key, "repeat") == 0)
            test->repeat = atoi(value);
        else if (strcmp(key, "threads") == 0)
            test->threads = atoi(value);
        else if (strcmp(key, "scalar") == 0)
            test->scalar = atoi(value);
        else if (strcmp(key, "step") == 0)
            test->step = atoi(value);
        else if (strcmp(key, "pause") == 0)
            test->pause_ms = atoi(value);
        else if (strcmp(key, "fork") == 0)
            test->forks = atoi(value);
        else if (strcmp(key, "link") == 0)
            test->links = atoi(value);
        else if (strcmp(key, "clone") == 0)
            test->clones = atoi(value);
        else if (strcmp(key, "profiling") == 0)
            test->profiling = atoi(value);
        else if (strcmp(key, "unordered") == 0)
            test->unordered = atoi(value);
        else if (strcmp(key, "events") == 0)
            test->events = atoi(value);
        else if (strcmp(key, "time") == 0)
            test->timed = atoi(value);
        else if (strcmp(key, "late") == 0)
            test->late = atoi(value);
        else if (strcmp(key, "all") == 0)
            test->all = atoi(value);
        else
            exit(2);
    }
    if (strcmp(test->kernel, "rows") == 0) /* whose places count from the beginning */
        test->items += test->offset[0] + test->offset[1] * (size_t)test->scalar;
}

static void load_binary(struct test *test, FILE *file)
{
    unsigned char *bytes = malloc(1 << 24);
    size_t length = fread(bytes, 1, 1 << 24, file);
    const unsigned char *pointer = bytes;
    cl_int code;
    fclose(file);
    test->program = clCreateProgramWithBinary(test->context, 1, &test->device, &length, &pointer, NULL, &code);
    check(code, "clCreateProgramWithBinary");
    check(clBuildProgram(test->program, 1, &test->device, NULL, NULL, NULL), "clBuildProgram of a binary");
    free(bytes);
}

static void save_binary(struct test *test)
{
    size_t length;
    check(clGetProgramInfo(test->program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL),
          "CL_PROGRAM_BINARY_SIZES");
    unsigned char *bytes = malloc(length);
    check(clGetProgramInfo(test->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL), "CL_PROGRAM_BINARIES");
    FILE *file = fopen(test->binary, "wb");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        exit(1);
    free(bytes);
}

static void make_program(struct test *test)
{
    cl_int code;
    FILE *file = test->binary != NULL ? fopen(test->binary, "rb") : NULL;
    if (file != NULL) {
        load_binary(test, file);
        return;
    }
    char first[512] = "\n";
    if (test->include != NULL)
        snprintf(first, sizeof first, "#include \"%s\"\n", test->include);
    const char *pieces[3] = {first, source, "/* the end */\n"};
    size_t lengths[3] = {0, sizeof source - 1, 0};
    test->program = clCreateProgramWithSource(test->context, 3, pieces, lengths, &code);
    check(code, "clCreateProgramWithSource");
    if (test->links) {
        cl_program input = test->program;
        check(clCompileProgram(input, 0, NULL, test->options, 0, NULL, NULL, NULL, NULL), "clCompileProgram");
        test->program = clLinkProgram(test->context, 0, NULL, NULL, 1, &input, NULL, NULL, &code);
        check(code, "clLinkProgram");
        clReleaseProgram(input);
        return;
    }
    check(clBuildProgram(test->program, 0, NULL, test->options, NULL, NULL), "clBuildProgram");
    if (test->binary != NULL && !test->late)
        save_binary(test);
}

static cl_kernel make_kernel(struct test *test)
{
    cl_int code;
    cl_kernel kernel = NULL;
    if (test->all) {
        cl_kernel kernels[16];
        cl_uint count;
        char name[64];
        check(clCreateKernelsInProgram(test->program, 16, kernels, &count), "clCreateKernelsInProgram");
        for (cl_uint i = 0; i < count; i++) {
            check(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL), "clGetKernelInfo");
            if (strcmp(name, test->kernel) == 0)
                kernel = kernels[i];
            else
                clReleaseKernel(kernels[i]);
        }
        return kernel;
    }
    kernel = clCreateKernel(test->program, test->kernel, &code);
    check(code, "clCreateKernel");
    return kernel;
}

/* FNV-1a */
static uint64_t checksum(const uint32_t *words, size_t count)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ words[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void pause_for(int milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

static cl_kernel set_up_kernel(struct test *test, cl_mem out, cl_mem in)
{
    cl_int code;
    cl_kernel kernel = make_kernel(test);
    check(clSetKernelArg(kernel, 0, sizeof out, &out), "argument 0");
    check(clSetKernelArg(kernel, 1, sizeof in, &in), "argument 1");
    check(clSetKernelArg(kernel, 2, sizeof test->scalar, &test->scalar), "argument 2");
    if (strcmp(test->kernel, "reverse") == 0)
        check(clSetKernelArg(kernel, 3, 4096 * sizeof(cl_uint), NULL), "argument 3");
    clRetainKernel(kernel);
    clReleaseKernel(kernel);
    if (test->clones) {
        cl_kernel clone = clCloneKernel(kernel, &code);
        check(code, "clCloneKernel");
        clReleaseKernel(kernel);
        return clone;
    }
    return kernel;
}

static uint64_t microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* One thread's work: its own kernel, queue and buffers. */
static void *run(void *argument)
{
    struct test *test = argument;
    cl_int code;
    size_t bytes = (test->items < 16 ? 16 : test->items) * sizeof(uint32_t);
    uint32_t *words = calloc(1, bytes);
    for (size_t i = 0; i < test->items; i++)
        words[i] = (uint32_t)(i * 2654435761u);
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                        (test->profiling ? CL_QUEUE_PROFILING_ENABLE : 0) |
                                            (test->unordered ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0),
                                        0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(test->context, test->device, properties, &code);
    check(code, "clCreateCommandQueueWithProperties");
    cl_mem in = clCreateBuffer(test->context, CL_MEM_COPY_HOST_PTR, bytes, words, &code);
    check(code, "clCreateBuffer");
    cl_mem out = clCreateBuffer(test->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, words, &code);
    check(code, "clCreateBuffer");
    cl_kernel kernel = set_up_kernel(test, out, in);
    uint64_t total = 0, shortest = UINT64_MAX;
    for (int i = 0; i < test->repeat; i++) {
        cl_event event = NULL;
        uint64_t before = microseconds();
        int scalar = test->scalar + i * test->step;
        if (test->step != 0)
            check(clSetKernelArg(kernel, 2, sizeof scalar, &scalar), "argument 2");
        check(clEnqueueNDRangeKernel(queue, kernel, test->dims, test->offset, test->global,
                                     test->explicit_local ? test->local : NULL, 0, NULL, test->events ? &event : NULL),
              "clEnqueueNDRangeKernel");
        if (test->unordered)
            check(clFinish(queue), "clFinish");
        if (event != NULL)
            clReleaseEvent(event);
        if (test->timed) {
            check(clFinish(queue), "clFinish");
            uint64_t took = microseconds() - before;
            shortest = took < shortest ? took : shortest;
            continue;
        }
        check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, words, 0, NULL, NULL), "clEnqueueReadBuffer");
        total = total * 31 + checksum(words, test->items);
        if (test->pause_ms > 0 && i + 1 < test->repeat)
            pause_for(test->pause_ms);
    }
    if (strcmp(test->kernel, "sizes") == 0)
        printf("%ux%ux%u\n", words[0], words[1], words[2]);
    uint64_t *result = malloc(sizeof *result);
    *result = test->timed ? shortest : total;
    clReleaseKernel(kernel);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseCommandQueue(queue);
    free(words);
    return result;
}

static void run_threads(struct test *test)
{
    pthread_t *threads = calloc((size_t)test->threads, sizeof *threads);
    uint64_t total = 0;
    for (int i = 0; i < test->threads; i++)
        pthread_create(&threads[i], NULL, run, test);
    for (int i = 0; i < test->threads; i++) {
        void *result;
        pthread_join(threads[i], &result);
        total += *(uint64_t *)result;
        free(result);
    }
    free(threads);
    if (test->timed)
        printf("%llu\n", (unsigned long long)total);
    else if (strcmp(test->kernel, "sizes") != 0)
        printf("%016llx\n", (unsigned long long)total);
}

int main(int count, char **arguments)
{
    struct test test;
    cl_platform_id platform;
    cl_int code;
    int status = 0;
    if (count < 3)
        return 2;
    parse(&test, count, arguments);
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &test.device, NULL), "clGetDeviceIDs");
    test.context = clCreateContext(NULL, 1, &test.device, NULL, NULL, &code);
    check(code, "clCreateContext");
    make_program(&test);
    run_threads(&test);
    if (test.binary != NULL && test.late)
        save_binary(&test);
    if (test.forks) { /* the child leaves through exit(): it must not wait for a thread that it does not have */
        fflush(stdout);
        if (fork() == 0)
            exit(0);
        wait(&status);
    }
    clReleaseProgram(test.program);
    clReleaseContext(test.context);
    return status != 0;
}
