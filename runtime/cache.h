/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is kept between processes: profiles, sources that have none, decisions, which sizes a driver has built kernels
 * for, what builds cost and their lack has cost, and the sources of binaries. One SQLite file, gpuperf.db, that only
 * the user may read (cache_file.h); several processes may use it at once. A cache is used by one thread. Whatever goes
 * wrong with it (a broken file, a full disk, a lock that does not come free) costs the entry at hand, never more.
 */
#ifndef GPUPERF_RUNTIME_CACHE_H
#define GPUPERF_RUNTIME_CACHE_H

#include "model/profile/profile.h"
#include "runtime/decision.h"
#include "runtime/hash.h"
#include "runtime/options.h"

struct gp_cache;

/*
 * Creates the directory and the file as needed. NULL and a sentence when there can be no cache, or the file is not
 * gpuperf's and this user's; a sentence beside a cache when a broken one was set aside for it.
 */
struct gp_cache *gp_cache_open(const char *directory, struct gp_error *error);
void gp_cache_close(struct gp_cache *cache);

/* All of these allow a NULL cache, which knows nothing. */

/* A profile; NULL when it is not there. Free with gp_profile_free(). *hash: the content's. */
struct gp_profile *gp_cache_profile(struct gp_cache *cache, struct gp_hash key, bool *foreign_target,
                                    struct gp_hash *hash);
void gp_cache_add_profile(struct gp_cache *cache, struct gp_hash key, const struct gp_profile *profile,
                          bool foreign_target);

/* A text under a key: why there can be no profile, which headers one is made of. NULL: there is none. Free with free().
 */
char *gp_cache_note(struct gp_cache *cache, struct gp_hash key);
void gp_cache_add_note(struct gp_cache *cache, struct gp_hash key, const char *reason);

/* Calls `each` for every decision of a kernel. */
typedef void gp_each_decision(void *context, struct gp_hash key, const struct gp_decision *decision);
void gp_cache_decisions(struct gp_cache *cache, struct gp_hash kernel, gp_each_decision *each, void *context);
void gp_cache_forget_decision(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash key);
void gp_cache_add_decision(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash key,
                           const struct gp_decision *decision);

/* Sizes that the driver has built a kernel for (as hashes that the caller made). */
typedef void gp_each_hash(void *context, struct gp_hash hash);
void gp_cache_built(struct gp_cache *cache, struct gp_hash kernel, gp_each_hash *each, void *context);
void gp_cache_add_built(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash size);

/* What was lost for want of a size, in all processes so far, in ns; forgotten when the size is built. */
typedef void gp_each_lost(void *context, struct gp_hash size, double ns);
void gp_cache_lost(struct gp_cache *cache, struct gp_hash kernel, gp_each_lost *each, void *context);
void gp_cache_add_lost(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash size, double ns);

/* What the driver took to build the kernel for a size, in ns; 0: not known. */
double gp_cache_cost(struct gp_cache *cache, struct gp_hash kernel);
void gp_cache_add_cost(struct gp_cache *cache, struct gp_hash kernel, double ns);

/* The source that a driver's binary was built from, by its key: noted when a program that was built from source fetches
 * its binary. */
bool gp_cache_binary(struct gp_cache *cache, struct gp_hash binary, struct gp_hash *source_key);
void gp_cache_add_binary(struct gp_cache *cache, struct gp_hash binary, struct gp_hash source_key);

/*
 * Such a source and the options that it was built with; NULL: it is not there. Free with free() and gp_options_free().
 * Very large ones are not kept, and of all the newest 32 MiB.
 */
char *gp_cache_source(struct gp_cache *cache, struct gp_hash key, struct gp_options *options);
void gp_cache_add_source(struct gp_cache *cache, struct gp_hash key, const char *source,
                         const struct gp_options *options);

/* What is added between these two is written at once. */
void gp_cache_begin(struct gp_cache *cache);
void gp_cache_commit(struct gp_cache *cache);

/* The content hash of a profile; zeros when it cannot be encoded. */
struct gp_hash gp_profile_hash(const struct gp_profile *profile);

#endif
