/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Small random OpenCL programs, for runs with and without the layer that must give the same bytes (differ.sh). For each
 * seed a program is made up: conditions of the preprocessor that decide whether its kernel looks at its place in a
 * group, build options, headers, how it is built (refused and repeated builds, linking, a binary, a cloned kernel),
 * launches on each device. What comes out is a line for each seed.
 *
 *   differ FROM TO DIRECTORY     headers are written into the directory
 *   differ SEED show             the source and the options
 */
#define CL_TARGET_OPENCL_VERSION 300
#define _GNU_SOURCE
#include <CL/cl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 512, ITEMS = SIDE * SIDE, MOST_DEVICES = 4 };

/* ---- Choices: the same for a seed on every machine ---- */

static uint64_t state;

static unsigned below(unsigned limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t mixed = (state ^ state >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (unsigned)(mixed >> 33) % limit;
}

static bool one_in(unsigned count) { return below(count) == 0; }

#define PICK(list) (list)[below(sizeof(list) / sizeof *(list))]

/* ---- A program ---- */

enum way { BUILD, REFUSED, REBUILT, LINKED, BINARY, CLONED, WAYS };

struct recipe {
    bool open; /* one that the layer may launch with another size: nothing in it is refused */
    char source[8192], header[512], other_header[512], options[512], other_options[512], extra[64];
    size_t length;
    enum way way;
    bool has_header, rewrites_header;
};

static void say(struct recipe *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    r->length += (size_t)vsnprintf(r->source + r->length, sizeof r->source - r->length, format, values);
    va_end(values);
}

/* Names that a proof may be of, and all. */
static const char *const known[] = {"cl_khr_fp64",
                                    "cl_khr_fp16",
                                    "cl_khr_int64_base_atomics",
                                    "cl_khr_subgroups",
                                    "cl_khr_3d_image_writes",
                                    "cl_khr_spir",
                                    "cl_khr_srgb_image_writes",
                                    "cl_amd_fp64",
                                    "cl_intel_subgroups",
                                    "__OPENCL_VERSION__",
                                    "__OPENCL_C_VERSION__",
                                    "__IMAGE_SUPPORT__",
                                    "__ENDIAN_LITTLE__",
                                    "__EMBEDDED_PROFILE__",
                                    "__FAST_RELAXED_MATH__",
                                    "__opencl_c_fp64",
                                    "__opencl_c_int64",
                                    "__opencl_c_subgroups",
                                    "__APPLE__",
                                    "__NV_CL_C_VERSION",
                                    "M_PI",
                                    "FLT_MAX",
                                    "INT_MAX",
                                    "MINE",
                                    "MINE_TOO",
                                    "GIVEN",
                                    "NOWHERE",
                                    "EXTRA"};
static const char *const names[] = {"cl_khr_fp64",
                                    "cl_khr_fp16",
                                    "cl_khr_int64_base_atomics",
                                    "cl_khr_subgroups",
                                    "cl_khr_3d_image_writes",
                                    "cl_khr_spir",
                                    "cl_khr_icd",
                                    "cl_khr_int64",
                                    "cl_khr_depth_images",
                                    "cl_khr_srgb_image_writes",
                                    "cl_amd_fp64",
                                    "cl_intel_subgroups",
                                    "cl_khr_command_buffer",
                                    "__opencl_c_fp64",
                                    "__opencl_c_images",
                                    "__opencl_c_subgroups",
                                    "__opencl_c_int64",
                                    "__opencl_c_generic_address_space",
                                    "__opencl_c_pipes",
                                    "__OPENCL_VERSION__",
                                    "__OPENCL_C_VERSION__",
                                    "CL_VERSION_2_0",
                                    "CL_VERSION_3_0",
                                    "__IMAGE_SUPPORT__",
                                    "__ENDIAN_LITTLE__",
                                    "__EMBEDDED_PROFILE__",
                                    "__FAST_RELAXED_MATH__",
                                    "FP_FAST_FMAF",
                                    "FP_FAST_FMA",
                                    "__clang__",
                                    "__clang_major__",
                                    "__llvm__",
                                    "__GNUC__",
                                    "__POCL__",
                                    "POCL_DEVICE_ADDRESS_BITS",
                                    "LLVM_15_0",
                                    "CLANG_MAJOR",
                                    "MAX_WORK_DIM",
                                    "INTTYPE",
                                    "__x86_64__",
                                    "__AVX__",
                                    "__AVX512F__",
                                    "__AVX2__",
                                    "__SSE2__",
                                    "__SPIR__",
                                    "__SPIR64__",
                                    "__GPU__",
                                    "__NV_CL_C_VERSION",
                                    "__APPLE__",
                                    "__linux__",
                                    "linux",
                                    "__OPTIMIZE__",
                                    "__STDC__",
                                    "__STDC_VERSION__",
                                    "__COUNTER__",
                                    "__INCLUDE_LEVEL__",
                                    "__LINE__",
                                    "__cplusplus",
                                    "__kernel_exec",
                                    "kernel_exec",
                                    "atomic_init",
                                    "work_group_barrier",
                                    "vload",
                                    "NULL",
                                    "half",
                                    "sin",
                                    "mad24",
                                    "as_int",
                                    "convert_int",
                                    "inline",
                                    "M_PI",
                                    "M_PI_F",
                                    "FLT_MAX",
                                    "FLT_EPSILON",
                                    "INT_MAX",
                                    "NAN",
                                    "INFINITY",
                                    "MAXFLOAT",
                                    "CLK_LOCAL_MEM_FENCE",
                                    "CHAR_BIT",
                                    "DBL_MAX",
                                    "MINE",
                                    "MINE_TOO",
                                    "GIVEN",
                                    "NOWHERE",
                                    "_NOWHERE",
                                    "EXTRA",
                                    "CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE",
                                    "__SIZEOF_POINTER__",
                                    "__FLT_EVAL_METHOD__",
                                    "__BLOCKS__",
                                    "__block",
                                    "__OPENCL_CPP_VERSION__",
                                    "_LP64"};

/* What a condition asks of a name that may stand for anything. */
static void condition(struct recipe *r, const char *define)
{
    bool easy = r->open || !one_in(4);
    const char *name = easy ? PICK(known) : PICK(names);
    static const char *const forms[] = {"#ifdef %s\n%s#endif\n",
                                        "#ifndef %s\n%s#endif\n",
                                        "#if defined(%s)\n%s#endif\n",
                                        "#if !defined %s\n%s#endif\n",
                                        "#ifdef NOWHERE\n#elif defined(%s)\n%s#endif\n",
                                        "#if defined(%s) || defined(MINE)\n%s#endif\n",
                                        "#if defined(MINE) && \\\n    defined(%s)\n%s#endif\n",
                                        "#ifdef %s\n#else\n%s#endif\n"};
    static const char *const safe[] = {"__OPENCL_VERSION__ >= 300",
                                       "__OPENCL_C_VERSION__ < 200",
                                       "NOWHERE",
                                       "MINE",
                                       "!GIVEN",
                                       "cl_khr_fp16",
                                       "defined(cl_khr_fp64) && __OPENCL_VERSION__ > 100",
                                       "MINE + 1 > 1 && !defined(GIVEN)"};
    static const char *const values[] = {"__OPENCL_VERSION__ >= 300",
                                         "__OPENCL_C_VERSION__ < 200",
                                         "__clang_major__ < 20",
                                         "NOWHERE",
                                         "MINE",
                                         "!GIVEN",
                                         "__AVX2__",
                                         "cl_khr_fp16",
                                         "__COUNTER__ != 0",
                                         "__LINE__ > 3",
                                         "__has_builtin(__builtin_bitreverse8)",
                                         "__has_builtin(__builtin_elementwise_abs)",
                                         "__has_attribute(noinline)",
                                         "__has_feature(c_static_assert)",
                                         "__has_include(\"there.h\")",
                                         "INDIRECT",
                                         "PASTE(__AVX, 2__)",
                                         "CHECK",
                                         "__OPENCL_VERSION__ / 100 == CL_VERSION_3_0 / 100",
                                         "defined(cl_khr_fp64) && __OPENCL_VERSION__ > 100",
                                         "__FLT_RADIX__ == 2",
                                         "__INCLUDE_LEVEL__"};
    char form[128];
    if (one_in(3)) {
        say(r, "#if %s\n%s#endif\n", easy ? PICK(safe) : PICK(values), define);
        return;
    }
    strcpy(form, PICK(forms));
    say(r, form, name, define);
}

static void conditions(struct recipe *r)
{
    say(r, "#define MINE %u\n#define INDIRECT %s\n#define PASTE(a, b) a##b\n#define CHECK defined(%s)\n", below(2),
        PICK(names), PICK(names));
    if (one_in(4))
        say(r, "#undef MINE\n");
    for (unsigned i = 0, count = 1 + below(2); i < count; i++)
        condition(r, one_in(3) ? "#undef DEPENDS\n" : "#define DEPENDS 1\n");
}

/* Of a function that another program has nothing is known: no open program calls one. */
static const char *pick_sum(const struct recipe *r)
{
    static const char *const sums[] = {"in[i] * 3 + (int)x", "((in[i] ^ (int)y) << 2) - n", "in[(i * 7 + n) & 262143]",
                                       "helper(in[i])", "(int)mad24(in[i] & 4095, 3, (int)y)"};
    const char *sum = PICK(sums);
    return r->open && r->way == LINKED && strstr(sum, "helper") != NULL ? sums[0] : sum;
}

/* The results depend on the local size where DEPENDS is defined, unless the program is open. */
static void body(struct recipe *r)
{
    static const char *const places[] = {"get_local_id(0) * 7 + get_local_id(1)", "get_group_id(0)",
                                         "get_local_size(0)", "get_num_groups(1)",
                                         "(helper(3) + (int)get_local_size(1))"};
    static const char *const floats[] = {"f * 1.7f + (float)x", "sin(f) / (1.0f + f * f)",
                                         "(f + 0.1f) * (f - 0.3f) + f * f * 0.7f",
                                         "native_exp(f * 0.01f) + rsqrt(f + 2.0f)"};
    /* What DEPENDS adds where no result may depend on the size. */
    static const char *const others[] = {"n * 7", "get_global_size(0)", "in[i]"};
    bool linked = r->way == LINKED;
    say(r, linked ? "int helper(int v);\n" : "int helper(int v) { return v * 5 + 1; }\n");
    say(r,
        "__kernel void m(__global int *out, __global const int *in, int n) {\n    size_t x = get_global_id(0), y = "
        "get_global_id(1), i = %s;\n    int s = %s;\n    float f = (float)(in[i] & 255) * 0.37f;\n",
        r->open || !one_in(4) ? "x * 512 + y" : "y * 512 + x", pick_sum(r));
    say(r, "    for (int k = 0; k < %u; k++)\n        s = s * 1664525 + %s + k;\n", below(6), pick_sum(r));
    say(r, "    s ^= as_int(%s);\n", PICK(floats));
    if (!r->open && one_in(16))
        say(r, "    if (%s > %s)\n        s += (int)get_local_id(0);\n", one_in(2) ? "__LINE__" : "__OPENCL_VERSION__",
            one_in(2) ? "250" : "5");
    if (!r->open && one_in(12))
        say(r,
            "    __local int tile[4096];\n    int l = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));\n  "
            "  tile[l & 4095] = s;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    s = tile[l & 4095];\n");
    say(r, "#ifdef DEPENDS\n    s += (int)%s;\n#endif\n", r->open ? PICK(others) : PICK(places));
    say(r, !r->open && one_in(6) ? "    atomic_add(&out[(i * 31) %% 97], s);\n}\n" : "    out[i] = s;\n}\n");
}

static const char *const all_options[] = {"",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "-DOTHER",
                                          "-cl-std=CL1.2 -DGIVEN",
                                          "-cl-std=CL3.0 -w",
                                          "-cl-std=CL1.2",
                                          "-cl-std=CL3.0",
                                          "-cl-std=CL1.1",
                                          "-DGIVEN=1",
                                          "-D GIVEN",
                                          "-DDEPENDS=1",
                                          "-UMINE -DMINE_TOO",
                                          "-cl-fast-relaxed-math",
                                          "-cl-mad-enable",
                                          "-w",
                                          "-cl-finite-math-only -DGIVEN=0",
                                          "-cl-std=CL1.2 -DDEPENDS",
                                          "-Dcl_khr_fp16",
                                          "-D__AVX2__=0",
                                          "-cl-denorms-are-zero",
                                          "-cl-unsafe-math-optimizations",
                                          "-U__IMAGE_SUPPORT__"};

/* Under these a size may be changed. */
static const char *const open_options[] = {
    "", "-w", "-DGIVEN=1", "-DOTHER", "-cl-std=CL1.2 -DGIVEN", "-cl-std=CL3.0 -w", "-UMINE -DMINE_TOO"};

static void make_header(struct recipe *r, const char *directory, unsigned seed)
{
    static const char *const texts[] = {"#define DEPENDS 1\n", "\n", "#ifdef cl_khr_fp16\n#define DEPENDS 1\n#endif\n",
                                        "#ifndef __clang__\n#else\n#define DEPENDS 1\n#endif\n",
                                        "#pragma once\n#define MINE_TOO 1\n"};
    strcpy(r->header, PICK(texts));
    strcpy(r->other_header, PICK(texts));
    r->rewrites_header = one_in(3);
    say(r, "/* #include \"/dev/stdin\" */\n#if 0\n#include \"/dev/zero\"\n#endif\n#include \"h%u.h\"\n", seed);
    snprintf(r->options + strlen(r->options), sizeof r->options - strlen(r->options), " -I %s", directory);
    snprintf(r->other_options + strlen(r->other_options), sizeof r->other_options - strlen(r->other_options), " -I %s",
             directory);
}

static void make(struct recipe *r, unsigned seed, const char *directory)
{
    *r = (struct recipe){0};
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int i = 0; i < 4; i++)
        below(2);
    r->open = one_in(2);
    r->way = one_in(2) ? BUILD : (enum way)below(WAYS);
    strcpy(r->options, r->open ? PICK(open_options) : PICK(all_options));
    strcpy(r->other_options, r->open ? PICK(open_options) : PICK(all_options));
    if (!r->open && one_in(8))
        strcpy(r->extra, one_in(2) ? "-DDEPENDS=1" : "-DEXTRA");
    r->has_header = !r->open && one_in(4);
    if (r->has_header)
        make_header(r, directory, seed);
    conditions(r);
    body(r);
}

/* ---- Running it ---- */

static cl_context context;
static cl_device_id devices[MOST_DEVICES];
static cl_uint device_count;
static cl_command_queue queues[MOST_DEVICES];

static void require(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "differ: %s: %d\n", what, code);
    exit(1);
}

static void write_header(const char *directory, unsigned seed, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/h%u.h", directory, seed);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        require(-1, path);
}

static cl_program from_source(const char *text)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    require(code, "clCreateProgramWithSource");
    return program;
}

static cl_program linked(const struct recipe *r, cl_int *code)
{
    cl_program parts[2] = {from_source(r->source),
                           from_source("int helper(int v) { return v * 5 + (int)get_local_size(0) / 4096 + 2; }")};
    *code = clCompileProgram(parts[0], 0, NULL, r->options, 0, NULL, NULL, NULL, NULL);
    if (*code == CL_SUCCESS)
        *code = clCompileProgram(parts[1], 0, NULL, r->options, 0, NULL, NULL, NULL, NULL);
    cl_program program = *code == CL_SUCCESS ? clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, code) : NULL;
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    return program;
}

/* The same program from its binaries. */
static cl_program reloaded(cl_program from, cl_int *code)
{
    size_t sizes[MOST_DEVICES];
    unsigned char *bytes[MOST_DEVICES];
    require(clGetProgramInfo(from, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL), "CL_PROGRAM_BINARY_SIZES");
    for (cl_uint i = 0; i < device_count; i++)
        bytes[i] = malloc(sizes[i] + 1);
    require(clGetProgramInfo(from, CL_PROGRAM_BINARIES, sizeof bytes, bytes, NULL), "CL_PROGRAM_BINARIES");
    cl_program program =
        clCreateProgramWithBinary(context, device_count, devices, sizes, (const unsigned char **)bytes, NULL, code);
    for (cl_uint i = 0; i < device_count; i++)
        free(bytes[i]);
    if (*code == CL_SUCCESS)
        *code = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    clReleaseProgram(from);
    return program;
}

static cl_int build(cl_program program, const char *options)
{
    return clBuildProgram(program, 0, NULL, options, NULL, NULL);
}

static cl_program made(const struct recipe *r, cl_int *code)
{
    cl_kernel kernel;
    cl_int ignored;
    if (r->way == LINKED)
        return linked(r, code);
    cl_program program = from_source(r->source);
    *code = build(program, r->options);
    if (*code != CL_SUCCESS)
        return program;
    switch (r->way) {
    case REFUSED: /* there is a kernel */
        kernel = clCreateKernel(program, "m", &ignored);
        build(program, r->other_options);
        clReleaseKernel(kernel);
        break;
    case REBUILT:
        clReleaseKernel(clCreateKernel(program, "m", &ignored));
        *code = build(program, r->other_options);
        break;
    case BINARY: return reloaded(program, code);
    default: break;
    }
    return program;
}

static uint64_t checksum(const int *words)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < ITEMS; i++)
        sum = (sum ^ (uint32_t)words[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Several launches of one kernel, with the size left open or stated. */
static uint64_t launched(cl_kernel kernel, cl_command_queue queue, unsigned choices)
{
    static int words[ITEMS];
    static const size_t ranges[][2] = {{SIDE, SIDE}, {SIDE, SIDE}, {SIDE, 1}, {7, 13}},
                        locals[][2] = {{1, 1}, {SIDE / 8, 2}, {16, 1}, {7, 1}};
    const size_t *range = ranges[choices % 4], *local = choices / 4 % 3 == 0 ? locals[choices % 4] : NULL;
    cl_int code, n = (cl_int)(choices % 11);
    for (int i = 0; i < ITEMS; i++)
        words[i] = (int)((unsigned)i * 40503u % 65521u);
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &code),
           out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &code);
    require(code, "clCreateBuffer");
    require(clSetKernelArg(kernel, 0, sizeof out, &out), "argument");
    require(clSetKernelArg(kernel, 1, sizeof in, &in), "argument");
    require(clSetKernelArg(kernel, 2, sizeof n, &n), "argument");
    for (int i = 0; i < 2; i++)
        require(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range,
                                       range[0] % (local ? local[0] : 1) || range[1] % (local ? local[1] : 1) ? NULL
                                                                                                              : local,
                                       0, NULL, NULL),
                "clEnqueueNDRangeKernel");
    require(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL), "clEnqueueReadBuffer");
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    return checksum(words);
}

static void run_kernel(const struct recipe *r, cl_program program)
{
    cl_int code;
    unsigned choices = below(1000);
    if (r->open) /* the whole range, the size left open */
        choices = choices / 12 * 12 + 4;
    cl_kernel kernel = clCreateKernel(program, "m", &code);
    printf(" kernel %d", code);
    if (code != CL_SUCCESS)
        return;
    if (r->way == CLONED) {
        cl_kernel clone = clCloneKernel(kernel, &code);
        require(code, "clCloneKernel");
        clReleaseKernel(kernel);
        kernel = clone;
    }
    for (cl_uint i = 0; i < device_count; i++)
        printf(" %016llx", (unsigned long long)launched(kernel, queues[i], choices));
    clReleaseKernel(kernel);
}

static void run_seed(unsigned seed, const char *directory)
{
    static struct recipe r;
    cl_int code;
    make(&r, seed, directory);
    setenv("POCL_EXTRA_BUILD_FLAGS", r.extra, 1);
    if (r.has_header) {
        write_header(directory, seed, r.header);
        nanosleep(&(struct timespec){.tv_nsec = 20000000},
                  NULL); /* older than the build, as far as files' times tell */
    }
    cl_program program = made(&r, &code);
    if (r.rewrites_header)
        write_header(directory, seed, r.other_header);
    printf("%u build %d", seed, code);
    if (code == CL_SUCCESS)
        run_kernel(&r, program);
    printf("\n");
    fflush(stdout);
    if (program != NULL)
        clReleaseProgram(program);
}

static void open_devices(void)
{
    cl_platform_id platform;
    cl_int code;
    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count), "clGetDeviceIDs");
    context = clCreateContext(NULL, device_count, devices, NULL, NULL, &code);
    require(code, "clCreateContext");
    for (cl_uint i = 0; i < device_count; i++)
        queues[i] = clCreateCommandQueueWithProperties(context, devices[i], NULL, &code);
    require(code, "clCreateCommandQueue");
}

int main(int count, char **arguments)
{
    static struct recipe r;
    if (count == 3 && strcmp(arguments[2], "show") == 0) {
        make(&r, (unsigned)atoi(arguments[1]), ".");
        printf("%s// way %d, options '%s', others '%s', extra '%s'\n// header: %s// then: %s\n", r.source, r.way,
               r.options, r.other_options, r.extra, r.header, r.rewrites_header ? r.other_header : "the same");
        return 0;
    }
    if (count != 4)
        return 2;
    open_devices();
    for (unsigned seed = (unsigned)atoi(arguments[1]), last = (unsigned)atoi(arguments[2]); seed <= last; seed++)
        run_seed(seed, arguments[3]);
    return 0;
}
