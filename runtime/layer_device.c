/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/layer_cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>

static char *device_text(cl_device_id id, cl_device_info what)
{
    size_t size = 0;
    if (gp_target.clGetDeviceInfo(id, what, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return strdup("");
    char *text = calloc(1, size + 1);
    if (text != NULL && gp_target.clGetDeviceInfo(id, what, size, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

static char *platform_text(cl_platform_id id, cl_platform_info what)
{
    size_t size = 0;
    if (gp_target.clGetPlatformInfo(id, what, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return strdup("");
    char *text = calloc(1, size + 1);
    if (text != NULL && gp_target.clGetPlatformInfo(id, what, size, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

static bool device_value(cl_device_id id, cl_device_info what, void *value, size_t size)
{
    return gp_target.clGetDeviceInfo(id, what, size, value, NULL) == CL_SUCCESS;
}

static void read_limits(cl_device_id id, struct gp_driver_limits *limits)
{
    size_t sizes[16] = {0}, group = 0, multiple = 0;
    cl_uint units = 0, dimensions = 0;
    device_value(id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, &dimensions, sizeof dimensions);
    if (dimensions >= 3 && dimensions <= 16)
        device_value(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes, dimensions * sizeof *sizes);
    device_value(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &group, sizeof group);
    device_value(id, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof units);
    device_value(id, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, &multiple, sizeof multiple);
    *limits = (struct gp_driver_limits){.max_sizes = {sizes[0], sizes[1], sizes[2]},
                                        .max_group = group,
                                        .preferred_multiple = multiple,
                                        .compute_units = units};
}

/* "OpenCL C 1.2 PoCL" 120: what a build without -cl-std= gets is at most 1.2 (OpenCL API specification, "Options
 * Controlling the OpenCL C version"). */
static unsigned default_c_version(const char *text)
{
    unsigned major = 1, minor = 2;
    sscanf(text, "OpenCL C %1u.%1u", &major, &minor);
    unsigned version = major * 100 + minor * 10;
    return version < 120 ? version : 120;
}

static bool can_run_partial_groups(cl_device_id id, const char *device_version)
{
    unsigned major = 1, minor = 0;
    cl_bool supported = CL_FALSE;
    if (sscanf(device_version, "OpenCL %1u.%1u", &major, &minor) != 2 || major < 2)
        return false;
    if (major == 2)
        return true;
    return device_value(id, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, &supported, sizeof supported) && supported;
}

/* The names of CL_DEVICE_OPENCL_C_FEATURES, with blanks between them. */
static char *feature_names(cl_device_id id)
{
    size_t size = 0;
    struct gp_text names = {0};
    if (gp_target.clGetDeviceInfo(id, CL_DEVICE_OPENCL_C_FEATURES, 0, NULL, &size) != CL_SUCCESS ||
        size % sizeof(cl_name_version) != 0)
        return strdup("");
    cl_name_version *list = calloc(1, size + 1);
    if (list != NULL && gp_target.clGetDeviceInfo(id, CL_DEVICE_OPENCL_C_FEATURES, size, list, NULL) == CL_SUCCESS)
        for (size_t i = 0; i < size / sizeof *list; i++)
            gp_text_printf(&names, "%.*s ", (int)sizeof list[i].name, list[i].name);
    free(list);
    char *text = gp_text_take(&names);
    gp_text_free(&names);
    return text;
}

/* Without -cl-std PoCL 3 takes OpenCL C 3.0 on devices that have it (tried with 3.1), whatever it says of itself; other
 * drivers what OpenCL tells them to. */
static unsigned assumed_c_version(const struct gp_cl_device *device, const char *driver, unsigned device_version)
{
    if (!device->is_pocl)
        return device->c_version;
    return strncmp(driver, "3.", 2) == 0 && device_version >= 300 ? 300 : 0;
}

/* False: out of memory. */
static bool read_language(cl_device_id id, const struct gp_cl_device *device, const char *version, const char *driver,
                          const char *extensions, struct gp_driver_language *language)
{
    unsigned major = 0, minor = 0;
    cl_bool images = CL_FALSE, little = CL_FALSE;
    cl_uint bits = 0;
    char *profile = device_text(id, CL_DEVICE_PROFILE);
    sscanf(version, "OpenCL %1u.%1u", &major, &minor);
    device_value(id, CL_DEVICE_IMAGE_SUPPORT, &images, sizeof images);
    device_value(id, CL_DEVICE_ENDIAN_LITTLE, &little, sizeof little);
    device_value(id, CL_DEVICE_ADDRESS_BITS, &bits, sizeof bits);
    *language =
        (struct gp_driver_language){.extensions = strdup(extensions),
                                    .features = feature_names(id),
                                    .version = major * 100 + minor * 10,
                                    .default_c_version = assumed_c_version(device, driver, major * 100 + minor * 10),
                                    .address_bits = bits,
                                    .images = images,
                                    .little_endian = little,
                                    .embedded_profile = profile != NULL && strcmp(profile, "EMBEDDED_PROFILE") == 0,
                                    .is_pocl = device->is_pocl};
    free(profile);
    return language->extensions != NULL && language->features != NULL;
}

/* The architecture: NVIDIA's compute capability, the gfx number in the name or of AMD's own queries (of which the step
 * is missing). */
static void find_target(cl_device_id id, struct gp_cl_device *device)
{
    cl_uint major = 0, minor = 0;
    if (device_value(id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, &major, sizeof major) &&
        device_value(id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, &minor, sizeof minor) && major > 0 && major < 100 &&
        minor < 10)
        snprintf(device->target, sizeof device->target, "sm_%u%u", major, minor);
    else if (!gp_target_in_name(device->name, device->target) &&
             device_value(id, CL_DEVICE_GFXIP_MAJOR_AMD, &major, sizeof major) &&
             device_value(id, CL_DEVICE_GFXIP_MINOR_AMD, &minor, sizeof minor) && major >= 6 && major < 100 &&
             minor < 10)
        snprintf(device->target, sizeof device->target, "gfx%u%u0", major, minor);
}

static void find_suggestion(cl_platform_id platform, const char *extensions, struct gp_cl_device *device)
{
    if (strstr(extensions, "cl_khr_suggested_local_work_size") == NULL ||
        gp_target.clGetExtensionFunctionAddressForPlatform == NULL)
        return;
    device->suggest =
        gp_target.clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    device->suggests = device->suggest != NULL;
}

static void free_device(struct gp_cl_device *device)
{
    gp_driver_language_free(&device->language);
    free(device->name);
    free(device->identity);
    free(device);
}

/* Everything that is asked of the driver about a device, once. */
static struct gp_cl_device *read_device(cl_device_id id)
{
    struct gp_cl_device *device = calloc(1, sizeof *device);
    cl_platform_id platform = NULL;
    cl_device_type type = 0;
    cl_uint clock = 0;
    cl_ulong cache = 0;
    if (device == NULL || !device_value(id, CL_DEVICE_PLATFORM, &platform, sizeof platform)) {
        free(device);
        return NULL;
    }
    device_value(id, CL_DEVICE_TYPE, &type, sizeof type);
    device_value(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, &clock, sizeof clock);
    device_value(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, &cache, sizeof cache);
    char *version = device_text(id, CL_DEVICE_VERSION), *driver = device_text(id, CL_DRIVER_VERSION);
    char *language = device_text(id, CL_DEVICE_OPENCL_C_VERSION), *extensions = device_text(id, CL_DEVICE_EXTENSIONS);
    char *platform_name = platform_text(platform, CL_PLATFORM_NAME);
    device->id = id;
    device->name = device_text(id, CL_DEVICE_NAME);
    bool complete = version && driver && language && extensions && platform_name && device->name &&
                    asprintf(&device->identity, "%s|%s|%s|%s", platform_name, driver, version, device->name) >= 0;
    if (complete) {
        device_value(id, CL_DEVICE_PARENT_DEVICE, &device->parent, sizeof device->parent);
        device->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
        device->is_pocl = strcmp(platform_name, "Portable Computing Language") == 0 && device->is_cpu;
        device->is_nvidia = strcmp(platform_name, "NVIDIA CUDA") == 0;
        device->non_uniform = can_run_partial_groups(id, version);
        device->c_version = default_c_version(language);
        device->clock_mhz = clock;
        device->cache_bytes = device->is_cpu ? cache : 0; /* of GPUs drivers name one level or another */
        read_limits(id, &device->limits);
        find_target(id, device);
        find_suggestion(platform, extensions, device);
        complete = read_language(id, device, version, driver, extensions, &device->language);
    }
    free(version);
    free(driver);
    free(language);
    free(extensions);
    free(platform_name);
    if (complete)
        return device;
    free_device(device);
    return NULL;
}

struct gp_cl_device *gp_device_known(cl_device_id id)
{
    struct gp_cl_device *device = gp_layer.devices;
    while (device != NULL && device->id != (void *)id)
        device = device->next;
    return device;
}

struct gp_cl_device *gp_device_record(cl_device_id id)
{
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_device *device = gp_device_known(id);
    pthread_mutex_unlock(&gp_layer.lock);
    if (device != NULL)
        return device;
    struct gp_cl_device *fresh = read_device(id);
    pthread_mutex_lock(&gp_layer.lock);
    device = gp_device_known(id); /* another thread may have been faster: one record, never freed */
    if (device == NULL && fresh != NULL) {
        fresh->next = gp_layer.devices;
        gp_layer.devices = device = fresh;
        if (device->suggests)
            __atomic_store_n(&gp_layer.some_suggest, true, __ATOMIC_RELAXED);
        fresh = NULL;
    }
    pthread_mutex_unlock(&gp_layer.lock);
    if (fresh != NULL)
        free_device(fresh);
    return device;
}
