/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL layer's door: what the loader calls. See Khronos' cl_loader_layers extension. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/layer_cl.h"

#include <CL/cl_layer.h>

#define EXPORTED __attribute__((visibility("default")))

/* Newer headers declare these; older ones do not. A properties list is pairs of 64-bit numbers that ends with 0. */
typedef uint64_t layer_property;
EXPORTED cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries, const struct _cl_icd_dispatch *target,
                                                      cl_uint *num_entries_ret,
                                                      const struct _cl_icd_dispatch **layer_ret,
                                                      const layer_property *properties);
EXPORTED cl_int CL_API_CALL clDeinitLayer(void);

struct gp_layer gp_layer = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
struct _cl_icd_dispatch gp_target;

static struct _cl_icd_dispatch table;
static cl_uint table_entries; /* what the loader's table and ours have in common; 0: not initialised */
static pid_t owner;

enum { ALL_ENTRIES = sizeof(struct _cl_icd_dispatch) / sizeof(void *) };

EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
    static const char name[] = "gpuperf";
    cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer = what == CL_LAYER_API_VERSION ? (const void *)&version : name;
    size_t needed = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
    if ((what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) || (value != NULL && size < needed))
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, answer, needed);
    if (size_ret != NULL)
        *size_ret = needed;
    return CL_SUCCESS;
}

static bool fits(size_t offset) { return offset / sizeof(void *) < table_entries; }

/* What the layer itself calls: without these it stays out of the way. */
static bool target_is_sufficient(void)
{
    return fits(offsetof(struct _cl_icd_dispatch, clEnqueueNDRangeKernel)) && gp_target.clGetPlatformInfo &&
           gp_target.clGetDeviceInfo && gp_target.clGetCommandQueueInfo && gp_target.clGetProgramInfo &&
           gp_target.clGetKernelInfo && gp_target.clGetKernelWorkGroupInfo && gp_target.clEnqueueNDRangeKernel;
}

/* fork() happens with the lock held, so that the child's records are whole. The child has no worker: there launches
 * stay as they are. */
static void before_fork(void) { pthread_mutex_lock(&gp_layer.lock); }
static void in_forking_parent(void) { pthread_mutex_unlock(&gp_layer.lock); }

static void in_forked_child(void)
{
    pthread_mutex_init(&gp_layer.lock, NULL);
    pthread_cond_init(&gp_layer.work, NULL);
    pthread_cond_init(&gp_layer.changed, NULL);
    gp_layer.active = false;
    gp_layer.worker_runs = false;
    gp_text_free(&gp_layer.lines); /* the parent writes them */
    gp_record_forked();
}

/* Once: the loader's end comes behind the program's. */
static void end(void)
{
    if (gp_layer.active)
        gp_log_end();
    if (gp_record_is_on())
        gp_record_end();
    gp_worker_stop();
}

static void at_exit(void)
{
    if (table_entries != 0 && getpid() == owner)
        end();
}

/* A setuid program, or one with capabilities of its own, has rights that whoever set its variables has not: loaders
 * pass layers to it all the same. */
static bool has_more_rights_than_its_caller(void) { return getauxval(AT_SECURE) != 0; }

/* Everything that the layer does beyond passing calls on. */
static void begin(void)
{
    static bool hooked;
    gp_settings_read(&gp_layer.settings);
    if (gp_layer.settings.complaint != NULL)
        gp_log(GP_LOG_DECISIONS, "%s", gp_layer.settings.complaint);
    bool chooses = gp_layer.settings.mode != GP_MODE_OFF;
    if ((!chooses && gp_layer.settings.record == NULL) || !target_is_sufficient())
        return;
    gp_follow_programs(&table, fits);
    gp_follow_builds(&table, fits);
    gp_follow_launches(&table, fits);
    gp_record_begin(&table, fits);
    __atomic_store_n(&gp_layer.stop, 0, __ATOMIC_RELAXED);
    gp_layer.counts = (struct gp_counts){0};
    pthread_mutex_lock(&gp_layer.lock);
    gp_worker_begin();
    gp_layer.active = chooses; /* else launches are noted only */
    pthread_mutex_unlock(&gp_layer.lock);
    if (!hooked) {
        pthread_atfork(before_fork, in_forking_parent, in_forked_child);
        atexit(at_exit);
        hooked = true;
    }
}

static cl_int initialise(cl_uint entries, const struct _cl_icd_dispatch *target, cl_uint *entries_ret,
                         const struct _cl_icd_dispatch **layer_ret)
{
    if (target == NULL || entries_ret == NULL || layer_ret == NULL || entries == 0)
        return CL_INVALID_VALUE;
    if (table_entries != 0)
        return CL_INVALID_OPERATION; /* named twice: the second one would call the first one for ever */
    table_entries = entries < ALL_ENTRIES ? entries : ALL_ENTRIES;
    owner = getpid();
    memset(&gp_target, 0, sizeof gp_target);
    memcpy(&gp_target, target, table_entries * sizeof(void *));
    table = gp_target;
    if (!has_more_rights_than_its_caller())
        begin();
    *entries_ret = table_entries;
    *layer_ret = &table;
    return CL_SUCCESS;
}

EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *target, cl_uint *entries_ret,
                                        const struct _cl_icd_dispatch **layer_ret)
{
    return initialise(entries, target, entries_ret, layer_ret);
}

EXPORTED cl_int CL_API_CALL clInitLayerWithProperties(cl_uint entries, const struct _cl_icd_dispatch *target,
                                                      cl_uint *entries_ret, const struct _cl_icd_dispatch **layer_ret,
                                                      const layer_property *properties)
{
    if (properties != NULL && properties[0] != 0)
        return CL_INVALID_PROPERTY;
    return initialise(entries, target, entries_ret, layer_ret);
}

/* The loader calls this when no OpenCL function can be called any more. Records are kept: the layer may be initialised
 * again. */
EXPORTED cl_int CL_API_CALL clDeinitLayer(void)
{
    if (table_entries == 0)
        return CL_SUCCESS;
    if (getpid() == owner)
        end();
    if (!gp_layer.worker_runs)
        gp_settings_free(&gp_layer.settings);
    table_entries = 0;
    return CL_SUCCESS;
}
