/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/cache.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_binary.h"
#include "runtime/cache_file.h"
#include "runtime/status.h"

/* Raised whenever the meaning of a table or a hash changes: a file of another number is emptied. */
enum {
    SCHEMA = 6,
    BUSY_MILLISECONDS = 250,
    MOST_PROFILES = 4096,
    MOST_DECISIONS = 16384,
    LARGEST_SOURCE = 4 << 20,
    MOST_SOURCE_BYTES = 32 << 20
};

/* A statement that is used again: to prepare one takes longer than to execute it. */
struct prepared {
    const char *sql; /* a literal: told by its address */
    sqlite3_stmt *statement;
};

enum { MOST_PREPARED = 24 };

struct gp_cache {
    sqlite3 *database;
    char *path;
    struct prepared prepared[MOST_PREPARED];
    bool broken;       /* corruption was met: nothing more is read or written */
    bool more;         /* rows than there were */
    bool more_sources; /* likewise */
};

static const char *const schema_sql =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS profiles(key BLOB PRIMARY KEY, profile BLOB NOT NULL, foreign_target INTEGER NOT NULL,"
    " made INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS failures(key BLOB PRIMARY KEY, reason TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT "
    "ROWID;"
    "CREATE TABLE IF NOT EXISTS decisions(kernel BLOB NOT NULL, key BLOB NOT NULL, decision TEXT NOT NULL, made "
    "INTEGER NOT NULL,"
    " PRIMARY KEY(kernel, key)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS built(kernel BLOB NOT NULL, size BLOB NOT NULL, made INTEGER NOT NULL, PRIMARY "
    "KEY(kernel, size)) WITHOUT "
    "ROWID;"
    "CREATE TABLE IF NOT EXISTS binaries(key BLOB PRIMARY KEY, source BLOB NOT NULL, made INTEGER NOT NULL) WITHOUT "
    "ROWID;"
    "CREATE TABLE IF NOT EXISTS sources(key BLOB PRIMARY KEY, made INTEGER NOT NULL, options BLOB NOT NULL, source "
    "BLOB NOT NULL);"
    "CREATE TABLE IF NOT EXISTS lost(kernel BLOB NOT NULL, size BLOB NOT NULL, ns REAL NOT NULL, made INTEGER NOT "
    "NULL, PRIMARY KEY(kernel, size)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS status(key BLOB PRIMARY KEY, kernel TEXT NOT NULL, device TEXT NOT NULL, launches "
    "INTEGER NOT NULL, chosen INTEGER NOT NULL, ns REAL NOT NULL, driver_ns REAL NOT NULL, global TEXT NOT NULL,"
    " local TEXT NOT NULL, source TEXT NOT NULL, reason TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS costs(key BLOB PRIMARY KEY, ns REAL NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;"
    "PRAGMA user_version = 6;"
    "PRAGMA application_id = 0x67707066;"
    "COMMIT;";
_Static_assert(SCHEMA == 6 && GP_CACHE_APPLICATION == 0x67707066, "schema_sql sets both");

/* What the statements below read: a file where one of these fails is as good as a broken one. */
static const char *const columns[] = {
    "SELECT key, profile, foreign_target, made FROM profiles",
    "SELECT key, reason, made FROM failures",
    "SELECT kernel, key, decision, made FROM decisions",
    "SELECT kernel, size, made FROM built",
    "SELECT key, source, made FROM binaries",
    "SELECT key, made, options, source FROM sources",
    "SELECT kernel, size, ns, made FROM lost",
    "SELECT key, ns, made FROM costs",
    "SELECT key, kernel, device, launches, chosen, ns, driver_ns, global, local, source, reason, made FROM status",
};

static const char *const empty_sql =
    "BEGIN IMMEDIATE;"
    "DROP TABLE IF EXISTS profiles; DROP TABLE IF EXISTS decisions; DROP TABLE IF "
    "EXISTS built; DROP TABLE IF EXISTS binaries; DROP TABLE IF EXISTS failures; DROP TABLE IF "
    "EXISTS sources; DROP TABLE IF EXISTS lost; DROP TABLE IF EXISTS costs; DROP TABLE "
    "IF EXISTS status;"
    "COMMIT;";

/* No code of SQLite's: the file is another program's, or has become another's. */
enum { FOREIGN = -1 };

/* SQLITE_ERROR: the tables are not those that the statements are for. */
static bool is_corruption(int code)
{
    return code == SQLITE_ERROR || (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB ||
           (code & 0xff) == SQLITE_FORMAT;
}

/* A number that a statement gives, or 0. */
static int read_number(sqlite3 *database, const char *sql, int *number)
{
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(statement);
    *number = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* A file that says nothing of its program may still be another's: gpuperf's has had this column from its first version
 * on. An empty one is new. */
static int check_owner(sqlite3 *database)
{
    int application = 0, tables = 0, ours = 0;
    int code = read_number(database, "PRAGMA application_id", &application);
    if (code == SQLITE_OK && application == 0)
        code = read_number(database, "SELECT count(*) FROM sqlite_master", &tables);
    if (code == SQLITE_OK && tables > 0)
        code = read_number(database,
                           "SELECT count(*) FROM sqlite_master WHERE name = 'profiles' AND sql LIKE '%foreign_target "
                           "INTEGER NOT NULL%'",
                           &ours);
    return code == SQLITE_OK && tables > 0 && ours == 0 ? FOREIGN : code;
}

static int check_columns(sqlite3 *database)
{
    int code = SQLITE_OK, unused;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0] && code == SQLITE_OK; i++)
        code = read_number(database, columns[i], &unused);
    return code;
}

static int prepare_tables(sqlite3 *database)
{
    int version = 0;
    sqlite3_busy_timeout(database, BUSY_MILLISECONDS);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    int code =
        sqlite3_exec(database, "PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY",
                     NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = check_owner(database);
    if (code == SQLITE_OK)
        code = read_number(database, "PRAGMA user_version", &version);
    if (code == SQLITE_OK && version != SCHEMA && version != 0)
        code = sqlite3_exec(database, empty_sql, NULL, NULL, NULL);
    if (code == SQLITE_OK && version != SCHEMA)
        code = sqlite3_exec(database, schema_sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? check_columns(database) : code;
}

/* The file is there. What was looked at by its name must be what was opened by it. */
static int open_database(struct gp_cache *cache, struct gp_error *error)
{
    int code = sqlite3_open_v2(
        cache->path, &cache->database,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW, NULL);
    if (code == SQLITE_OK)
        code = prepare_tables(cache->database);
    if (code == SQLITE_OK && !gp_cache_file_is_ours(cache->path, error))
        code = FOREIGN;
    if (code != SQLITE_OK) {
        sqlite3_close(cache->database);
        cache->database = NULL;
    }
    return code;
}

/* Keeps the file small: of more rows than so many the newest three quarters of that number stay. Which decisions belong
 * to a profile their keys do not tell. */
static void trim_table(struct gp_cache *cache, const char *table, const char *key, int most)
{
    char *sql = sqlite3_mprintf("DELETE FROM %s WHERE (SELECT count(*) FROM %s) > %d AND (%s) IN"
                                " (SELECT %s FROM %s ORDER BY made LIMIT (SELECT count(*) FROM %s) - %d)",
                                table, table, most, key, key, table, table, most / 4 * 3);
    if (sql != NULL)
        sqlite3_exec(cache->database, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
}

/* The newest that are not more than so many bytes together stay. Their sizes are spread over the file, so that this is
 * done where one was added only. */
static void trim_sources(struct gp_cache *cache)
{
    trim_table(cache, "sources", "key", MOST_PROFILES);
    char *sql = sqlite3_mprintf(
        "DELETE FROM sources WHERE key IN (SELECT key FROM (SELECT key, sum(length(source) + length(options))"
        " OVER (ORDER BY made DESC, key) AS bytes FROM sources) WHERE bytes > %d)",
        MOST_SOURCE_BYTES);
    if (sql != NULL)
        sqlite3_exec(cache->database, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
}

static void trim(struct gp_cache *cache)
{
    trim_table(cache, "profiles", "key", MOST_PROFILES);
    trim_table(cache, "failures", "key", MOST_PROFILES);
    trim_table(cache, "binaries", "key", MOST_PROFILES);
    trim_table(cache, "decisions", "kernel, key", MOST_DECISIONS);
    trim_table(cache, "built", "kernel, size", MOST_DECISIONS);
    trim_table(cache, "lost", "kernel, size", MOST_DECISIONS);
    trim_table(cache, "costs", "key", MOST_PROFILES);
    trim_table(cache, "status", "key", MOST_PROFILES);
}

/* Opens the file, or a new one in place of one that is broken. error->text is empty where nothing is to be told. */
static int open_or_begin_anew(struct gp_cache *cache, const char *directory, struct gp_error *error)
{
    int code = open_database(cache, error);
    if (!is_corruption(code))
        return code;
    gp_cache_file_set_aside(cache->path);
    free(cache->path);
    if (!gp_cache_file_ready(directory, &cache->path, error))
        return FOREIGN;
    code = open_database(cache, error);
    if (code == SQLITE_OK)
        gp_fail(error, "the cache %s was broken: it is set aside as %s.broken, and a new one begun", cache->path,
                cache->path);
    return code;
}

struct gp_cache *gp_cache_open(const char *directory, struct gp_error *error)
{
    struct gp_error local;
    struct gp_cache *cache = calloc(1, sizeof *cache);
    error = error != NULL ? error : &local;
    error->text[0] = '\0';
    if (cache == NULL) {
        gp_fail(error, "out of memory");
        return NULL;
    }
    int code =
        gp_cache_file_ready(directory, &cache->path, error) ? open_or_begin_anew(cache, directory, error) : FOREIGN;
    if (code == SQLITE_OK)
        return cache;
    if (error->text[0] == '\0' && code == FOREIGN)
        gp_fail(error,
                "%s is another program's database: it is left alone, and nothing is cached (set GPUPERF_CACHE to "
                "another directory)",
                cache->path);
    else if (error->text[0] == '\0')
        gp_fail(error, "cannot use the cache %s: %s (set GPUPERF_CACHE to another directory)", cache->path,
                sqlite3_errstr(code));
    free(cache->path);
    free(cache);
    return NULL;
}

void gp_cache_close(struct gp_cache *cache)
{
    if (cache == NULL)
        return;
    for (int i = 0; i < MOST_PREPARED; i++)
        sqlite3_finalize(cache->prepared[i].statement);
    if (cache->more && !cache->broken)
        trim(cache);
    if (cache->more_sources && !cache->broken)
        trim_sources(cache);
    sqlite3_close(cache->database);
    if (cache->broken)
        gp_cache_file_set_aside(cache->path);
    free(cache->path);
    free(cache);
}

/* ---- Statements ---- */

/* Notes corruption and ends the statement's run. What was bound is given up. */
static void finish(struct gp_cache *cache, sqlite3_stmt *statement)
{
    if (is_corruption(sqlite3_reset(statement)))
        cache->broken = true;
    sqlite3_clear_bindings(statement);
}

/* The place of a statement, or an empty one for it. There are fewer literals than places. */
static struct prepared *place_of(struct gp_cache *cache, const char *sql)
{
    struct prepared *place = cache->prepared;
    while (place->sql != NULL && place->sql != sql && place < cache->prepared + MOST_PREPARED - 1)
        place++;
    return place;
}

static sqlite3_stmt *prepare(struct gp_cache *cache, const char *sql)
{
    if (cache == NULL || cache->broken)
        return NULL;
    struct prepared *place = place_of(cache, sql);
    if (place->sql == sql)
        return place->statement;
    sqlite3_finalize(place->statement); /* a last place that another one has: not met */
    place->statement = NULL;
    if (is_corruption(sqlite3_prepare_v2(cache->database, sql, -1, &place->statement, NULL)))
        cache->broken = true;
    place->sql = place->statement != NULL ? sql : NULL;
    return place->statement;
}

/* The same of one that adds rows. */
static sqlite3_stmt *prepare_adding(struct gp_cache *cache, const char *sql)
{
    sqlite3_stmt *statement = prepare(cache, sql);
    if (statement != NULL)
        cache->more = true;
    return statement;
}

static void execute(struct gp_cache *cache, const char *sql)
{
    sqlite3_stmt *statement = prepare(cache, sql);
    if (statement == NULL)
        return;
    sqlite3_step(statement);
    finish(cache, statement);
}

static bool is_time(double ns) { return isfinite(ns) && ns >= 0; }

/* False: no memory. What is not bound is NULL, which no column takes and nothing equals; but for a table's key with a
 * row number. */
static bool bind_hash(sqlite3_stmt *statement, int index, struct gp_hash hash)
{
    return sqlite3_bind_blob(statement, index, &hash, sizeof hash, SQLITE_TRANSIENT) == SQLITE_OK;
}

static bool column_hash(sqlite3_stmt *statement, int index, struct gp_hash *hash)
{
    const void *bytes = sqlite3_column_blob(statement, index);
    if (bytes == NULL || sqlite3_column_bytes(statement, index) != (int)sizeof *hash)
        return false;
    memcpy(hash, bytes, sizeof *hash);
    return true;
}

static struct gp_hash hash_bytes(const void *bytes, size_t count)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, bytes, count);
    return gp_hash_end(&hasher);
}

struct gp_hash gp_profile_hash(const struct gp_profile *profile)
{
    struct gp_hash hash = {{0, 0}};
    uint32_t *words;
    size_t count;
    if (gp_profile_encode(profile, &words, &count, NULL)) {
        hash = hash_bytes(words, count * sizeof *words);
        free(words);
    }
    return hash;
}

struct gp_profile *gp_cache_profile(struct gp_cache *cache, struct gp_hash key, bool *foreign_target,
                                    struct gp_hash *hash)
{
    struct gp_profile *profile = NULL;
    sqlite3_stmt *statement = prepare(cache, "SELECT profile, foreign_target FROM profiles WHERE key = ?");
    if (statement == NULL)
        return NULL;
    bind_hash(statement, 1, key);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(statement, 0);
        size_t count = (size_t)sqlite3_column_bytes(statement, 0);
        profile = bytes != NULL ? gp_profile_decode(bytes, count, NULL) : NULL;
        *foreign_target = sqlite3_column_int(statement, 1) != 0;
        if (profile != NULL)
            *hash = hash_bytes(bytes, count);
    }
    finish(cache, statement);
    return profile;
}

char *gp_cache_note(struct gp_cache *cache, struct gp_hash key)
{
    char *reason = NULL;
    sqlite3_stmt *statement = prepare(cache, "SELECT reason FROM failures WHERE key = ?");
    if (statement == NULL)
        return NULL;
    bind_hash(statement, 1, key);
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0) != NULL)
        reason = strdup((const char *)sqlite3_column_text(statement, 0));
    finish(cache, statement);
    return reason;
}

void gp_cache_add_note(struct gp_cache *cache, struct gp_hash key, const char *reason)
{
    sqlite3_stmt *statement =
        prepare_adding(cache, "INSERT OR REPLACE INTO failures(key, reason, made) VALUES(?, ?, strftime('%s', 'now'))");
    if (statement == NULL)
        return;
    bind_hash(statement, 1, key);
    sqlite3_bind_text(statement, 2, reason, -1, SQLITE_TRANSIENT);
    sqlite3_step(statement);
    finish(cache, statement);
}

void gp_cache_add_profile(struct gp_cache *cache, struct gp_hash key, const struct gp_profile *profile,
                          bool foreign_target)
{
    uint32_t *words;
    size_t count;
    sqlite3_stmt *statement = prepare_adding(
        cache,
        "INSERT OR REPLACE INTO profiles(key, profile, foreign_target, made) VALUES(?, ?, ?, strftime('%s', 'now'))");
    if (statement == NULL)
        return;
    if (gp_profile_encode(profile, &words, &count, NULL)) {
        bind_hash(statement, 1, key);
        sqlite3_bind_blob64(statement, 2, words, count * sizeof *words, free);
        sqlite3_bind_int(statement, 3, foreign_target);
        sqlite3_step(statement);
    }
    finish(cache, statement);
}

void gp_cache_decisions(struct gp_cache *cache, struct gp_hash kernel, gp_each_decision *each, void *context)
{
    sqlite3_stmt *statement = prepare(cache, "SELECT key, decision FROM decisions WHERE kernel = ?");
    if (statement == NULL)
        return;
    bind_hash(statement, 1, kernel);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        struct gp_hash key;
        struct gp_decision decision;
        const char *text = (const char *)sqlite3_column_text(statement, 1);
        if (column_hash(statement, 0, &key) && text != NULL && gp_decision_parse(text, &decision))
            each(context, key, &decision);
    }
    finish(cache, statement);
}

static void add_pair(struct gp_cache *cache, const char *sql, struct gp_hash first, struct gp_hash second)
{
    sqlite3_stmt *statement = prepare_adding(cache, sql);
    if (statement == NULL)
        return;
    bind_hash(statement, 1, first);
    bind_hash(statement, 2, second);
    sqlite3_step(statement);
    finish(cache, statement);
}

void gp_cache_forget_decision(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash key)
{
    add_pair(cache, "DELETE FROM decisions WHERE kernel = ? AND key = ?", kernel, key);
}

void gp_cache_add_decision(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash key,
                           const struct gp_decision *decision)
{
    sqlite3_stmt *statement = prepare_adding(
        cache, "INSERT OR REPLACE INTO decisions(kernel, key, decision, made) VALUES(?, ?, ?, strftime('%s', 'now'))");
    if (statement == NULL)
        return;
    bind_hash(statement, 1, kernel);
    bind_hash(statement, 2, key);
    sqlite3_bind_text(statement, 3, gp_decision_print(decision), -1, free);
    sqlite3_step(statement);
    finish(cache, statement);
}

void gp_cache_built(struct gp_cache *cache, struct gp_hash kernel, gp_each_hash *each, void *context)
{
    struct gp_hash size;
    sqlite3_stmt *statement = prepare(cache, "SELECT size FROM built WHERE kernel = ?");
    if (statement == NULL)
        return;
    bind_hash(statement, 1, kernel);
    while (sqlite3_step(statement) == SQLITE_ROW)
        if (column_hash(statement, 0, &size))
            each(context, size);
    finish(cache, statement);
}

void gp_cache_add_built(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash size)
{
    add_pair(cache, "INSERT OR REPLACE INTO built(kernel, size, made) VALUES(?, ?, strftime('%s', 'now'))", kernel,
             size);
    add_pair(cache, "DELETE FROM lost WHERE kernel = ? AND size = ?", kernel, size);
}

/* ---- What builds cost, and what it costs to do without ---- */

void gp_cache_lost(struct gp_cache *cache, struct gp_hash kernel, gp_each_lost *each, void *context)
{
    struct gp_hash size;
    sqlite3_stmt *statement = prepare(cache, "SELECT size, ns FROM lost WHERE kernel = ?");
    if (statement == NULL)
        return;
    bind_hash(statement, 1, kernel);
    while (sqlite3_step(statement) == SQLITE_ROW)
        if (column_hash(statement, 0, &size) && is_time(sqlite3_column_double(statement, 1)))
            each(context, size, sqlite3_column_double(statement, 1));
    finish(cache, statement);
}

void gp_cache_add_lost(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash size, double ns)
{
    sqlite3_stmt *statement =
        prepare_adding(cache, "INSERT INTO lost(kernel, size, ns, made) VALUES(?, ?, ?, strftime('%s', 'now'))"
                              " ON CONFLICT(kernel, size) DO UPDATE SET ns = ns + excluded.ns, made = excluded.made");
    if (statement == NULL)
        return;
    bind_hash(statement, 1, kernel);
    bind_hash(statement, 2, size);
    sqlite3_bind_double(statement, 3, ns);
    sqlite3_step(statement);
    finish(cache, statement);
}

double gp_cache_cost(struct gp_cache *cache, struct gp_hash kernel)
{
    double ns = 0;
    sqlite3_stmt *statement = prepare(cache, "SELECT ns FROM costs WHERE key = ?");
    if (statement == NULL)
        return 0;
    bind_hash(statement, 1, kernel);
    if (sqlite3_step(statement) == SQLITE_ROW)
        ns = sqlite3_column_double(statement, 0);
    finish(cache, statement);
    return is_time(ns) ? ns : 0;
}

void gp_cache_add_cost(struct gp_cache *cache, struct gp_hash kernel, double ns)
{
    sqlite3_stmt *statement =
        prepare_adding(cache, "INSERT OR REPLACE INTO costs(key, ns, made) VALUES(?, ?, strftime('%s', 'now'))");
    if (statement == NULL)
        return;
    bind_hash(statement, 1, kernel);
    sqlite3_bind_double(statement, 2, ns);
    sqlite3_step(statement);
    finish(cache, statement);
}

bool gp_cache_binary(struct gp_cache *cache, struct gp_hash binary, struct gp_hash *source_key)
{
    bool found = false;
    sqlite3_stmt *statement = prepare(cache, "SELECT source FROM binaries WHERE key = ?");
    if (statement == NULL)
        return false;
    bind_hash(statement, 1, binary);
    if (sqlite3_step(statement) == SQLITE_ROW)
        found = column_hash(statement, 0, source_key);
    finish(cache, statement);
    return found;
}

void gp_cache_add_binary(struct gp_cache *cache, struct gp_hash binary, struct gp_hash source_key)
{
    add_pair(cache, "INSERT OR REPLACE INTO binaries(key, source, made) VALUES(?, ?, strftime('%s', 'now'))", binary,
             source_key);
}

/* Blobs may hold anything where a file is damaged: the copy ends in NUL. */
static char *column_text(sqlite3_stmt *statement, int index, size_t *length)
{
    const void *bytes = sqlite3_column_blob(statement, index);
    *length = bytes != NULL ? (size_t)sqlite3_column_bytes(statement, index) : 0;
    char *copy = malloc(*length + 1);
    if (copy == NULL)
        return NULL;
    if (*length > 0)
        memcpy(copy, bytes, *length);
    copy[*length] = '\0';
    return copy;
}

char *gp_cache_source(struct gp_cache *cache, struct gp_hash key, struct gp_options *options)
{
    char *source = NULL, *packed = NULL;
    size_t length = 0, packed_length = 0;
    sqlite3_stmt *statement = prepare(cache, "SELECT source, options FROM sources WHERE key = ?");
    if (statement == NULL)
        return NULL;
    bind_hash(statement, 1, key);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        source = column_text(statement, 0, &length);
        packed = column_text(statement, 1, &packed_length);
    }
    finish(cache, statement);
    if (source == NULL || packed == NULL || !gp_options_unpack(packed, packed_length, options)) {
        free(source);
        source = NULL;
    }
    free(packed);
    return source;
}

void gp_cache_add_source(struct gp_cache *cache, struct gp_hash key, const char *source,
                         const struct gp_options *options)
{
    struct gp_text packed = {0};
    size_t length = strlen(source);
    sqlite3_stmt *statement =
        length <= LARGEST_SOURCE
            ? prepare(cache, "INSERT INTO sources(key, made, options, source) VALUES(?, strftime('%s', 'now'), ?, ?) "
                             "ON CONFLICT(key) DO UPDATE SET made = excluded.made")
            : NULL;
    if (statement == NULL)
        return;
    gp_options_pack(options, &packed);
    if (!packed.failed && bind_hash(statement, 1, key)) {
        cache->more_sources = true;
        sqlite3_bind_blob64(statement, 2, packed.length > 0 ? packed.data : "", packed.length, SQLITE_TRANSIENT);
        sqlite3_bind_blob64(statement, 3, source, length, SQLITE_TRANSIENT);
        sqlite3_step(statement);
    }
    finish(cache, statement);
    gp_text_free(&packed);
}

void gp_cache_begin(struct gp_cache *cache) { execute(cache, "BEGIN"); }

void gp_cache_commit(struct gp_cache *cache) { execute(cache, "COMMIT"); }

/* ---- What became of launches ---- */

struct gp_hash gp_status_key(const struct gp_kernel_status *status)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, status->kernel);
    gp_hash_add_string(&hasher, status->device);
    return gp_hash_end(&hasher);
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

void gp_cache_add_status(struct gp_cache *cache, const struct gp_kernel_status *status)
{
    sqlite3_stmt *statement = prepare_adding(
        cache,
        "INSERT INTO status(key, kernel, device, launches, chosen, ns, driver_ns, global, local, source, reason, made)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%s', 'now')) ON CONFLICT(key) DO UPDATE SET"
        " launches = launches + excluded.launches, chosen = chosen + excluded.chosen, ns = ns + excluded.ns,"
        " driver_ns = driver_ns + excluded.driver_ns, global = excluded.global, local = excluded.local,"
        " source = excluded.source, reason = excluded.reason, made = excluded.made");
    if (statement == NULL || !is_time(status->ns) || !is_time(status->driver_ns))
        return;
    bind_hash(statement, 1, gp_status_key(status));
    bind_text(statement, 2, status->kernel);
    bind_text(statement, 3, status->device);
    sqlite3_bind_int64(statement, 4, (int64_t)status->launches);
    sqlite3_bind_int64(statement, 5, (int64_t)status->chosen);
    sqlite3_bind_double(statement, 6, status->ns);
    sqlite3_bind_double(statement, 7, status->driver_ns);
    bind_text(statement, 8, status->global);
    bind_text(statement, 9, status->local);
    bind_text(statement, 10, status->from);
    bind_text(statement, 11, status->reason);
    sqlite3_step(statement);
    finish(cache, statement);
}

static void take_text(sqlite3_stmt *statement, int index, char *text, size_t size)
{
    const char *found = (const char *)sqlite3_column_text(statement, index);
    snprintf(text, size, "%s", found != NULL ? found : "");
}

void gp_cache_statuses(struct gp_cache *cache, gp_each_status *each, void *context)
{
    sqlite3_stmt *statement =
        prepare(cache, "SELECT kernel, device, global, local, source, reason, launches, chosen, ns, driver_ns, made"
                       " FROM status ORDER BY ns DESC, launches DESC, kernel, device");
    if (statement == NULL)
        return;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        struct gp_kernel_status status = {.launches = (uint64_t)sqlite3_column_int64(statement, 6),
                                          .chosen = (uint64_t)sqlite3_column_int64(statement, 7),
                                          .ns = sqlite3_column_double(statement, 8),
                                          .driver_ns = sqlite3_column_double(statement, 9)};
        take_text(statement, 0, status.kernel, sizeof status.kernel);
        take_text(statement, 1, status.device, sizeof status.device);
        take_text(statement, 2, status.global, sizeof status.global);
        take_text(statement, 3, status.local, sizeof status.local);
        take_text(statement, 4, status.from, sizeof status.from);
        take_text(statement, 5, status.reason, sizeof status.reason);
        each(context, &status, sqlite3_column_int64(statement, 10));
    }
    finish(cache, statement);
}
