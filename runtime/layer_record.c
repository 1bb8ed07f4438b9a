/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * GPUPERF_RECORD: notes each launch that went well. A thread of its own writes the file, at intervals and at the end:
 * no launch waits for a disk. Records, and the units they point to, live as long as the layer.
 */
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/layer_cl.h"
#include "runtime/record.h"

enum { MOST_RECORDED = 4096, MOST_SCALARS = 32, INTERVAL_SECONDS = 2, STOP_SECONDS = 2 };

struct recorded {
    struct recorded *next;
    struct gp_unit *unit; /* retained; NULL: not known */
    struct gp_recorded_launch launch;
};

/* Launches of a kernel over one range that differ in scalars: of a great many only the first are told apart. */
struct siblings {
    unsigned count;
    struct recorded *last;
};

/* With the layer's lock. */
static struct recorder {
    bool active, changed, stop, thread_runs;
    char *path; /* never freed: the thread may outlive its join */
    pthread_t thread;
    pthread_cond_t wake;
    locale_t c_locale;
    struct gp_map launches, siblings;
    struct gp_map objects; /* bytes of buffers and of images' texels, by handle */
    struct recorded *list;
    size_t count;
} recorder = {.wake = PTHREAD_COND_INITIALIZER};

bool gp_record_is_on(void) { return __atomic_load_n(&recorder.active, __ATOMIC_RELAXED); }

/* ---- Memory objects, whose handles look like numbers ---- */

static void remember(cl_mem handle, size_t bytes)
{
    if (handle == NULL)
        return;
    pthread_mutex_lock(&gp_layer.lock);
    if (bytes > 0)
        gp_map_put(&recorder.objects, gp_handle_key(handle), (void *)bytes, NULL);
    else
        gp_map_remove(&recorder.objects, gp_handle_key(handle));
    pthread_mutex_unlock(&gp_layer.lock);
}

static void remember_image(cl_mem handle)
{
    size_t bytes = 0;
    if (handle == NULL || gp_target.clGetImageInfo == NULL ||
        gp_target.clGetImageInfo(handle, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
        bytes = 0;
    remember(handle, bytes);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    cl_mem handle = gp_target.clCreateBuffer(context, flags, size, host, error);
    remember(handle, size);
    return handle;
}

static cl_mem CL_API_CALL create_buffer_with(cl_context context, const cl_mem_properties *properties,
                                             cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    cl_mem handle = gp_target.clCreateBufferWithProperties(context, properties, flags, size, host, error);
    remember(handle, size);
    return handle;
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error)
{
    cl_mem handle = gp_target.clCreateSubBuffer(whole, flags, type, region, error);
    if (type == CL_BUFFER_CREATE_TYPE_REGION)
        remember(handle, ((const cl_buffer_region *)region)->size);
    return handle;
}

static cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *description, void *host, cl_int *error)
{
    cl_mem handle = gp_target.clCreateImage(context, flags, format, description, host, error);
    remember_image(handle);
    return handle;
}

static cl_mem CL_API_CALL create_image_with(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                            const cl_image_format *format, const cl_image_desc *description, void *host,
                                            cl_int *error)
{
    cl_mem handle = gp_target.clCreateImageWithProperties(context, properties, flags, format, description, host, error);
    remember_image(handle);
    return handle;
}

static cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t pitch, void *host, cl_int *error)
{
    cl_mem handle = gp_target.clCreateImage2D(context, flags, format, width, height, pitch, host, error);
    remember_image(handle);
    return handle;
}

static void follow_objects(struct _cl_icd_dispatch *table, gp_entry_fits *fits)
{
    GP_FOLLOW(table, fits, clCreateBuffer, create_buffer);
    GP_FOLLOW(table, fits, clCreateBufferWithProperties, create_buffer_with);
    GP_FOLLOW(table, fits, clCreateSubBuffer, create_sub_buffer);
    GP_FOLLOW(table, fits, clCreateImage, create_image);
    GP_FOLLOW(table, fits, clCreateImageWithProperties, create_image_with);
    GP_FOLLOW(table, fits, clCreateImage2D, create_image_2d);
}

/* ---- Parameters: what the driver says of them, asked once for each kernel ---- */

static void ask_text(cl_kernel handle, cl_uint index, cl_kernel_arg_info what, char *text, size_t size)
{
    if (gp_target.clGetKernelArgInfo(handle, index, what, size - 1, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
}

static void ask_parameter(cl_kernel handle, cl_uint index, struct gp_parameter_info *info)
{
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    gp_target.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
    ask_text(handle, index, CL_KERNEL_ARG_NAME, info->name, sizeof info->name);
    ask_text(handle, index, CL_KERNEL_ARG_TYPE_NAME, info->type, sizeof info->type);
    info->local = space == CL_KERNEL_ARG_ADDRESS_LOCAL;
    info->buffer = space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
}

/* NULL: it says nothing. */
static struct gp_parameter_info *ask_parameters(cl_kernel handle, cl_uint *count)
{
    *count = 0;
    if (gp_target.clGetKernelArgInfo == NULL ||
        gp_target.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof *count, count, NULL) != CL_SUCCESS ||
        *count > GP_MAX_ARGUMENTS)
        return NULL;
    struct gp_parameter_info *infos = calloc(*count + 1, sizeof *infos);
    for (cl_uint i = 0; infos != NULL && i < *count; i++)
        ask_parameter(handle, i, &infos[i]);
    return infos;
}

static void know_parameters(cl_kernel handle)
{
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_kernel *kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(handle));
    bool known = kernel == NULL || kernel->infos != NULL;
    pthread_mutex_unlock(&gp_layer.lock);
    if (known)
        return;
    cl_uint count;
    struct gp_parameter_info *infos = ask_parameters(handle, &count);
    pthread_mutex_lock(&gp_layer.lock);
    kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(handle));
    if (kernel != NULL && kernel->infos == NULL && infos != NULL) {
        kernel->infos = infos;
        kernel->info_count = count;
        infos = NULL;
    }
    pthread_mutex_unlock(&gp_layer.lock);
    free(infos);
}

/* ---- Noting a launch: with the lock held ---- */

/* What the kernel is made from: of several linked ones that whose source has its name. NULL: not known. */
static struct gp_unit *unit_of(const struct gp_cl_kernel *kernel, const struct gp_cl_device *device)
{
    unsigned at = 0;
    struct gp_unit *first = NULL;
    for (struct gp_unit *unit; (unit = gp_built_next(&kernel->built, device, &at)) != NULL;) {
        if (unit->kind == GP_UNIT_SOURCE && strstr(unit->content, kernel->name) != NULL)
            return unit;
        first = first != NULL ? first : unit;
    }
    return first;
}

/* Of an object; 0: the argument is none, or nothing is known of it. */
static uint64_t object_bytes(const struct gp_raw_argument *argument, const struct gp_parameter_info *info)
{
    bool number = info->type[0] != '\0' && !info->buffer && strncmp(info->type, "image", 5) != 0;
    if (argument->size != sizeof(cl_mem) || argument->no_value || number)
        return 0;
    return (uintptr_t)gp_map_get(&recorder.objects, gp_handle_key((void *)(uintptr_t)argument->value));
}

static char *arguments_of(const struct gp_cl_kernel *kernel)
{
    static const struct gp_parameter_info nothing;
    struct gp_text text = {0};
    locale_t before = recorder.c_locale != (locale_t)0 ? uselocale(recorder.c_locale) : (locale_t)0;
    for (uint32_t i = 0; i < kernel->argument_count; i++) {
        const struct gp_parameter_info *info =
            kernel->infos != NULL && i < kernel->info_count ? &kernel->infos[i] : &nothing;
        gp_record_argument(i, &kernel->arguments[i], info, object_bytes(&kernel->arguments[i], info), &text);
    }
    if (before != (locale_t)0)
        uselocale(before);
    char *list = gp_text_take(&text);
    gp_text_free(&text);
    return list;
}

static struct gp_hash range_key(const struct gp_recorded_launch *launch, const struct gp_unit *unit)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, launch->kernel);
    gp_hash_add(&hasher, unit != NULL ? &unit->content_key : &(struct gp_hash){{0, 0}}, sizeof(struct gp_hash));
    gp_hash_add_u64(&hasher, launch->dims | (uint64_t)launch->open << 8);
    gp_hash_add(&hasher, launch->global, sizeof launch->global);
    gp_hash_add(&hasher, launch->local, sizeof launch->local);
    return gp_hash_end(&hasher);
}

static struct gp_hash with_arguments(struct gp_hash range, const char *arguments)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, &range, sizeof range);
    gp_hash_add_string(&hasher, arguments);
    return gp_hash_end(&hasher);
}

/* A new record, which takes over the arguments; NULL: out of memory. */
static struct recorded *add(const struct gp_recorded_launch *launch, struct gp_unit *unit, struct gp_hash key,
                            char *arguments)
{
    bool failed = false;
    struct recorded *recorded = calloc(1, sizeof *recorded);
    char *name = strdup(launch->kernel);
    if (recorded != NULL && name != NULL)
        gp_map_put(&recorder.launches, key, recorded, &failed);
    if (recorded == NULL || name == NULL || failed) {
        free(recorded);
        free(name);
        free(arguments);
        return NULL;
    }
    *recorded = (struct recorded){.next = recorder.list, .unit = unit, .launch = *launch};
    recorded->launch.kernel = name;
    recorded->launch.arguments = arguments;
    recorded->launch.order = recorder.count++;
    recorder.list = recorded;
    if (unit != NULL)
        gp_unit_retain(unit);
    return recorded;
}

static void note(const struct gp_recorded_launch *launch, struct gp_unit *unit, char *arguments)
{
    struct gp_hash range = range_key(launch, unit), key = with_arguments(range, arguments);
    struct recorded *recorded = gp_map_get(&recorder.launches, key);
    struct siblings *siblings = recorded == NULL ? gp_map_made(&recorder.siblings, range, sizeof *siblings) : NULL;
    if (siblings != NULL && siblings->count < MOST_SCALARS && recorder.count < MOST_RECORDED) {
        recorded = add(launch, unit, key, arguments);
        arguments = NULL;
        siblings->last = recorded != NULL ? recorded : siblings->last;
        siblings->count += recorded != NULL;
    } else if (siblings != NULL && siblings->last != NULL) {
        recorded = siblings->last;
        recorded->launch.others++;
    }
    free(arguments);
    if (recorded != NULL) {
        recorded->launch.count++;
        recorder.changed = true;
    }
}

/* ---- Writing ---- */

/* The source that it was built from, also of a binary where the cache knows that: the worker sets `origin` before the
 * slot's state. */
static const struct gp_unit *source_of(const struct gp_unit *unit)
{
    for (const struct gp_slot *slot = unit != NULL ? unit->slots : NULL; slot != NULL; slot = slot->next)
        if (unit->kind == GP_UNIT_BINARY && slot->state > GP_SLOT_LOOKUP && slot->origin != NULL)
            return slot->origin;
    return unit != NULL && unit->kind == GP_UNIT_SOURCE ? unit : NULL;
}

static struct gp_hash text_hash(const char *text)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, text);
    return gp_hash_end(&hasher);
}

/* All launches so far, to be used without the lock; free() it. NULL: out of memory. With the lock held. */
static struct gp_recorded_launch *take_launches(size_t *count)
{
    struct gp_recorded_launch *launches = calloc(recorder.count + 1, sizeof *launches);
    *count = 0;
    for (const struct recorded *r = recorder.list; r != NULL && launches != NULL; r = r->next) {
        const struct gp_unit *unit = source_of(r->unit);
        launches[*count] = r->launch;
        launches[*count].source = unit != NULL ? unit->content : NULL;
        launches[*count].options = unit != NULL ? &unit->options : NULL;
        ++*count;
    }
    return launches;
}

static void write_launches(struct gp_recorded_launch *launches, size_t count)
{
    static bool complained;
    struct gp_error error = {0};
    struct gp_text text = {0};
    for (size_t i = 0; i < count; i++)
        if (launches[i].source != NULL)
            launches[i].source_hash = text_hash(launches[i].source);
    gp_record_print(launches, count, recorder.path, &text);
    bool done =
        text.failed ? gp_fail(&error, "out of memory") : gp_record_write(recorder.path, &text, launches, count, &error);
    if (!done && !complained)
        gp_log(GP_LOG_NONE, "GPUPERF_RECORD: %s", error.text);
    complained |= !done;
    gp_text_free(&text);
}

/* With the lock held, which it gives up while it writes. */
static void write_if_changed(void)
{
    size_t count;
    if (!recorder.changed)
        return;
    struct gp_recorded_launch *launches = take_launches(&count);
    recorder.changed = false;
    pthread_mutex_unlock(&gp_layer.lock);
    if (launches != NULL)
        write_launches(launches, count);
    free(launches);
    pthread_mutex_lock(&gp_layer.lock);
}

static void *keep_writing(void *unused)
{
    (void)unused;
    if (recorder.c_locale != (locale_t)0)
        uselocale(recorder.c_locale);
    pthread_mutex_lock(&gp_layer.lock);
    while (!recorder.stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += INTERVAL_SECONDS;
        pthread_cond_timedwait(&recorder.wake, &gp_layer.lock, &until);
        write_if_changed();
    }
    write_if_changed();
    pthread_mutex_unlock(&gp_layer.lock);
    return NULL;
}

/* The program's signals are for the program's threads. With the lock held. */
static void start_thread(void)
{
    sigset_t all, before;
    if (recorder.thread_runs || recorder.stop)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    recorder.thread_runs = pthread_create(&recorder.thread, NULL, keep_writing, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- The layer's calls ---- */

void gp_record_launch(cl_command_queue queue, cl_kernel handle, cl_uint dims, const size_t *global,
                      const uint32_t local[3], bool open)
{
    cl_device_id id;
    struct gp_recorded_launch launch = {.dims = dims, .global = {1, 1, 1}, .open = open};
    if (gp_target.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL) != CL_SUCCESS)
        return;
    const struct gp_cl_device *device = gp_device_record(id);
    know_parameters(handle);
    for (cl_uint d = 0; d < dims && d < 3; d++)
        launch.global[d] = global[d];
    memcpy(launch.local, local, sizeof launch.local);
    pthread_mutex_lock(&gp_layer.lock);
    const struct gp_cl_kernel *kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(handle));
    char *arguments = kernel != NULL && device != NULL && recorder.active ? arguments_of(kernel) : NULL;
    if (arguments != NULL) {
        launch.kernel = kernel->name;
        note(&launch, unit_of(kernel, device), arguments);
        start_thread();
    }
    pthread_mutex_unlock(&gp_layer.lock);
}

void gp_record_begin(struct _cl_icd_dispatch *table, gp_entry_fits *fits)
{
    if (gp_layer.settings.record == NULL)
        return;
    pthread_mutex_lock(&gp_layer.lock);
    if (recorder.path == NULL)
        recorder.path = strdup(gp_layer.settings.record);
    if (recorder.c_locale == (locale_t)0)
        recorder.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    recorder.stop = false;
    __atomic_store_n(&recorder.active, recorder.path != NULL, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&gp_layer.lock);
    follow_objects(table, fits);
}

/* A disk that hangs is not waited for. */
void gp_record_end(void)
{
    struct timespec until;
    pthread_mutex_lock(&gp_layer.lock);
    bool runs = recorder.thread_runs;
    __atomic_store_n(&recorder.active, false, __ATOMIC_RELAXED);
    recorder.stop = true;
    pthread_cond_signal(&recorder.wake);
    if (!runs)
        write_if_changed();
    pthread_mutex_unlock(&gp_layer.lock);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += STOP_SECONDS;
    if (runs && pthread_timedjoin_np(recorder.thread, NULL, &until) == 0)
        recorder.thread_runs = false;
}

void gp_record_forked(void)
{
    pthread_cond_init(&recorder.wake, NULL);
    recorder.active = recorder.thread_runs = recorder.changed = false;
}
