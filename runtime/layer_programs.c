/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Follows programs, kernels and arguments. Each function calls the driver first (or last, where a handle may be reused)
 * without the lock. */
#include <stdlib.h>
#include <string.h>

#include "runtime/layer_cl.h"
#include "support/text.h"

/* ---- Records: with the lock held ---- */

void gp_cl_program_free(struct gp_program *program)
{
    if (program == NULL)
        return;
    gp_built_free(&program->made_from);
    gp_built_free(&program->built);
    free(program->source);
    free(program);
}

static void free_kernel(struct gp_cl_kernel *kernel)
{
    if (kernel == NULL)
        return;
    gp_built_free(&kernel->built);
    for (struct gp_kernel_device *d = kernel->devices, *next; d != NULL; d = next) {
        next = d->next;
        free(d);
    }
    free(kernel->arguments);
    free(kernel->infos);
    free(kernel->name);
    free(kernel);
}

struct gp_program *gp_cl_program_find(cl_program handle)
{
    return gp_map_get(&gp_layer.programs, gp_handle_key(handle));
}
static struct gp_cl_kernel *find_kernel(cl_kernel handle)
{
    return gp_map_get(&gp_layer.kernels, gp_handle_key(handle));
}

/* A record left from an object of the same address that went away unseen is replaced. */
void gp_cl_program_remember(cl_program handle, struct gp_program *program)
{
    bool failed = false;
    if (program == NULL)
        return;
    program->references = 1;
    gp_cl_program_free(gp_map_put(&gp_layer.programs, gp_handle_key(handle), program, &failed));
    if (failed)
        gp_cl_program_free(program);
}

static void remember_kernel(cl_kernel handle, struct gp_cl_kernel *kernel)
{
    bool failed = false;
    if (kernel == NULL)
        return;
    kernel->references = 1;
    free_kernel(gp_map_put(&gp_layer.kernels, gp_handle_key(handle), kernel, &failed));
    if (failed)
        free_kernel(kernel);
}

static struct gp_cl_kernel *kernel_of(const struct gp_built_list *built, void *program, const char *name)
{
    struct gp_cl_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return NULL;
    kernel->name = strdup(name);
    kernel->program = program;
    if (kernel->name == NULL || !gp_built_copy(&kernel->built, built)) {
        free_kernel(kernel);
        return NULL;
    }
    return kernel;
}

/* ---- Programs ---- */

static char *joined_source(cl_uint count, const char **strings, const size_t *lengths)
{
    struct gp_text text = {0};
    for (cl_uint i = 0; i < count; i++)
        gp_text_append(&text, strings[i], lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]));
    return gp_text_take(&text);
}

static cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char **strings,
                                                 const size_t *lengths, cl_int *error)
{
    cl_program handle = gp_target.clCreateProgramWithSource(context, count, strings, lengths, error);
    if (handle == NULL)
        return handle;
    struct gp_program *program = calloc(1, sizeof *program);
    if (program != NULL)
        program->source = joined_source(count, strings, lengths);
    pthread_mutex_lock(&gp_layer.lock);
    gp_cl_program_remember(handle, program);
    pthread_mutex_unlock(&gp_layer.lock);
    return handle;
}

/* The unit's reference goes to the program; NULL is allowed and does nothing. device NULL: all. */
static void made_from(struct gp_program *program, cl_device_id device, struct gp_unit *unit)
{
    if (unit == NULL)
        return;
    gp_built_add(&program->made_from, device, unit);
    gp_unit_release(unit);
}

static cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                 const size_t *lengths, const unsigned char **binaries, cl_int *status,
                                                 cl_int *error)
{
    cl_program handle = gp_target.clCreateProgramWithBinary(context, count, devices, lengths, binaries, status, error);
    if (handle == NULL)
        return handle;
    struct gp_program *program = calloc(1, sizeof *program);
    pthread_mutex_lock(&gp_layer.lock);
    for (cl_uint i = 0; program != NULL && i < count; i++)
        if (binaries[i] != NULL && (status == NULL || status[i] == CL_SUCCESS))
            made_from(program, devices[i], gp_unit_binary(GP_UNIT_BINARY, binaries[i], lengths[i]));
    gp_cl_program_remember(handle, program);
    pthread_mutex_unlock(&gp_layer.lock);
    return handle;
}

static cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    cl_program handle = gp_target.clCreateProgramWithIL(context, il, length, error);
    if (handle == NULL)
        return handle;
    struct gp_program *program = calloc(1, sizeof *program);
    pthread_mutex_lock(&gp_layer.lock);
    if (program != NULL)
        made_from(program, NULL, gp_unit_binary(GP_UNIT_IL, il, length));
    gp_cl_program_remember(handle, program);
    pthread_mutex_unlock(&gp_layer.lock);
    return handle;
}

static cl_int CL_API_CALL retain_program(cl_program handle)
{
    cl_int result = gp_target.clRetainProgram(handle);
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_program *program = gp_cl_program_find(handle);
    if (result == CL_SUCCESS && program != NULL)
        program->references++;
    pthread_mutex_unlock(&gp_layer.lock);
    return result;
}

/* The record goes first: as soon as the driver has released the object another thread may get its address. */
static cl_int CL_API_CALL release_program(cl_program handle)
{
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_program *program = gp_cl_program_find(handle);
    if (program != NULL && --program->references == 0)
        gp_cl_program_free(gp_map_remove(&gp_layer.programs, gp_handle_key(handle)));
    pthread_mutex_unlock(&gp_layer.lock);
    return gp_target.clReleaseProgram(handle);
}

cl_uint gp_program_devices(cl_program handle, cl_device_id devices[GP_MOST_DEVICES])
{
    size_t size = 0;
    if (gp_target.clGetProgramInfo(handle, CL_PROGRAM_DEVICES, GP_MOST_DEVICES * sizeof *devices, devices, &size) !=
        CL_SUCCESS)
        return 0;
    return (cl_uint)(size / sizeof *devices);
}

/* ---- Binaries: a program that loads the binary of a source that we know is as good as the source ---- */

/* Of a program from source, or from a binary of one: PoCL's change when kernels are built for more sizes. */
static void note_binary(cl_program handle, cl_device_id id, struct gp_hash binary)
{
    unsigned at = 0;
    pthread_mutex_lock(&gp_layer.lock);
    const struct gp_program *program = gp_cl_program_find(handle);
    struct gp_cl_device *device = gp_device_known(id);
    struct gp_unit *unit = program != NULL && device != NULL ? gp_built_next(&program->built, device, &at) : NULL;
    bool only = unit != NULL && gp_built_next(&program->built, device, &at) == NULL;
    struct gp_slot *slot =
        only && (unit->kind == GP_UNIT_SOURCE || unit->kind == GP_UNIT_BINARY) ? gp_unit_slot(unit, device) : NULL;
    if (slot != NULL)
        gp_worker_note_binary(slot, binary);
    pthread_mutex_unlock(&gp_layer.lock);
}

/* Of how many devices; 0: not known. */
static cl_uint binary_sizes(cl_program handle, size_t sizes[GP_MOST_DEVICES])
{
    size_t size = 0;
    if (gp_target.clGetProgramInfo(handle, CL_PROGRAM_BINARY_SIZES, GP_MOST_DEVICES * sizeof *sizes, sizes, &size) !=
        CL_SUCCESS)
        return 0;
    return (cl_uint)(size / sizeof *sizes);
}

/* Another thread's launch may have built a kernel meanwhile, and its binary grown: only what was as long before and
 * after the driver wrote it is surely all there. */
static cl_int note_binaries(cl_program handle, size_t size, unsigned char **binaries, size_t *size_ret)
{
    size_t before[GP_MOST_DEVICES], after[GP_MOST_DEVICES];
    cl_device_id devices[GP_MOST_DEVICES];
    cl_uint count = binary_sizes(handle, before);
    cl_int result = gp_target.clGetProgramInfo(handle, CL_PROGRAM_BINARIES, size, binaries, size_ret);
    if (result != CL_SUCCESS || binary_sizes(handle, after) != count || gp_program_devices(handle, devices) != count)
        return result;
    for (cl_uint i = 0; i < count && i < size / sizeof *binaries; i++) {
        struct gp_hasher hasher;
        if (binaries[i] == NULL || before[i] == 0 || before[i] != after[i])
            continue;
        gp_hash_start(&hasher);
        gp_hash_add(&hasher, binaries[i], before[i]);
        note_binary(handle, devices[i], gp_hash_end(&hasher));
    }
    return result;
}

static cl_int CL_API_CALL program_info(cl_program handle, cl_program_info what, size_t size, void *value,
                                       size_t *size_ret)
{
    if (what == CL_PROGRAM_BINARIES && value != NULL)
        return note_binaries(handle, size, value, size_ret);
    return gp_target.clGetProgramInfo(handle, what, size, value, size_ret);
}

/* ---- Kernels ---- */

static void note_kernel(cl_program program_handle, cl_kernel handle, const char *name)
{
    pthread_mutex_lock(&gp_layer.lock);
    const struct gp_program *program = gp_cl_program_find(program_handle);
    if (program != NULL)
        remember_kernel(handle, kernel_of(&program->built, program_handle, name));
    pthread_mutex_unlock(&gp_layer.lock);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    cl_kernel handle = gp_target.clCreateKernel(program, name, error);
    if (handle != NULL)
        note_kernel(program, handle, name);
    return handle;
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel *kernels, cl_uint *count_ret)
{
    cl_uint made = 0;
    cl_int result = gp_target.clCreateKernelsInProgram(program, count, kernels, &made);
    if (count_ret != NULL)
        *count_ret = made;
    for (cl_uint i = 0; result == CL_SUCCESS && kernels != NULL && i < made && i < count; i++) {
        char name[1024] = "";
        if (gp_target.clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL) == CL_SUCCESS)
            note_kernel(program, kernels[i], name);
    }
    return result;
}

static struct gp_cl_kernel *copy_kernel(const struct gp_cl_kernel *from)
{
    struct gp_cl_kernel *kernel = kernel_of(&from->built, from->program, from->name);
    if (kernel == NULL)
        return NULL;
    kernel->arguments = calloc(from->argument_count + 1, sizeof *kernel->arguments);
    if (kernel->arguments == NULL) {
        free_kernel(kernel);
        return NULL;
    }
    if (from->argument_count > 0)
        memcpy(kernel->arguments, from->arguments, from->argument_count * sizeof *kernel->arguments);
    kernel->argument_count = from->argument_count;
    return kernel;
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *error)
{
    cl_kernel handle = gp_target.clCloneKernel(source, error);
    if (handle == NULL)
        return handle;
    pthread_mutex_lock(&gp_layer.lock);
    const struct gp_cl_kernel *from = find_kernel(source);
    if (from != NULL)
        remember_kernel(handle, copy_kernel(from));
    pthread_mutex_unlock(&gp_layer.lock);
    return handle;
}

static cl_int CL_API_CALL retain_kernel(cl_kernel handle)
{
    cl_int result = gp_target.clRetainKernel(handle);
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_kernel *kernel = find_kernel(handle);
    if (result == CL_SUCCESS && kernel != NULL)
        kernel->references++;
    pthread_mutex_unlock(&gp_layer.lock);
    return result;
}

static cl_int CL_API_CALL release_kernel(cl_kernel handle)
{
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_kernel *kernel = find_kernel(handle);
    if (kernel != NULL && --kernel->references == 0)
        free_kernel(gp_map_remove(&gp_layer.kernels, gp_handle_key(handle)));
    pthread_mutex_unlock(&gp_layer.lock);
    return gp_target.clReleaseKernel(handle);
}

/* ---- Arguments ---- */

static struct gp_raw_argument *argument_at(struct gp_cl_kernel *kernel, cl_uint index)
{
    if (index >= GP_MAX_ARGUMENTS)
        return NULL;
    if (index >= kernel->argument_count) {
        struct gp_raw_argument *grown = realloc(kernel->arguments, (index + 1) * sizeof *grown);
        if (grown == NULL)
            return NULL;
        memset(grown + kernel->argument_count, 0, (index + 1 - kernel->argument_count) * sizeof *grown);
        kernel->arguments = grown;
        kernel->argument_count = index + 1;
    }
    return &kernel->arguments[index];
}

static cl_int CL_API_CALL set_argument(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
    cl_int result = gp_target.clSetKernelArg(handle, index, size, value);
    if (result != CL_SUCCESS)
        return result;
    struct gp_raw_argument argument;
    memset(&argument, 0, sizeof argument); /* its padding, too: it is compared */
    argument.size = size <= UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    argument.set = true;
    argument.no_value = value == NULL;
    if (value != NULL && size <= sizeof argument.value)
        memcpy(&argument.value, value, size);
    if (value != NULL && size <= sizeof argument.bytes)
        memcpy(argument.bytes, value, size);
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_kernel *kernel = find_kernel(handle);
    struct gp_raw_argument *kept = kernel != NULL ? argument_at(kernel, index) : NULL;
    argument.texel_bytes = kept != NULL ? kept->texel_bytes : 0;
    argument.texel_asked = kept != NULL && kept->texel_asked;
    if (kept != NULL && memcmp(kept, &argument, sizeof argument) != 0) {
        *kept = argument;
        kernel->changes++;
    }
    if (kept != NULL)
        kept->texel_asked = false; /* another image may have the same address */
    pthread_mutex_unlock(&gp_layer.lock);
    return result;
}

void gp_follow_programs(struct _cl_icd_dispatch *table, gp_entry_fits *fits)
{
    GP_FOLLOW(table, fits, clCreateProgramWithSource, create_with_source);
    GP_FOLLOW(table, fits, clCreateProgramWithBinary, create_with_binary);
    GP_FOLLOW(table, fits, clCreateProgramWithIL, create_with_il);
    GP_FOLLOW(table, fits, clRetainProgram, retain_program);
    GP_FOLLOW(table, fits, clReleaseProgram, release_program);
    GP_FOLLOW(table, fits, clGetProgramInfo, program_info);
    GP_FOLLOW(table, fits, clCreateKernel, create_kernel);
    GP_FOLLOW(table, fits, clCreateKernelsInProgram, create_kernels);
    GP_FOLLOW(table, fits, clCloneKernel, clone_kernel);
    GP_FOLLOW(table, fits, clRetainKernel, retain_kernel);
    GP_FOLLOW(table, fits, clReleaseKernel, release_kernel);
    GP_FOLLOW(table, fits, clSetKernelArg, set_argument);
}
