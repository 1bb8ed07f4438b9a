/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What `gpuperf warm` asks of the layer, in a process that has it loaded: a launch that is decided and not made. The
 * layer exports it as gpuperf_layer_rehearse; a program has no use for it. Handles are OpenCL's, which this header
 * does not name.
 */
#ifndef GPUPERF_RUNTIME_REHEARSE_H
#define GPUPERF_RUNTIME_REHEARSE_H

#include <stddef.h>
#include <stdint.h>

enum gp_rehearsal {
    GP_REHEARSED_LEFT_ALONE, /* the launch runs as without the layer: the text says why */
    GP_REHEARSED_DECIDED,    /* its decision is in the cache: the text says which */
    GP_REHEARSED_ANALYSED,   /* dims 0: the kernel's profile is in the cache, the launch is not known */
    GP_REHEARSED_UNFINISHED  /* not within GPUPERF_WAIT */
};

/*
 * queue, kernel: cl_command_queue and cl_kernel, its arguments set as the program sets them. The launch is of 1 to 3
 * dimensions, or none (0), where it is not known; offset and local may be NULL, as for clEnqueueNDRangeKernel. Waits as
 * long as GPUPERF_WAIT says. Nothing is launched, and nothing is counted as a launch.
 */
typedef int gp_rehearse(void *queue, void *kernel, uint32_t dims, const size_t *offset, const size_t *global,
                        const size_t *local, char *text, size_t size);

#define GP_REHEARSE_SYMBOL "gpuperf_layer_rehearse"

#endif
