/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * NVIDIA's binaries ("cubins": ELF files): the machine code of each kernel, and the source lines that it comes from. Of
 * the code, 16 bytes an instruction since Volta, only what counting asks for is read: the operation, the width of an
 * access, where a branch leads (as CUDA's nvdisasm prints them). Lines stand in DWARF 2's table with NVIDIA's operation
 * for inlined calls.
 */
#ifndef GPUPERF_COMPILE_CUBIN_H
#define GPUPERF_COMPILE_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_sass {
    uint16_t operation; /* the low nine bits of the instruction */
    uint8_t words;      /* of 32 bits, of an access: a part of one counts as one; else 0 */
    bool always;        /* of a branch, or an exit: whatever any predicate says */
    uint32_t target;    /* of a branch: the instruction that it leads to; else GP_SASS_NOWHERE */
    uint32_t row;       /* in struct gp_cubin_code.rows; GP_SASS_NOWHERE: no line is known */
};
enum { GP_SASS_NOWHERE = UINT32_MAX };

/* A line of source, as gp_source_place() has it, and the row of the call that brought it here; GP_SASS_NOWHERE: none.
 */
struct gp_source_row {
    uint64_t place;
    uint32_t caller;
};

struct gp_cubin_code {
    struct gp_sass *code;
    size_t count;
    struct gp_source_row *rows; /* callers stand before what they call */
    size_t row_count;
};

/* The same number for the same file, whatever directory it is said to lie in, and line. */
uint64_t gp_source_place(const char *file, uint32_t line);

/* The code of a kernel in a cubin, which need not be one. False: it has none, or such as is not read: of before Volta,
 * or with branches to computed places. Free with gp_cubin_code_free(). */
bool gp_cubin_read(const void *cubin, size_t size, const char *kernel, struct gp_cubin_code *code);
void gp_cubin_code_free(struct gp_cubin_code *code);

#endif
