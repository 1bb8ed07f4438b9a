/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Builds: clBuildProgram, clCompileProgram, clLinkProgram. What a program is built from is noted once the driver has
 * taken it: what it refuses did not happen. And for each device apart: what one was built with the others were not.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/includes.h"
#include "runtime/layer_cl.h"

/* A build on its way: what each of its devices' program will have been made from. */
struct plan {
    cl_program handle;
    struct gp_built_list built; /* unit NULL: not known */
};

/* When headers are read that are older than this, they are those that the driver reads. As coarse a clock as files'
 * times have. */
static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Of a program from a binary or IL. Options of its build are for what the driver makes of it then. */
static struct gp_unit *unit_of_binary(const struct gp_program *program, const struct gp_cl_device *device,
                                      const char *options)
{
    struct gp_options parsed;
    unsigned at = 0;
    if (!gp_options_parse(options, &parsed))
        return NULL;
    bool rounds = parsed.loose && device->is_pocl && !gp_layer.settings.any_rounding, unknown = parsed.unknown;
    gp_options_free(&parsed);
    if (program->specialized)
        return gp_unit_unusable("the program's specialization constants are set");
    if (rounds || unknown)
        return gp_unit_unusable(rounds ? "the program is built with options that let the driver round as it likes; "
                                         "GPUPERF_ROUNDING=any allows that"
                                       : "the program is built with options that only the driver knows");
    struct gp_unit *unit = gp_built_next(&program->made_from, device, &at);
    if (unit != NULL)
        gp_unit_retain(unit);
    return unit;
}

static struct gp_unit *unit_for(const struct gp_program *program, const struct gp_cl_device *device,
                                const char *options, cl_uint header_count, long long built_ns)
{
    if (program->source == NULL)
        return unit_of_binary(program, device, options);
    if (header_count > 0)
        return gp_unit_unusable("the program includes headers that are programs");
    return gp_unit_source(program->source, options, device->is_pocl, gp_may_include(program->source) ? built_ns : 0);
}

/* What is in the cache is fetched while the driver builds, so that the first launch finds it. With the lock held. */
static void look_up(struct gp_unit *unit, struct gp_cl_device *device)
{
    struct gp_slot *slot = gp_unit_slot(unit, device);
    if (slot != NULL)
        gp_worker_lookup(slot);
}

/* Whether options let the driver round as it likes. */
static bool are_loose(const char *options)
{
    struct gp_options parsed;
    if (!gp_options_parse(options, &parsed))
        return true;
    bool loose = parsed.loose;
    gp_options_free(&parsed);
    return loose;
}

static void plan_device(struct plan *plan, cl_device_id id, const char *options, cl_uint header_count,
                        long long built_ns)
{
    struct gp_cl_device *device = gp_device_record(id);
    pthread_mutex_lock(&gp_layer.lock);
    const struct gp_program *program = gp_cl_program_find(plan->handle);
    gp_layer.loose_seen |= device != NULL && device->is_pocl && are_loose(options);
    struct gp_unit *unit =
        program != NULL && device != NULL ? unit_for(program, device, options, header_count, built_ns) : NULL;
    if (gp_built_add(&plan->built, id, unit) && unit != NULL)
        look_up(unit, device);
    if (unit != NULL)
        gp_unit_release(unit); /* the plan has it */
    pthread_mutex_unlock(&gp_layer.lock);
}

static struct plan plan_build(cl_program handle, cl_uint count, const cl_device_id *devices, const char *options,
                              cl_uint header_count)
{
    struct plan plan = {.handle = handle};
    cl_device_id all[GP_MOST_DEVICES];
    long long built_ns = now_ns();
    if (count == 0 || devices == NULL) {
        count = gp_program_devices(handle, all);
        devices = all;
    }
    for (cl_uint i = 0; i < count && i < GP_MOST_DEVICES; i++)
        plan_device(&plan, devices[i], options, header_count, built_ns);
    return plan;
}

/* Kernels that a program has already: where a driver builds it all the same, nobody knows what they are now. */
static void forget_kernel(void *program, void *value)
{
    struct gp_cl_kernel *kernel = value;
    if (kernel->program != program)
        return;
    for (struct gp_kernel_device *on = kernel->devices; on != NULL; on = on->next) {
        on->found = false;
        on->slot = NULL;
        on->last_entry = NULL;
    }
    gp_built_free(&kernel->built);
}

/* With the lock held. */
static void note_device(struct plan *plan, const struct gp_built *item, bool built)
{
    struct gp_program *program = gp_cl_program_find(plan->handle);
    if (program == NULL)
        return;
    gp_built_drop(&program->built, item->device);
    if (built && item->unit != NULL)
        gp_built_add(&program->built, item->device, item->unit);
}

static void end_plan(struct plan *plan)
{
    pthread_mutex_lock(&gp_layer.lock);
    gp_built_free(&plan->built);
    pthread_mutex_unlock(&gp_layer.lock);
}

/* The driver has not begun: all is as it was. */
static bool was_refused(cl_int result)
{
    return result == CL_INVALID_OPERATION || result == CL_INVALID_VALUE || result == CL_INVALID_PROGRAM ||
           result == CL_INVALID_DEVICE;
}

static void note_result(struct plan *plan, cl_int result)
{
    if (was_refused(result))
        return;
    pthread_mutex_lock(&gp_layer.lock);
    gp_map_each(&gp_layer.kernels, forget_kernel, plan->handle);
    for (unsigned i = 0; i < plan->built.count; i++)
        note_device(plan, &plan->built.items[i], result == CL_SUCCESS);
    pthread_mutex_unlock(&gp_layer.lock);
}

/* ---- Builds that end in a callback ---- */

struct call {
    struct plan plan;
    void(CL_CALLBACK *notify)(cl_program, void *);
    void *data;
    int users;         /* atomic: the driver, until it has called back, and the call itself */
    int told;          /* atomic: it has */
    struct call *next; /* of those that have not ended */
};

/* Also one whose driver never calls back belongs to somebody. With the lock held. */
static struct call *calls;

static void drop_call(const struct call *call)
{
    struct call **at = &calls;
    while (*at != NULL && *at != call)
        at = &(*at)->next;
    if (*at != NULL)
        *at = call->next;
}

static void release_call(struct call *call)
{
    if (__atomic_sub_fetch(&call->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    pthread_mutex_lock(&gp_layer.lock);
    drop_call(call);
    pthread_mutex_unlock(&gp_layer.lock);
    end_plan(&call->plan);
    free(call);
}

static bool was_built(cl_program handle, void *device)
{
    cl_build_status status = CL_BUILD_ERROR;
    return gp_target.clGetProgramBuildInfo != NULL &&
           gp_target.clGetProgramBuildInfo(handle, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) ==
               CL_SUCCESS &&
           status == CL_BUILD_SUCCESS;
}

/* The program's callback may create kernels: what it has been built from is noted before. */
static void CL_CALLBACK on_built(cl_program handle, void *data)
{
    struct call *call = data;
    struct plan *plan = &call->plan;
    void(CL_CALLBACK * notify)(cl_program, void *) = call->notify;
    void *users_data = call->data;
    bool built[GP_MOST_DEVICES] = {false};
    for (unsigned i = 0; i < plan->built.count; i++)
        built[i] = was_built(handle, plan->built.items[i].device);
    pthread_mutex_lock(&gp_layer.lock);
    gp_map_each(&gp_layer.kernels, forget_kernel, plan->handle);
    for (unsigned i = 0; i < plan->built.count; i++)
        note_device(plan, &plan->built.items[i], built[i]);
    pthread_mutex_unlock(&gp_layer.lock);
    __atomic_store_n(&call->told, 1, __ATOMIC_RELEASE);
    release_call(call);
    notify(handle, users_data);
}

/* NULL: without memory the build is not followed. */
static struct call *begin_call(struct plan *plan, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    struct call *call = malloc(sizeof *call);
    if (call == NULL)
        return NULL;
    *call = (struct call){.plan = *plan, .notify = notify, .data = data, .users = 2};
    pthread_mutex_lock(&gp_layer.lock);
    call->next = calls;
    calls = call;
    pthread_mutex_unlock(&gp_layer.lock);
    return call;
}

/* One that was refused and has not called back may do so yet: its record stays. */
static void end_call(struct call *call, cl_int result)
{
    if (result != CL_SUCCESS && __atomic_load_n(&call->told, __ATOMIC_ACQUIRE) == 0)
        note_result(&call->plan, result);
    release_call(call);
}

static cl_int CL_API_CALL build_program(cl_program handle, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    struct plan plan = plan_build(handle, count, devices, options, 0);
    struct call *call = notify != NULL ? begin_call(&plan, notify, data) : NULL;
    if (call != NULL) {
        cl_int result = gp_target.clBuildProgram(handle, count, devices, options, on_built, call);
        end_call(call, result);
        return result;
    }
    cl_int result = gp_target.clBuildProgram(handle, count, devices, options, notify, data);
    note_result(&plan, notify == NULL ? result : CL_BUILD_ERROR);
    end_plan(&plan);
    return result;
}

static cl_int CL_API_CALL compile_program(cl_program handle, cl_uint count, const cl_device_id *devices,
                                          const char *options, cl_uint header_count, const cl_program *headers,
                                          const char **names, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    struct plan plan = plan_build(handle, count, devices, options, header_count);
    struct call *call = notify != NULL ? begin_call(&plan, notify, data) : NULL;
    if (call != NULL) {
        cl_int result =
            gp_target.clCompileProgram(handle, count, devices, options, header_count, headers, names, on_built, call);
        end_call(call, result);
        return result;
    }
    cl_int result =
        gp_target.clCompileProgram(handle, count, devices, options, header_count, headers, names, notify, data);
    note_result(&plan, notify == NULL ? result : CL_BUILD_ERROR);
    end_plan(&plan);
    return result;
}

/* ---- Linking ---- */

static bool is_among(const cl_device_id *devices, cl_uint count, const void *device)
{
    for (cl_uint i = 0; i < count; i++)
        if (devices[i] == device)
            return true;
    return count == 0;
}

/* With the lock held. The options may change how the whole is compiled. */
static void add_input(struct gp_program *program, const struct gp_program *input, const char *reason, cl_uint count,
                      const cl_device_id *devices)
{
    struct gp_unit *unusable = reason != NULL ? gp_unit_unusable(reason) : NULL;
    for (unsigned i = 0; i < input->built.count; i++) {
        const struct gp_built *item = &input->built.items[i];
        if (is_among(devices, count, item->device))
            gp_built_add(&program->built, item->device, reason != NULL ? unusable : item->unit);
    }
    if (unusable != NULL)
        gp_unit_release(unusable);
}

/* Why what is linked with these options cannot be known; NULL: it can. */
static const char *obstacle(const char *options)
{
    struct gp_options parsed;
    if (!gp_options_parse(options, &parsed))
        return "out of memory";
    bool rounds = parsed.loose && !gp_layer.settings.any_rounding, unknown = parsed.unknown;
    gp_options_free(&parsed);
    return rounds    ? "the program is linked with options that let the driver round as it likes; GPUPERF_ROUNDING=any "
                       "allows that"
           : unknown ? "the program is linked with options that only the driver knows"
                     : NULL;
}

/* What the inputs are now: they may be compiled anew while the driver links. */
static struct gp_program *linked_of(cl_uint count, const cl_device_id *devices, const char *options,
                                    cl_uint input_count, const cl_program *inputs)
{
    struct gp_program *program = calloc(1, sizeof *program);
    const char *reason = obstacle(options);
    pthread_mutex_lock(&gp_layer.lock);
    for (cl_uint i = 0; program != NULL && inputs != NULL && i < input_count; i++) {
        const struct gp_program *input = gp_cl_program_find(inputs[i]);
        if (input != NULL)
            add_input(program, input, reason, devices != NULL ? count : 0, devices);
    }
    pthread_mutex_unlock(&gp_layer.lock);
    return program;
}

static void look_up_all(const struct gp_built_list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        struct gp_cl_device *device = gp_device_known(list->items[i].device);
        if (device != NULL && list->items[i].unit != NULL)
            look_up(list->items[i].unit, device);
    }
}

static cl_program CL_API_CALL link_program(cl_context context, cl_uint count, const cl_device_id *devices,
                                           const char *options, cl_uint input_count, const cl_program *inputs,
                                           void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *error)
{
    cl_int result = CL_SUCCESS;
    struct gp_program *program = linked_of(count, devices, options, input_count, inputs);
    cl_program handle =
        gp_target.clLinkProgram(context, count, devices, options, input_count, inputs, notify, data, &result);
    if (error != NULL)
        *error = result;
    pthread_mutex_lock(&gp_layer.lock);
    if (handle != NULL && result == CL_SUCCESS && program != NULL) {
        look_up_all(&program->built);
        gp_cl_program_remember(handle, program);
    } else {
        gp_cl_program_free(program);
    }
    pthread_mutex_unlock(&gp_layer.lock);
    return handle;
}

/* From the next build on. */
static cl_int CL_API_CALL set_constant(cl_program handle, cl_uint id, size_t size, const void *value)
{
    cl_int result = gp_target.clSetProgramSpecializationConstant(handle, id, size, value);
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_program *program = gp_cl_program_find(handle);
    if (program != NULL)
        program->specialized = true;
    pthread_mutex_unlock(&gp_layer.lock);
    return result;
}

void gp_follow_builds(struct _cl_icd_dispatch *table, gp_entry_fits *fits)
{
    GP_FOLLOW(table, fits, clBuildProgram, build_program);
    GP_FOLLOW(table, fits, clCompileProgram, compile_program);
    GP_FOLLOW(table, fits, clLinkProgram, link_program);
    GP_FOLLOW(table, fits, clSetProgramSpecializationConstant, set_constant);
}
