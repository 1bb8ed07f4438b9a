/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which devices OpenCL has here, asked in a process of its own: drivers may do what they like there. */
#ifndef GPUPERF_TOOLS_OPENCL_DEVICES_H
#define GPUPERF_TOOLS_OPENCL_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

struct gp_opencl_device {
    char *name; /* CL_DEVICE_NAME */
    bool is_cpu;
};

struct gp_opencl_devices {
    bool loader;       /* there is a libOpenCL.so.1 */
    bool layer_loaded; /* it has loaded the layer */
    struct gp_opencl_device *items;
    size_t count;
};

/* The layer that was installed, or built, with this command. False: there is none. */
bool gp_find_layer(char path[4096]);

/* layer: the path of the layer that the loader is to load; NULL: none. */
void gp_opencl_devices(const char *layer, struct gp_opencl_devices *devices);
void gp_opencl_devices_free(struct gp_opencl_devices *devices);

#endif
