/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The layer's door, with a driver made for the test: what the loader may ask, small tables, a driver that refuses every
 * local size but its own, and other drivers that are odd in one way. door LAYER PLUGIN [MODE]; the modes stand at the
 * end, with what they try. Exit status 77 when there is no plugin, after the part that needs none.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define _GNU_SOURCE
#include <CL/cl_ext.h>
#include <CL/cl_layer.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
#define REQUIRE(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "door.c:%d: not so: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)
/* clang-format on */

#define ENTRY(name) (offsetof(struct _cl_icd_dispatch, name) / sizeof(void *))

/* ---- The driver ---- */

static int objects[8]; /* addresses for handles */
static int refused, released;
static _Atomic int left_open;
static size_t refuse = 1;
static unsigned build_seconds;
static cl_uint capability; /* not 0: an NVIDIA GPU of that compute capability */
static const char *platform_name = "test platform";

static const char *text_of(cl_uint what)
{
    switch (what) {
    case CL_DEVICE_NAME: return "test device";
    case CL_DEVICE_VERSION: return "OpenCL 1.2 test";
    case CL_DRIVER_VERSION: return "1";
    case CL_DEVICE_OPENCL_C_VERSION: return "OpenCL C 1.2";
    case CL_DEVICE_EXTENSIONS: return "";
    case CL_PLATFORM_NAME: return platform_name;
    default: return NULL;
    }
}

static cl_int answer(const void *value, size_t length, size_t size, void *out, size_t *size_ret)
{
    if (size_ret != NULL)
        *size_ret = length;
    if (out != NULL && size < length)
        return CL_INVALID_VALUE;
    if (out != NULL)
        memcpy(out, value, length);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, size_t size, void *value,
                                      size_t *size_ret)
{
    (void)device;
    const char *text = text_of(what);
    cl_platform_id platform = (cl_platform_id)&objects[0];
    cl_device_type type = capability > 0 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    cl_uint major = capability / 10, minor = capability % 10;
    cl_uint two = 2, three = 3, clock = 2000;
    size_t sizes[3] = {1024, 1024, 1024};
    if (text != NULL)
        return answer(text, strlen(text) + 1, size, value, size_ret);
    switch (what) {
    case CL_DEVICE_PLATFORM: return answer(&platform, sizeof platform, size, value, size_ret);
    case CL_DEVICE_TYPE: return answer(&type, sizeof type, size, value, size_ret);
    case CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV:
        return major > 0 ? answer(&major, sizeof major, size, value, size_ret) : CL_INVALID_VALUE;
    case CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV:
        return major > 0 ? answer(&minor, sizeof minor, size, value, size_ret) : CL_INVALID_VALUE;
    case CL_DEVICE_MAX_COMPUTE_UNITS: return answer(&two, sizeof two, size, value, size_ret);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return answer(&three, sizeof three, size, value, size_ret);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY: return answer(&clock, sizeof clock, size, value, size_ret);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return answer(sizes, sizeof sizes, size, value, size_ret);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer(&sizes[0], sizeof sizes[0], size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info what, size_t size, void *value,
                                        size_t *size_ret)
{
    (void)platform;
    const char *text = text_of(what);
    return text != NULL ? answer(text, strlen(text) + 1, size, value, size_ret) : CL_INVALID_VALUE;
}

static int second_device, second_queue;

static cl_int CL_API_CALL queue_info(cl_command_queue queue, cl_command_queue_info what, size_t size, void *value,
                                     size_t *size_ret)
{
    cl_device_id device = (cl_device_id)(queue == (cl_command_queue)&second_queue ? &second_device : &objects[1]);
    cl_command_queue_properties in_order = 0;
    if (what == CL_QUEUE_PROPERTIES)
        return answer(&in_order, sizeof in_order, size, value, size_ret);
    return what == CL_QUEUE_DEVICE ? answer(&device, sizeof device, size, value, size_ret) : CL_INVALID_VALUE;
}

static size_t
    binary_length = 4096,
    grown_length; /* not 0: another thread has a kernel built when the binary is written, which is longer then */

static cl_int CL_API_CALL program_info(cl_program program, cl_program_info what, size_t size, void *value,
                                       size_t *size_ret)
{
    (void)program;
    cl_device_id device = (cl_device_id)&objects[1];
    unsigned char **binaries = value;
    switch (what) {
    case CL_PROGRAM_DEVICES: return answer(&device, sizeof device, size, value, size_ret);
    case CL_PROGRAM_BINARY_SIZES: return answer(&binary_length, sizeof binary_length, size, value, size_ret);
    case CL_PROGRAM_BINARIES:
        memset(binaries[0], 7, binary_length);
        binary_length = grown_length > 0 ? grown_length : binary_length;
        return CL_SUCCESS;
    default: return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *size_ret)
{
    (void)kernel;
    return what == CL_KERNEL_FUNCTION_NAME ? answer("fill", 5, size, value, size_ret) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                     void *value, size_t *size_ret)
{
    (void)kernel;
    (void)device;
    size_t group = 256, none[3] = {0};
    return what == CL_KERNEL_WORK_GROUP_SIZE ? answer(&group, sizeof group, size, value, size_ret)
                                             : answer(none, sizeof none, size, value, size_ret);
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **strings,
                                             const size_t *lengths, cl_int *error)
{
    (void)context, (void)count, (void)strings, (void)lengths;
    if (error != NULL)
        *error = CL_SUCCESS;
    return (cl_program)&objects[2];
}

static cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                 const size_t *lengths, const unsigned char **binaries, cl_int *status,
                                                 cl_int *error)
{
    (void)context, (void)count, (void)devices, (void)lengths, (void)binaries, (void)status, (void)error;
    return (cl_program)&objects[2];
}

static cl_int build_result;
static cl_build_status build_status;

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    (void)count, (void)devices, (void)options;
    sleep(build_seconds);
    if (notify != NULL && build_result == CL_SUCCESS)
        notify(program, data);
    return build_result;
}

static cl_int CL_API_CALL build_info(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                                     void *value, size_t *size_ret)
{
    (void)program, (void)device;
    return what == CL_PROGRAM_BUILD_STATUS ? answer(&build_status, sizeof build_status, size, value, size_ret)
                                           : CL_INVALID_VALUE;
}

static cl_program CL_API_CALL link_program(cl_context context, cl_uint count, const cl_device_id *devices,
                                           const char *options, cl_uint input_count, const cl_program *inputs,
                                           void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *error)
{
    (void)context, (void)count, (void)devices, (void)options, (void)input_count, (void)inputs, (void)notify, (void)data;
    *error = build_result;
    return (cl_program)&objects[0]; /* as some drivers do where they fail, too */
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    (void)program, (void)name;
    if (error != NULL)
        *error = CL_SUCCESS;
    return (cl_kernel)&objects[3];
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    (void)kernel, (void)index, (void)size, (void)value;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    (void)kernel;
    released++;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL release_program(cl_program program)
{
    (void)program;
    released++;
    return CL_SUCCESS;
}

/* Launches as they came, since taken was 0. */
static struct {
    size_t from, items, local;
} parts[8];
static int taken, refuse_at = -1;

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
                                  const size_t *global, const size_t *local, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
    (void)queue, (void)kernel, (void)dims, (void)count, (void)list;
    if (taken == refuse_at) {
        refuse_at = -1;
        return CL_OUT_OF_RESOURCES;
    }
    if (taken < 8) {
        parts[taken].from = offset != NULL ? offset[0] : 0;
        parts[taken].items = global[0];
        parts[taken].local = local != NULL ? local[0] : 0;
    }
    if (event != NULL) /* the number of the launch, for its times */
        *event = (cl_event)&parts[taken];
    taken++;
    if (local != NULL && refuse) {
        refused++;
        return CL_OUT_OF_RESOURCES;
    }
    left_open += local == NULL;
    return CL_SUCCESS;
}

/* Work-items take a nanosecond each in groups of 64 and more, two in the driver's own, and launches end at once. */
static cl_int CL_API_CALL profiling(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *size_ret)
{
    cl_ulong ns = 0;
    if (event == (cl_event)&objects[5])
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    size_t part = (size_t)((char *)event - (char *)parts) / sizeof parts[0];
    if (what == CL_PROFILING_COMMAND_END)
        ns = parts[part].items * (parts[part].local >= 64 ? 1 : 2);
    return answer(&ns, sizeof ns, size, value, size_ret);
}

static cl_int CL_API_CALL set_callback(cl_event event, cl_int status,
                                       void(CL_CALLBACK *callback)(cl_event, cl_int, void *), void *data)
{
    callback(event, status, data);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL marker(cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event)
{
    (void)queue, (void)count, (void)list;
    *event = (cl_event)&objects[5];
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_event(cl_event event)
{
    (void)event;
    return CL_SUCCESS;
}

static const struct _cl_icd_dispatch *layered; /* the layer's table */
static int asked_for_texels;

/* A program's call in another thread that the layer must let pass: it has nothing to do with what is under way. */
static void *call(void *unused)
{
    int n = 0;
    (void)unused;
    layered->clSetKernelArg((cl_kernel)&objects[7], 0, sizeof n, &n);
    return NULL;
}

static bool another_call_passes(void)
{
    struct timespec until;
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, call, NULL) == 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    return pthread_timedjoin_np(thread, NULL, &until) == 0;
}

static cl_int CL_API_CALL image_info(cl_mem image, cl_image_info what, size_t size, void *value, size_t *size_ret)
{
    size_t bytes = 4;
    REQUIRE(image == (cl_mem)&objects[6] && what == CL_IMAGE_ELEMENT_SIZE);
    REQUIRE(another_call_passes());
    asked_for_texels++;
    return answer(&bytes, sizeof bytes, size, value, size_ret);
}

static struct _cl_icd_dispatch driver(void)
{
    return (struct _cl_icd_dispatch){.clGetDeviceInfo = device_info,
                                     .clGetPlatformInfo = platform_info,
                                     .clGetCommandQueueInfo = queue_info,
                                     .clGetProgramInfo = program_info,
                                     .clGetKernelInfo = kernel_info,
                                     .clGetKernelWorkGroupInfo = group_info,
                                     .clCreateProgramWithSource = create_program,
                                     .clCreateProgramWithBinary = create_with_binary,
                                     .clGetImageInfo = image_info,
                                     .clBuildProgram = build,
                                     .clGetProgramBuildInfo = build_info,
                                     .clLinkProgram = link_program,
                                     .clCreateKernel = create_kernel,
                                     .clSetKernelArg = set_argument,
                                     .clReleaseKernel = release_kernel,
                                     .clReleaseProgram = release_program,
                                     .clEnqueueNDRangeKernel = enqueue,
                                     .clEnqueueMarkerWithWaitList = marker,
                                     .clSetEventCallback = set_callback,
                                     .clReleaseEvent = release_event,
                                     .clGetEventProfilingInfo = profiling};
}

/* ---- The loader ---- */

typedef cl_int(CL_API_CALL *init_with_properties)(cl_uint, const struct _cl_icd_dispatch *, cl_uint *,
                                                  const struct _cl_icd_dispatch **, const uint64_t *);
typedef cl_int(CL_API_CALL *deinit)(void);

static void *layer;

static void *function(const char *name)
{
    void *address = dlsym(layer, name);
    if (address == NULL) {
        fprintf(stderr, "the layer has no %s\n", name);
        exit(1);
    }
    return address;
}

static void ask_for_information(void)
{
    pfn_clGetLayerInfo get = (pfn_clGetLayerInfo)function("clGetLayerInfo");
    cl_layer_api_version version = 0;
    char name[32];
    size_t size;
    REQUIRE(get(CL_LAYER_API_VERSION, sizeof version, &version, &size) == CL_SUCCESS && size == sizeof version);
    REQUIRE(version == CL_LAYER_API_VERSION_100);
    REQUIRE(get(CL_LAYER_API_VERSION, 1, &version, NULL) == CL_INVALID_VALUE);
    REQUIRE(get(CL_LAYER_NAME, sizeof name, name, NULL) == CL_SUCCESS && strcmp(name, "gpuperf") == 0);
    REQUIRE(get(0x1234, sizeof name, name, NULL) == CL_INVALID_VALUE);
}

static void refuse_nonsense(void)
{
    init_with_properties with_properties = (init_with_properties)function("clInitLayerWithProperties");
    pfn_clInitLayer init = (pfn_clInitLayer)function("clInitLayer");
    struct _cl_icd_dispatch target = driver();
    const struct _cl_icd_dispatch *table;
    uint64_t unknown[3] = {77, 1, 0};
    cl_uint entries;
    REQUIRE(init(0, &target, &entries, &table) == CL_INVALID_VALUE);
    REQUIRE(init(100, NULL, &entries, &table) == CL_INVALID_VALUE);
    REQUIRE(with_properties(sizeof target / sizeof(void *), &target, &entries, &table, unknown) == CL_INVALID_PROPERTY);
}

/* A loader of OpenCL 1.0 knows fewer entries; one that lacks what the layer needs is left alone. */
static void small_tables(void)
{
    pfn_clInitLayer init = (pfn_clInitLayer)function("clInitLayer");
    deinit end = (deinit)function("clDeinitLayer");
    struct _cl_icd_dispatch target = driver();
    const struct _cl_icd_dispatch *table;
    cl_uint entries = 0;
    REQUIRE(init(ENTRY(clEnqueueNDRangeKernel) + 1, &target, &entries, &table) == CL_SUCCESS);
    REQUIRE(entries == ENTRY(clEnqueueNDRangeKernel) + 1);
    REQUIRE(table->clEnqueueNDRangeKernel != enqueue && table->clCreateProgramWithSource != create_program);
    REQUIRE(init(entries, &target, &entries, &table) == CL_INVALID_OPERATION); /* named twice */
    REQUIRE(end() == CL_SUCCESS && end() == CL_SUCCESS);
    REQUIRE(init(ENTRY(clGetDeviceInfo) + 1, &target, &entries, &table) == CL_SUCCESS);
    REQUIRE(entries == ENTRY(clGetDeviceInfo) + 1 && table->clGetDeviceInfo == device_info);
    REQUIRE(end() == CL_SUCCESS);
}

static void launch(const struct _cl_icd_dispatch *table, cl_kernel kernel, size_t range)
{
    REQUIRE(table->clEnqueueNDRangeKernel((cl_command_queue)&objects[4], kernel, 1, NULL, &range, NULL, 0, NULL,
                                          NULL) == CL_SUCCESS);
}

/* The caller releases both. */
static cl_kernel kernel_of(const struct _cl_icd_dispatch *table, cl_program *program, const char *source)
{
    *program = table->clCreateProgramWithSource(NULL, 1, &source, NULL, NULL);
    REQUIRE(table->clBuildProgram(*program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    return table->clCreateKernel(*program, "fill", NULL);
}

static cl_kernel fill_kernel(const struct _cl_icd_dispatch *table, cl_program *program)
{
    int n = 5;
    cl_kernel kernel =
        kernel_of(table, program, "__kernel void fill(__global int *out, int n) { out[get_global_id(0)] = n; }");
    table->clSetKernelArg(kernel, 1, sizeof n, &n);
    return kernel;
}

static void unload(const struct _cl_icd_dispatch *table, cl_kernel kernel, cl_program program)
{
    table->clReleaseKernel(kernel);
    table->clReleaseProgram(program);
    REQUIRE(((deinit)function("clDeinitLayer"))() == CL_SUCCESS);
}

/* As the loader does; deinit ends it. */
static const struct _cl_icd_dispatch *load_layer(void)
{
    init_with_properties init = (init_with_properties)function("clInitLayerWithProperties");
    struct _cl_icd_dispatch target = driver();
    const struct _cl_icd_dispatch *table;
    cl_uint entries;
    REQUIRE(init(sizeof target / sizeof(void *), &target, &entries, &table, NULL) == CL_SUCCESS);
    return table;
}

static void driver_refuses(void)
{
    const struct _cl_icd_dispatch *table = load_layer();
    cl_program program;
    cl_kernel kernel = fill_kernel(table, &program);
    launch(table, kernel, 4096);
    REQUIRE(refused == 1 && left_open == 1); /* chosen, refused, launched as it was */
    launch(table, kernel, 4096);
    REQUIRE(refused == 1 && left_open == 2); /* not tried again */
    refuse = 0;
    launch(table, kernel, 8192);
    REQUIRE(refused == 1 && left_open == 2); /* another range is another choice */
    table->clReleaseKernel(kernel);
    table->clReleaseProgram(program);
    REQUIRE(released == 2);
    REQUIRE(((deinit)function("clDeinitLayer"))() == CL_SUCCESS);
}

static void launch_once(void)
{
    const struct _cl_icd_dispatch *table = load_layer();
    refuse = 0;
    cl_program program;
    cl_kernel kernel = fill_kernel(table, &program);
    launch(table, kernel, 4096);
    unload(table, kernel, program);
}

/* A row of a prime length, longer than the driver says a group may be, which it launches as one group all the same. */
static void rows_of_nvidias_driver(void)
{
    const struct _cl_icd_dispatch *table = load_layer();
    refuse = 0;
    cl_program program;
    cl_kernel kernel = fill_kernel(table, &program);
    launch(table, kernel, 1021);
    REQUIRE(taken == 1 && parts[0].local == 0);
    unload(table, kernel, program);
}

/* All of `range` was launched once, in so many parts one behind the other. */
static void require_all(int count, size_t range)
{
    size_t next = 0;
    REQUIRE(taken == count);
    for (int i = 0; i < count; i++) {
        REQUIRE(parts[i].from == next);
        next += parts[i].items;
    }
    REQUIRE(next == range);
    taken = 0;
}

/* The window's parts are of two saturations and of three, with the driver's size where that is tried. */
static void require_window(int first, bool tries)
{
    for (int i = 0; i < taken; i++)
        REQUIRE((parts[i].local == 0) == (tries && (i == first || i == first + 1)));
    REQUIRE(parts[first].items < parts[first + 1].items);
}

/* The size that the model chose is tried against the driver's, in launches that are cut. */
static void launches_in_parts(void)
{
    const size_t range = (size_t)1 << 30, other = (size_t)3 << 28;
    const struct _cl_icd_dispatch *table = load_layer();
    refuse = 0;
    cl_program program;
    cl_kernel kernel = fill_kernel(table, &program);
    for (int run = 0; run < 8; run++) {
        launch(table, kernel, range);
        if (run < 2) { /* how long it takes */
            REQUIRE(parts[0].local >= 64);
            require_all(1, range);
            continue;
        }
        /* the driver's is twice as slow: two windows tell, each with both sizes, after a launch of each */
        require_window(1, run == 2 || run == 4 || run == 7);
        require_all(run < 6 ? 4 : 3, range); /* the second window is at the range's end */
    }
    launch(table, kernel, range);
    REQUIRE(parts[0].local >= 64);
    require_all(1, range);
    for (int look = 0; look < 2; look++)
        launch(table, kernel, other);
    taken = 0;
    refuse_at = 0; /* not a part of it: launched as a whole */
    launch(table, kernel, other);
    REQUIRE(parts[0].local >= 64);
    require_all(1, other);
    launch(table, kernel, other); /* and not tried again */
    require_all(1, other);
    for (int at = 1; at <= 2; at++) { /* what is left is launched as the program made it */
        const size_t next = other + (size_t)at * 1024 * 1024;
        for (int look = 0; look < 2; look++)
            launch(table, kernel, next);
        taken = 0;
        refuse_at = at;
        launch(table, kernel, next);
        REQUIRE(parts[at].local == 0);
        require_all(at + 1, next);
    }
    unload(table, kernel, program);
}

/* The first process fills the cache, without a line of the log. */
static void launch_after_another_process(void)
{
    int status;
    pid_t first = fork();
    if (first == 0) {
        setenv("GPUPERF_LOG", "0", 1);
        launch_once();
        exit(0);
    }
    REQUIRE(waitpid(first, &status, 0) == first && status == 0);
    unsetenv("GPUPERF_WAIT");
    build_seconds = 1;
    launch_once();
}

/* The driver is asked for an image's texels once for each time that the image is set, and other threads' calls pass
 * meanwhile. */
static void texels_are_asked_for(void)
{
    cl_program program;
    cl_mem image = (cl_mem)&objects[6];
    layered = load_layer();
    refuse = 0;
    cl_kernel kernel =
        kernel_of(layered, &program,
                  "__kernel void fill(read_only image2d_t in, __global float4 *out) {"
                  " out[get_global_id(0)] = read_imagef(in, CLK_FILTER_NEAREST, (int2)(get_global_id(0), 0)); }");
    layered->clSetKernelArg(kernel, 0, sizeof image, &image);
    launch(layered, kernel, 4096);
    launch(layered, kernel, 4096);
    launch(layered, kernel, 8192);
    REQUIRE(asked_for_texels == 1);
    layered->clSetKernelArg(kernel, 0, sizeof image, &image);
    launch(layered, kernel, 16384);
    REQUIRE(asked_for_texels == 2);
    unload(layered, kernel, program);
}

/* What a program reads of its binary ends where the driver has written it to, and a device may have none. */
static void binaries_of_any_length(void)
{
    const struct _cl_icd_dispatch *table = load_layer();
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), lengths[2] = {0, 4};
    const cl_device_id devices[2] = {(cl_device_id)&objects[1], (cl_device_id)&objects[1]};
    const unsigned char *one_missing[2] = {NULL, (const unsigned char *)"code"};
    cl_program program;
    unsigned char *bytes = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(bytes != MAP_FAILED && mprotect(bytes + page, page, PROT_NONE) == 0);
    cl_kernel kernel = fill_kernel(table, &program);
    binary_length = page;
    grown_length = 2 * page;
    REQUIRE(table->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS);
    REQUIRE(table->clReleaseProgram(program) == CL_SUCCESS);
    program = table->clCreateProgramWithBinary(NULL, 2, devices, lengths, one_missing, NULL, NULL);
    unload(table, kernel, program);
    munmap(bytes, 2 * page);
}

/* A range of more work-items than there can be, on a driver whose rule is known. */
static void uncountable_range(void)
{
    const struct _cl_icd_dispatch *table = load_layer();
    const size_t range[2] = {(size_t)1 << 40, (size_t)1 << 40};
    cl_program program;
    cl_kernel kernel = fill_kernel(table, &program);
    REQUIRE(table->clEnqueueNDRangeKernel((cl_command_queue)&objects[4], kernel, 2, NULL, range, NULL, 0, NULL, NULL) ==
            CL_SUCCESS);
    REQUIRE(left_open == 1);
    unload(table, kernel, program);
}

/* What is under way when the layer is ended comes once it is loaded again: a compile, then a decision. */
static void ended_and_loaded_again(void)
{
    refuse = 0;
    for (int round = 0; round < 3; round++) {
        const struct _cl_icd_dispatch *table = load_layer();
        cl_program program;
        cl_kernel kernel = fill_kernel(table, &program);
        taken = 0;
        launch(table, kernel, round < 2 ? 4096 : 8192);
        REQUIRE(taken == 1 && (parts[0].local != 0) == (round > 0));
        if (round == 0)
            usleep(20000); /* the compile is running */
        unload(table, kernel, program);
        setenv("GPUPERF_WAIT", "120000", 1);
    }
}

static void *launch_in_thread(void *kernel)
{
    launch(layered, kernel, 4096);
    return NULL;
}

/* Nobody reads the log, and the pipe that it goes to is full: who writes it waits for a while, nobody else, and no
 * launch waits for good. */
static void log_that_nobody_reads(void)
{
    int ends[2], before = dup(STDERR_FILENO);
    char page[4096] = "";
    pthread_t thread;
    cl_program program;
    layered = load_layer();
    cl_kernel kernel = fill_kernel(layered, &program);
    REQUIRE(pipe(ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    while (write(ends[1], page, sizeof page) > 0)
        ;
    REQUIRE(fcntl(ends[1], F_SETFL, 0) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    REQUIRE(pthread_create(&thread, NULL, launch_in_thread, kernel) == 0);
    usleep(300000); /* it has its line to write */
    bool passes = another_call_passes(), waits = left_open == 0;
    pthread_join(thread, NULL);
    launch(layered, kernel, 4096);
    dup2(before, STDERR_FILENO);
    REQUIRE(passes && waits && left_open == 2);
    unload(layered, kernel, program);
}

/* The log goes to a pipe without a reader: the signal for that is not the program's, unless the program has one of its
 * own waiting. */
static void log_that_nobody_can_read(void)
{
    int ends[2], before = dup(STDERR_FILENO);
    sigset_t pipe_signal, pending;
    cl_program program;
    layered = load_layer();
    cl_kernel kernel = fill_kernel(layered, &program);
    REQUIRE(pipe(ends) == 0 && close(ends[0]) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    launch(layered, kernel, 4096);
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    REQUIRE(sigprocmask(SIG_BLOCK, &pipe_signal, NULL) == 0 && raise(SIGPIPE) == 0);
    launch(layered, kernel, 8192);
    dup2(before, STDERR_FILENO);
    REQUIRE(left_open == 2 && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1);
    unload(layered, kernel, program);
}

/* ---- What a program was built from ---- */

static const char *const depends_source = "__kernel void fill(__global int *out, int n) {\n"
                                          "#ifdef DEPENDS\n"
                                          "    out[get_global_id(0)] = n + (int)get_local_id(0);\n"
                                          "#else\n"
                                          "    out[get_global_id(0)] = n;\n"
                                          "#endif\n"
                                          "}";
static cl_program depends;

static cl_int built_with(const char *options, cl_device_id device, cl_int result)
{
    build_result = result;
    return layered->clBuildProgram(depends, device != NULL ? 1 : 0, device != NULL ? &device : NULL, options, NULL,
                                   NULL);
}

/* Whether the layer gave a kernel of the program that is made now a local size. */
static bool is_chosen(cl_program program, cl_command_queue queue)
{
    const size_t range = 4096;
    int n = 5;
    cl_kernel kernel = layered->clCreateKernel(program, "fill", NULL);
    layered->clSetKernelArg(kernel, 1, sizeof n, &n);
    taken = 0;
    REQUIRE(layered->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &range, NULL, 0, NULL, NULL) == CL_SUCCESS &&
            taken == 1);
    layered->clReleaseKernel(kernel);
    return parts[0].local != 0;
}

static const cl_command_queue first = (cl_command_queue)&objects[4], second = (cl_command_queue)&second_queue;

static void begin_builds(void)
{
    layered = load_layer();
    refuse = 0;
    depends = layered->clCreateProgramWithSource(NULL, 1, (const char **)&depends_source, NULL, NULL);
}

/* What the driver refuses did not happen; what went wrong leaves nothing that is known. */
static void refused_builds(void)
{
    begin_builds();
    REQUIRE(built_with("-DDEPENDS", NULL, CL_SUCCESS) == CL_SUCCESS && !is_chosen(depends, first));
    REQUIRE(built_with("", NULL, CL_INVALID_OPERATION) == CL_INVALID_OPERATION && !is_chosen(depends, first));
    REQUIRE(built_with("", NULL, CL_SUCCESS) == CL_SUCCESS && is_chosen(depends, first));
    REQUIRE(built_with("-DDEPENDS", NULL, CL_INVALID_OPERATION) == CL_INVALID_OPERATION && is_chosen(depends, first));
    REQUIRE(built_with("", NULL, CL_BUILD_PROGRAM_FAILURE) == CL_BUILD_PROGRAM_FAILURE && !is_chosen(depends, first));
    REQUIRE(built_with("", NULL, CL_SUCCESS) == CL_SUCCESS);
    cl_kernel kernel = layered->clCreateKernel(depends, "fill", NULL);
    REQUIRE(built_with("-DDEPENDS", NULL, CL_SUCCESS) == CL_SUCCESS); /* although there is a kernel */
    taken = 0;
    launch(layered, kernel, 4096);
    REQUIRE(parts[0].local == 0);
    unload(layered, kernel, depends);
}

/* What one device's program was built with the other's was not. */
static void builds_per_device(void)
{
    begin_builds();
    built_with("-DDEPENDS", (cl_device_id)&objects[1], CL_SUCCESS);
    built_with("", (cl_device_id)&second_device, CL_SUCCESS);
    REQUIRE(!is_chosen(depends, first) && is_chosen(depends, second));
    built_with("", (cl_device_id)&objects[1], CL_SUCCESS);
    built_with("-DDEPENDS", (cl_device_id)&second_device, CL_SUCCESS);
    REQUIRE(is_chosen(depends, first) && !is_chosen(depends, second));
    cl_int error;
    cl_program linked = layered->clLinkProgram(NULL, 0, NULL, NULL, 1, &depends, NULL, NULL, &error);
    REQUIRE(is_chosen(linked, first) && !is_chosen(linked, second));
    build_result = CL_LINK_PROGRAM_FAILURE;
    linked = layered->clLinkProgram(NULL, 0, NULL, NULL, 1, &depends, NULL, NULL, &error);
    REQUIRE(error == CL_LINK_PROGRAM_FAILURE);
}

static bool chosen_in_callback;

static void CL_CALLBACK on_built(cl_program program, void *data)
{
    REQUIRE(data == &chosen_in_callback);
    chosen_in_callback = is_chosen(program, first);
}

/* A build that ends in a callback is noted when it has ended, before the program hears of it. */
static void builds_with_a_callback(void)
{
    begin_builds();
    build_result = CL_SUCCESS;
    REQUIRE(layered->clBuildProgram(depends, 0, NULL, "", on_built, &chosen_in_callback) == CL_SUCCESS &&
            chosen_in_callback);
    REQUIRE(layered->clBuildProgram(depends, 0, NULL, "-DDEPENDS", on_built, &chosen_in_callback) == CL_SUCCESS &&
            !chosen_in_callback);
    REQUIRE(layered->clBuildProgram(depends, 0, NULL, "", on_built, &chosen_in_callback) == CL_SUCCESS &&
            chosen_in_callback);
    build_result = CL_INVALID_OPERATION;
    REQUIRE(layered->clBuildProgram(depends, 0, NULL, "-DDEPENDS", on_built, &chosen_in_callback) ==
                CL_INVALID_OPERATION &&
            is_chosen(depends, first));
    build_result = CL_SUCCESS;
    build_status = CL_BUILD_ERROR;
    REQUIRE(layered->clBuildProgram(depends, 0, NULL, "", on_built, &chosen_in_callback) == CL_SUCCESS &&
            !chosen_in_callback);
}

static const struct mode {
    const char *name;
    void (*run)(void);
    bool needs_plugin;
    bool does_not_wait; /* for decisions */
    cl_uint capability;
    const char *platform;
} modes[] = {
    {"unlisted", .run = launch_once,
     .capability = 87}, /* a GPU that no file of the database describes: the log tells what it is taken for */
    {"parts", .run = launches_in_parts, .needs_plugin = true, .capability = 87}, /* launches that are sampled */
    {"building", .run = launch_after_another_process, .needs_plugin = true,
     .capability = 87}, /* a second process, whose driver takes a second to build: the log tells that its first launch
                           had its decision from the cache */
    {"nvidia", .run = rows_of_nvidias_driver, .needs_plugin = true, .capability = 87,
     .platform = "NVIDIA CUDA"}, /* whose choice is known */
    {"images", .run = texels_are_asked_for, .needs_plugin = true},
    {"binaries", .run = binaries_of_any_length, .does_not_wait = true},
    {"uncountable", .run = uncountable_range, .does_not_wait = true, .platform = "Portable Computing Language"},
    {"again", .run = ended_and_loaded_again, .needs_plugin = true, .does_not_wait = true},
    {"refused", .run = refused_builds, .needs_plugin = true},
    {"devices", .run = builds_per_device, .needs_plugin = true},
    {"callback", .run = builds_with_a_callback, .needs_plugin = true},
    {"unread", .run = log_that_nobody_reads, .does_not_wait = true},
    {"unreadable", .run = log_that_nobody_can_read, .does_not_wait = true},
};

static int run_mode(const char *name, const char *plugin)
{
    const struct mode *mode = modes;
    while (mode < modes + sizeof modes / sizeof modes[0] && strcmp(mode->name, name) != 0)
        mode++;
    if (mode == modes + sizeof modes / sizeof modes[0])
        return 2;
    if (mode->needs_plugin && access(plugin, R_OK) != 0)
        return 77;
    capability = mode->capability;
    platform_name = mode->platform != NULL ? mode->platform : platform_name;
    setenv("GPUPERF_PLUGIN", plugin, 1);
    if (!mode->does_not_wait)
        setenv("GPUPERF_WAIT", "120000", 1);
    mode->run();
    return 0;
}

int main(int count, char **arguments)
{
    if (count < 3 || count > 4)
        return 2;
    layer = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (layer == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    if (count == 4)
        return run_mode(arguments[3], arguments[2]);
    ask_for_information();
    refuse_nonsense();
    small_tables();
    if (access(arguments[2], R_OK) != 0)
        return 77;
    setenv("GPUPERF_PLUGIN", arguments[2], 1);
    setenv("GPUPERF_WAIT", "120000", 1);
    driver_refuses();
    return 0;
}
