/* What a source pulls in with #include, so that a profile kept on disk is not used for other headers. */
#ifndef GPUPERF_RUNTIME_INCLUDES_H
#define GPUPERF_RUNTIME_INCLUDES_H

#include <stdbool.h>

#include "runtime/hash.h"
#include "runtime/options.h"

/*
 * Adds the contents of all headers that the source names, directly or through others, to the hash. Every #include
 * counts, whether or not the preprocessor would reach it. False: a name is a macro, or there are more than 256 headers:
 * the profile must not be kept. A header that is in no directory is passed over (the compile will say so, or does not
 * reach it).
 */
bool gp_hash_includes(struct gp_hasher *hasher, const char *source, const struct gp_options *options);

#endif
