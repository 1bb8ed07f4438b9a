/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The macros of the compiler in an OpenCL driver. A proof about a kernel holds for the program that the driver builds:
 * where its compiler would take another branch of an #if than ours, it is another program. Ours gets the driver's
 * macros as far as OpenCL says what they are, or the driver was asked (the probe is described in docs/layer.md); a
 * source that looks at others has no proof.
 */
#ifndef GPUPERF_RUNTIME_DRIVER_MACROS_H
#define GPUPERF_RUNTIME_DRIVER_MACROS_H

#include "runtime/hash.h"
#include "runtime/options.h"
#include "support/error.h"

/* What the driver says of a device's language. */
struct gp_driver_language {
    char *extensions, *features; /* names with blanks between them: CL_DEVICE_EXTENSIONS, CL_DEVICE_OPENCL_C_FEATURES */
    unsigned version;            /* of the device: 120, 300 ... */
    unsigned default_c_version;  /* of OpenCL C, for builds without -cl-std; 0: not known */
    unsigned address_bits;       /* 0: not known */
    bool images, little_endian, embedded_profile;
    bool is_pocl;
};

void gp_driver_language_free(struct gp_driver_language *language);
void gp_hash_driver_language(struct gp_hasher *hasher, const struct gp_driver_language *language);

/* The driver's macros for a build: "NAME=VALUE" is defined, "NAME" is not. NULL-terminated; free with
 * gp_driver_macros_free(). NULL: out of memory. */
char **gp_driver_macros(const struct gp_driver_language *language, const struct gp_options *options);
void gp_driver_macros_free(char **macros);

/* Whether a compile with these macros, which read what `preprocessed` says (plugin/preprocessed.h), has compiled what
 * the driver does. False: a sentence. */
bool gp_compiled_as_driver(const char *preprocessed, const struct gp_driver_language *language,
                           const struct gp_options *options, char *const *macros, struct gp_error *error);

/* Whether the compile left open how floating-point operations round. */
bool gp_leaves_rounding_open(const char *preprocessed);

#endif
