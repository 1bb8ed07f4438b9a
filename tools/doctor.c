/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuperf doctor: what is there of the parts that gpuperf works with, and what to do about what is not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile/compile.h"
#include "compile/locate.h"
#include "compile/target.h"
#include "support/own_file.h"
#include "tools/cache_folder.h"
#include "tools/command.h"
#include "tools/opencl_devices.h"

struct visit {
    struct gp_text *out;
    bool all_there;
};

static void there(struct visit *v, const char *part, const char *what)
{
    gp_text_printf(v->out, "ok       %-15s %s\n", part, what);
}

static void missing(struct visit *v, const char *part, const char *what, const char *remedy)
{
    v->all_there = false;
    gp_text_printf(v->out, "missing  %-15s %s\n%25s%s\n", part, what, "", remedy);
}

/* A part that is a file; takes over the path. */
static void look_for(struct visit *v, const char *part, char *path, const char *what, const char *remedy)
{
    if (path != NULL && access(path, F_OK) == 0)
        there(v, part, path);
    else
        missing(v, part, what, remedy);
    free(path);
}

/* ---- Compilers ---- */

static void look_for_libclc(struct visit *v, const char *name, const char *part)
{
    struct gp_device *device = gp_device_load(name, NULL, NULL);
    struct gp_target target = gp_target_of(device);
    const char *file = device != NULL ? gp_target_libclc(&target) : NULL;
    look_for(v, part, file != NULL ? gp_locate_libclc(NULL, file) : NULL,
             "libclc: registers of kernels that call OpenCL's functions are estimated",
             "install libclc-22, or name its folder in GPUPERF_CLC");
    gp_device_free(device);
}

/* A kernel from its source to its profile: clang and plugin fit each other. */
static void try_compile(struct visit *v)
{
    struct gp_error error = {""};
    struct gp_compile_result result = {0};
    struct gp_device *device = gp_device_load("a100", NULL, &error);
    struct gp_compile_request request = {.source_path = "trial.cl",
                                         .source_text = "kernel void k(global int *a) { a[get_global_id(0)]++; }\n",
                                         .language = "opencl",
                                         .device = device};
    if (device != NULL && gp_compile(&request, &result, &error))
        there(v, "a trial kernel", "compiles");
    else
        missing(v, "a trial kernel", error.text,
                device != NULL ? "clang and the plugin must be of one LLVM version: 22"
                               : "correct the device file, or take its folder out of GPUPERF_HWDB");
    gp_compile_result_free(&result);
    gp_device_free(device);
}

static void look_for_compilers(struct visit *v)
{
    look_for(v, "clang", gp_locate_clang(NULL, NULL), "clang 22: no kernel can be compiled",
             "install clang-22, or name it in GPUPERF_CLANG");
    look_for(v, "plugin", gp_locate_plugin(NULL, NULL), "gpuperf.so: no kernel can be analysed",
             "install gpuperf whole, or name the plugin in GPUPERF_PLUGIN");
    try_compile(v);
    look_for_libclc(v, "a100", "libclc, NVIDIA");
    look_for_libclc(v, "mi250x", "libclc, AMD");
    look_for(v, "ptxas", gp_locate_ptxas(NULL), "ptxas: registers and spills of NVIDIA's devices are estimated",
             "install CUDA's toolkit or PyPI's nvidia-cuda-nvcc, or name it in GPUPERF_PTXAS");
}

/* ---- The database and the cache ---- */

/* A file that cannot be loaded, or lacks fields; nothing of one that has them all. */
static void look_at_device_file(struct visit *v, const char *name)
{
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), &error);
    struct gp_text names = {0}, text = {0};
    size_t count = device != NULL ? gp_device_missing(device, &names) : 0;
    gp_text_printf(&text, "%s: %zu field%s not there, taken as unknown; 'gpuperf devices %s' lists them",
                   device != NULL ? device->path : "", count, count == 1 ? " is" : "s are", name);
    if (device == NULL)
        missing(v, "device file", error.text, "correct the file, or take its folder out of GPUPERF_HWDB");
    else if (count > 0)
        there(v, "device file", text.data);
    gp_text_free(&text);
    gp_text_free(&names);
    gp_device_free(device);
}

/* A GPUPERF_HWDB that is wrong is told once: all else is looked at without it. */
static void look_for_database(struct visit *v)
{
    char text[80];
    struct gp_error error = {""};
    char **names;
    size_t count;
    bool own = getenv("GPUPERF_HWDB") != NULL;
    if (!gp_device_list(getenv("GPUPERF_HWDB"), &names, &count, &error)) {
        missing(v, "device files", error.text,
                own ? "the rest is looked at without GPUPERF_HWDB"
                    : "install gpuperf whole, or name a folder of device files in GPUPERF_HWDB");
        unsetenv("GPUPERF_HWDB");
        return;
    }
    snprintf(text, sizeof text, "%zu", count);
    there(v, "device files", text);
    for (size_t i = 0; i < count; i++) {
        look_at_device_file(v, names[i]);
        free(names[i]);
    }
    free(names);
}

static bool is_writable_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && access(path, W_OK) == 0;
}

/* The folder, or the next above it that is there, must be this user's to write to. */
static void look_for_cache(struct visit *v)
{
    char path[4096], above[4096];
    if (!gp_cache_folder(path)) {
        missing(v, "cache", "no place for it: HOME is not set", "set GPUPERF_CACHE to a folder");
        return;
    }
    snprintf(above, sizeof above, "%s", path);
    while (access(above, F_OK) != 0 && strrchr(above, '/') != NULL && strrchr(above, '/') != above)
        *strrchr(above, '/') = '\0';
    if (path[0] == '\0')
        there(v, "cache", "off (GPUPERF_CACHE is empty)");
    else if (is_writable_folder(above))
        there(v, "cache", path);
    else
        missing(v, "cache", path, "it cannot be written to: set GPUPERF_CACHE to another folder");
}

/* ---- OpenCL ---- */

static void match_device(struct visit *v, const struct gp_opencl_device *device)
{
    struct gp_error error = {""};
    char text[400], target[16];
    const char *directories = getenv("GPUPERF_HWDB");
    struct gp_device *match = gp_device_match(device->name, directories, &error);
    if (match == NULL && device->is_cpu)
        match = gp_device_load("pocl-cpu", directories, &error);
    if (match == NULL && gp_target_in_name(device->name, target))
        match = gp_device_load_nearest(target, directories, &error);
    snprintf(text, sizeof text, "%.200s%s%s", device->name, match != NULL ? " is " : " is not in the database",
             match != NULL ? match->name : "");
    if (match != NULL)
        there(v, "OpenCL device", text);
    else
        missing(v, "OpenCL device", text, "name the nearest in GPUPERF_DEVICE; gpuperf devices lists them");
    gp_device_free(match);
}

static void look_for_opencl(struct visit *v)
{
    char layer[4096];
    struct gp_opencl_devices devices;
    bool has_layer = gp_find_layer(layer);
    look_for(v, "layer", has_layer ? strdup(layer) : NULL, "libgpuperf-opencl.so: no local size is chosen at launch",
             "build gpuperf with -DGPUPERF_LAYER=ON and install it whole");
    gp_opencl_devices(has_layer ? layer : NULL, &devices);
    if (!devices.loader)
        missing(v, "OpenCL loader", "libOpenCL.so.1", "install ocl-icd-libopencl1");
    else if (has_layer && !devices.layer_loaded)
        missing(v, "OpenCL loader", "it loads no layers",
                "install ocl-icd 2.3.0 or Khronos' loader v2021.04.29, or later");
    else
        there(v, "OpenCL loader", "loads the layer");
    if (devices.loader && devices.count == 0)
        missing(v, "OpenCL device", "none", "install a driver, such as pocl-opencl-icd for the CPU");
    for (size_t i = 0; i < devices.count; i++)
        match_device(v, &devices.items[i]);
    gp_opencl_devices_free(&devices);
}

/* 0: all is there. 1: something is missing. */
enum gp_status gp_doctor_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct visit v = {.out = out, .all_there = true};
    if (line->count > 1) {
        gp_fail(error, "'doctor' takes no arguments, not '%.40s'", line->arguments[1]);
        return GP_STATUS_USAGE;
    }
    look_for_database(&v);
    look_for_compilers(&v);
    look_for_cache(&v);
    look_for_opencl(&v);
    return v.all_there ? GP_STATUS_OK : GP_STATUS_TOLD_FAILED;
}
