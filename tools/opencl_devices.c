/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/opencl_devices.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/own_file.h"
#include "support/prefix.h"
#include "support/text.h"
#include "tools/opencl.h"

enum { MOST = 16, SECONDS = 30 };

bool gp_find_layer(char path[4096])
{
    char own[4096];
    return gp_beside_own_file(GPUPERF_LAYER_DIRECTORY "/libgpuperf-opencl.so", path) ||
           (gp_own_file(own) && gp_beside_own_file("runtime/libgpuperf-opencl.so", path));
}

/* ---- The child: lines on standard output, and the layer's own on standard error, which is the same ---- */

static void tell_device(const struct gp_cl *cl, void *device)
{
    char name[256] = "";
    uint64_t type = 0;
    cl->GetDeviceInfo(device, GP_CL_DEVICE_TYPE, sizeof type, &type, NULL);
    if (cl->GetDeviceInfo(device, GP_CL_DEVICE_NAME, sizeof name - 1, name, NULL) == 0)
        printf("device %s %s\n", (type & GP_CL_TYPE_CPU) != 0 ? "cpu" : "gpu", name);
}

static void tell_devices(const struct gp_cl *cl)
{
    void *platforms[MOST], *devices[MOST];
    uint32_t platform_count = 0, device_count = 0;
    if (cl->GetPlatformIDs(MOST, platforms, &platform_count) != 0)
        return;
    for (uint32_t p = 0; p < platform_count && p < MOST; p++)
        if (cl->GetDeviceIDs(platforms[p], 0xFFFFFFFF, MOST, devices, &device_count) == 0)
            for (uint32_t d = 0; d < device_count && d < MOST; d++)
                tell_device(cl, devices[d]);
}

static void tell(const char *layer)
{
    if (layer != NULL)
        setenv("OPENCL_LAYERS", layer, 1);
    else
        unsetenv("OPENCL_LAYERS");
    setenv("GPUPERF", "on", 1);
    setenv("GPUPERF_LOG", "1", 1);
    setenv("GPUPERF_CACHE", "", 1);
    unsetenv("GPUPERF_RECORD");
    alarm(SECONDS);
    struct gp_error ignored;
    const struct gp_cl *cl = gp_cl_load(&ignored);
    if (cl == NULL)
        exit(0);
    printf("loader\n");
    tell_devices(cl);
    fflush(stdout);
    exit(0); /* the layer's last line comes at the end */
}

/* ---- The parent ---- */

static void take_line(char *line, struct gp_opencl_devices *devices)
{
    devices->loader |= strcmp(line, "loader") == 0;
    devices->layer_loaded |= gp_starts_with(line, "gpuperf: ") && strstr(line, " launch") != NULL;
    if (!gp_starts_with(line, "device ") || strlen(line) < 12)
        return;
    struct gp_opencl_device *items = realloc(devices->items, (devices->count + 1) * sizeof *items);
    if (items == NULL)
        return;
    devices->items = items;
    items[devices->count++] =
        (struct gp_opencl_device){.name = strdup(line + 11), .is_cpu = gp_starts_with(line, "device cpu")};
}

static void read_all(int file, struct gp_text *text)
{
    char bytes[4096];
    for (ssize_t count; (count = read(file, bytes, sizeof bytes)) > 0;)
        gp_text_append(text, bytes, (size_t)count);
}

void gp_opencl_devices(const char *layer, struct gp_opencl_devices *devices)
{
    int ends[2];
    struct gp_text text = {0};
    *devices = (struct gp_opencl_devices){0};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        tell(layer);
    }
    close(ends[1]);
    if (child > 0) {
        read_all(ends[0], &text);
        waitpid(child, NULL, 0);
    }
    close(ends[0]);
    for (char *at = text.data, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;)
        take_line(line, devices);
    gp_text_free(&text);
}

void gp_opencl_devices_free(struct gp_opencl_devices *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        free(devices->items[i].name);
    free(devices->items);
    *devices = (struct gp_opencl_devices){0};
}
