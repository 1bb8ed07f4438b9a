#include "runtime/cache.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/profile/profile_binary.h"

/* Raised whenever the meaning of a table or a hash changes: a file of another number is emptied. */
enum { SCHEMA = 4, BUSY_MILLISECONDS = 250, MOST_PROFILES = 4096, MOST_DECISIONS = 16384, LARGEST_SOURCE = 4 << 20, MOST_SOURCE_BYTES = 32 << 20 };

struct gp_cache {
    sqlite3 *database;
    char *path;
    bool broken; /* corruption was met: nothing more is read or written */
    bool more_sources; /* than there were */
};

static const char *const schema_sql =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS profiles(key BLOB PRIMARY KEY, profile BLOB NOT NULL, foreign_target INTEGER NOT NULL,"
    " made INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS failures(key BLOB PRIMARY KEY, reason TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS decisions(kernel BLOB NOT NULL, key BLOB NOT NULL, decision TEXT NOT NULL, made INTEGER NOT NULL,"
    " PRIMARY KEY(kernel, key)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS built(kernel BLOB NOT NULL, size BLOB NOT NULL, made INTEGER NOT NULL, PRIMARY KEY(kernel, size)) WITHOUT "
    "ROWID;"
    "CREATE TABLE IF NOT EXISTS binaries(key BLOB PRIMARY KEY, source BLOB NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS sources(key BLOB PRIMARY KEY, made INTEGER NOT NULL, options BLOB NOT NULL, source BLOB NOT NULL);"
    "PRAGMA user_version = 4;"
    "COMMIT;";
_Static_assert(SCHEMA == 4, "schema_sql sets user_version");

static const char *const empty_sql = "BEGIN IMMEDIATE;"
                                     "DROP TABLE IF EXISTS profiles; DROP TABLE IF EXISTS decisions; DROP TABLE IF "
                                     "EXISTS built; DROP TABLE IF EXISTS binaries; DROP TABLE IF EXISTS failures; DROP TABLE IF "
                                     "EXISTS sources;"
                                     "COMMIT;";

static bool is_corruption(int code)
{
    return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_FORMAT;
}

/* mkdir -p with private directories. */
static bool make_directories(const char *directory)
{
    char *path = strdup(directory);
    if (path == NULL)
        return false;
    for (char *at = path + 1; *at != '\0'; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    free(path);
    return made;
}

static int read_user_version(sqlite3 *database, int *version)
{
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &statement, NULL);
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(statement);
    *version = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? SQLITE_OK : code;
}

static int prepare_tables(sqlite3 *database)
{
    int version = 0;
    sqlite3_busy_timeout(database, BUSY_MILLISECONDS);
    int code = sqlite3_exec(database, "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = read_user_version(database, &version);
    if (code != SQLITE_OK || version == SCHEMA)
        return code;
    if (version != 0)
        code = sqlite3_exec(database, empty_sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? sqlite3_exec(database, schema_sql, NULL, NULL, NULL) : code;
}

static int open_database(struct gp_cache *cache)
{
    int code = sqlite3_open_v2(
        cache->path, &cache->database,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);
    if (code == SQLITE_OK)
        code = prepare_tables(cache->database);
    if (code != SQLITE_OK) {
        sqlite3_close(cache->database);
        cache->database = NULL;
    }
    return code;
}

/* Where links lead to the file, the file is what is looked at, and set aside. */
static void follow_links(char **path)
{
    char *end = realpath(*path, NULL);
    if (end == NULL)
        return; /* there is none yet */
    free(*path);
    *path = end;
}

/* A broken file is kept beside for whoever wants to know, once. A device is none. */
static void set_aside(const char *path)
{
    char *aside, *journal;
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || asprintf(&aside, "%s.broken", path) < 0)
        return;
    rename(path, aside);
    free(aside);
    if (asprintf(&journal, "%s-journal", path) < 0)
        return;
    unlink(journal);
    free(journal);
}

/* Keeps the file small: of more rows than so many the newest three quarters of that number stay. Which decisions belong to a profile their keys do not tell. */
static void trim_table(struct gp_cache *cache, const char *table, const char *key, int most)
{
    char *sql = sqlite3_mprintf("DELETE FROM %s WHERE (SELECT count(*) FROM %s) > %d AND (%s) IN"
                                " (SELECT %s FROM %s ORDER BY made LIMIT (SELECT count(*) FROM %s) - %d)", table, table, most, key, key, table, table, most / 4 * 3);
    if (sql != NULL)
        sqlite3_exec(cache->database, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
}

/* The newest that are not more than so many bytes together stay. Their sizes are spread over the file, so that this is done where one was added only. */
static void trim_sources(struct gp_cache *cache)
{
    trim_table(cache, "sources", "key", MOST_PROFILES);
    char *sql = sqlite3_mprintf("DELETE FROM sources WHERE key IN (SELECT key FROM (SELECT key, sum(length(source) + length(options))"
                                " OVER (ORDER BY made DESC, key) AS bytes FROM sources) WHERE bytes > %d)", MOST_SOURCE_BYTES);
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
}

struct gp_cache *gp_cache_open(const char *directory, struct gp_error *error)
{
    struct gp_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL || asprintf(&cache->path, "%s/gpuperf.db", directory) < 0) {
        free(cache);
        gp_fail(error, "out of memory");
        return NULL;
    }
    if (!make_directories(directory)) {
        gp_fail(error, "cannot create the cache directory %s: %s (set GPUPERF_CACHE to another)", directory,
                strerror(errno));
        goto failed;
    }
    follow_links(&cache->path);
    int code = open_database(cache);
    if (is_corruption(code)) {
        set_aside(cache->path);
        code = open_database(cache);
        gp_fail(error, "the cache %s was broken: it is set aside as %s.broken, and a new one begun", cache->path, cache->path);
    }
    if (code != SQLITE_OK) {
        gp_fail(error, "cannot use the cache %s: %s (set GPUPERF_CACHE to another directory)", cache->path,
                sqlite3_errstr(code));
        goto failed;
    }
    trim(cache);
    return cache;
failed:
    free(cache->path);
    free(cache);
    return NULL;
}

void gp_cache_close(struct gp_cache *cache)
{
    if (cache == NULL)
        return;
    if (cache->more_sources && !cache->broken)
        trim_sources(cache);
    sqlite3_close(cache->database);
    if (cache->broken)
        set_aside(cache->path);
    free(cache->path);
    free(cache);
}

/* ---- Statements ---- */

/* Notes corruption and ends the statement. */
static void finish(struct gp_cache *cache, sqlite3_stmt *statement)
{
    if (is_corruption(sqlite3_finalize(statement)))
        cache->broken = true;
}

static sqlite3_stmt *prepare(struct gp_cache *cache, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (cache == NULL || cache->broken)
        return NULL;
    if (is_corruption(sqlite3_prepare_v2(cache->database, sql, -1, &statement, NULL)))
        cache->broken = true;
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

/* False: no memory. What is not bound is NULL, which no column takes and nothing equals; but for a table's key with a row number. */
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
        prepare(cache, "INSERT OR REPLACE INTO failures(key, reason, made) VALUES(?, ?, strftime('%s', 'now'))");
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
    sqlite3_stmt *statement = prepare(
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

void gp_cache_add_decision(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash key,
                           const struct gp_decision *decision)
{
    sqlite3_stmt *statement = prepare(cache, "INSERT OR REPLACE INTO decisions(kernel, key, decision, made) VALUES(?, ?, ?, strftime('%s', 'now'))");
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

static void add_pair(struct gp_cache *cache, const char *sql, struct gp_hash first, struct gp_hash second)
{
    sqlite3_stmt *statement = prepare(cache, sql);
    if (statement == NULL)
        return;
    bind_hash(statement, 1, first);
    bind_hash(statement, 2, second);
    sqlite3_step(statement);
    finish(cache, statement);
}

void gp_cache_add_built(struct gp_cache *cache, struct gp_hash kernel, struct gp_hash size)
{
    add_pair(cache, "INSERT OR REPLACE INTO built(kernel, size, made) VALUES(?, ?, strftime('%s', 'now'))", kernel, size);
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
    add_pair(cache, "INSERT OR REPLACE INTO binaries(key, source, made) VALUES(?, ?, strftime('%s', 'now'))", binary, source_key);
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

void gp_cache_add_source(struct gp_cache *cache, struct gp_hash key, const char *source, const struct gp_options *options)
{
    struct gp_text packed = {0};
    size_t length = strlen(source);
    sqlite3_stmt *statement = length <= LARGEST_SOURCE
        ? prepare(cache, "INSERT INTO sources(key, made, options, source) VALUES(?, strftime('%s', 'now'), ?, ?) ON CONFLICT(key) DO UPDATE SET made = excluded.made") : NULL;
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
