/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the layer reads back from its cache: the first byte chooses the text of a decision, packed options, a whole
 * SQLite file, or a good file whose columns have any bytes. Nothing may come of it but entries that are valid.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/cache.h"
#include "test/fuzz/edits.h"

static char folder[64], path[96];
static const struct gp_hash key = {{1, 2}};

static void clean(void)
{
    char other[128];
    static const char *const ends[] = {"", "-wal", "-shm", "-journal", ".broken", ".corrupt"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(other, sizeof other, "%s%s", path, ends[i]);
        unlink(other);
    }
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    snprintf(folder, sizeof folder, "%s/gpuperf-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"); /* SQLite waits for disks */
    want(mkdtemp(folder) != NULL, "no folder");
    snprintf(path, sizeof path, "%s/gpuperf.db", folder);
    atexit(remove_folder);
    return 0;
}

static void look_at_decision(const struct gp_decision *decision)
{
    want(decision->alternative_count <= GP_MAX_ALTERNATIVES, "too many alternatives");
    char *text = gp_decision_print(decision);
    struct gp_decision again;
    want(text && gp_decision_parse(text, &again), "a decision that cannot be read again");
    want(again.alternative_count == decision->alternative_count &&
             memcmp(again.baseline, decision->baseline, sizeof again.baseline) == 0,
         "another decision");
    free(text);
}

static void see_decision(void *context, struct gp_hash hash, const struct gp_decision *decision)
{
    (void)context;
    (void)hash;
    look_at_decision(decision);
}

static void see_hash(void *context, struct gp_hash hash) { *(uint64_t *)context += hash.word[0]; }

static void see_lost(void *context, struct gp_hash hash, double ns)
{
    (void)context;
    (void)hash;
    want(isfinite(ns) && ns >= 0, "a loss that is none");
}

static void read_all(struct gp_cache *cache)
{
    bool foreign;
    struct gp_hash hash;
    struct gp_error error = {""};
    struct gp_options options;
    uint64_t sum = 0;
    struct gp_profile *profile = gp_cache_profile(cache, key, &foreign, &hash);
    want(profile == NULL || gp_profile_check(profile, &error), error.text);
    gp_profile_free(profile);
    free(gp_cache_note(cache, key));
    gp_cache_decisions(cache, key, see_decision, NULL);
    gp_cache_built(cache, key, see_hash, &sum);
    gp_cache_lost(cache, key, see_lost, NULL);
    want(gp_cache_cost(cache, key) >= 0, "a build that cost less than nothing");
    gp_cache_binary(cache, key, &hash);
    char *source = gp_cache_source(cache, key, &options);
    if (source != NULL)
        gp_options_free(&options);
    free(source);
}

static void open_and_read(void)
{
    struct gp_error error = {""};
    struct gp_cache *cache = gp_cache_open(folder, &error);
    want(cache != NULL || error.text[0] != '\0', "no cache, and nobody says why");
    read_all(cache);
    gp_cache_close(cache);
    clean();
}

static void any_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    want(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0 && chmod(path, 0600) == 0,
         "cannot write the file");
    open_and_read();
}

/* A good file; then each table has a row of these bytes, as a blob or a text. */
static void any_columns(const uint8_t *bytes, size_t size, bool text)
{
    static const char *const rows[] = {"profiles(key, profile, foreign_target, made) VALUES(?1, ?2, 0, 0)",
                                       "failures(key, reason, made) VALUES(?1, ?2, 0)",
                                       "decisions(kernel, key, decision, made) VALUES(?1, ?1, ?2, 0)",
                                       "built(kernel, size, made) VALUES(?1, ?2, 0)",
                                       "binaries(key, source, made) VALUES(?1, ?2, 0)",
                                       "sources(key, made, options, source) VALUES(?1, 0, ?2, ?2)",
                                       "lost(kernel, size, ns, made) VALUES(?1, ?1, ?2, 0)",
                                       "costs(key, ns, made) VALUES(?1, ?2, 0)"};
    struct gp_error error = {""};
    gp_cache_close(gp_cache_open(folder, &error));
    sqlite3 *file;
    want(sqlite3_open(path, &file) == SQLITE_OK, "no file");
    sqlite3_exec(file, "PRAGMA synchronous=OFF", NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char command[160];
        sqlite3_stmt *statement;
        snprintf(command, sizeof command, "INSERT INTO %s", rows[i]);
        want(sqlite3_prepare_v2(file, command, -1, &statement, NULL) == SQLITE_OK, sqlite3_errmsg(file));
        sqlite3_bind_blob(statement, 1, &key, sizeof key, SQLITE_STATIC);
        if (text)
            sqlite3_bind_text(statement, 2, (const char *)bytes, (int)size, SQLITE_STATIC);
        else
            sqlite3_bind_blob(statement, 2, bytes, (int)size, SQLITE_STATIC);
        sqlite3_step(statement);
        sqlite3_finalize(statement);
    }
    sqlite3_close(file);
    open_and_read();
}

static void decision_text(const char *text)
{
    struct gp_decision decision;
    if (gp_decision_parse(text, &decision))
        look_at_decision(&decision);
}

static void packed_options(const char *bytes, size_t size)
{
    struct gp_options options;
    struct gp_text packed = {0};
    if (!gp_options_unpack(bytes, size, &options))
        return;
    gp_options_pack(&options, &packed);
    gp_options_free(&options);
    gp_text_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    char *copy = malloc(size);
    want(copy != NULL, "out of memory");
    memcpy(copy, bytes + 1, size - 1);
    switch (bytes[0] % 16) {
    case 0: any_file(bytes + 1, size - 1); break;
    case 1: any_columns(bytes + 1, size - 1, bytes[0] & 16); break;
    case 2:
    case 3:
    case 4:
    case 5: packed_options(copy, size - 1); break;
    default:
        copy[size - 1] = '\0';
        decision_text(copy);
        break;
    }
    free(copy);
    return 0;
}
