/* What spilled registers store and load, from LLVM's AMDGPU assembly. */
#ifndef GPUPERF_COMPILE_SPILLS_H
#define GPUPERF_COMPILE_SPILLS_H

#include "compile/backend.h"

/* Sets the kernel's loops and spilled bytes from its code, where that tells; never below what the metadata told before. */
void gp_read_spills(const char *assembly, struct gp_backend_kernel *kernel);

#endif
