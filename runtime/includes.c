#include "runtime/includes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

enum { MAX_HEADERS = 256 };

struct search {
    struct gp_hasher *hasher;
    const struct gp_options *options;
    char *seen[MAX_HEADERS];   /* paths */
    unsigned count;
};

static bool scan(struct search *search, const char *text, const char *directory);

static bool was_seen(const struct search *search, const char *path)
{
    for (unsigned i = 0; i < search->count; i++)
        if (strcmp(search->seen[i], path) == 0)
            return true;
    return false;
}

/* Takes the header at `path` in; *found: it can be read. False: too many. Takes ownership of path. */
static bool take_header(struct search *search, char *path, bool *found)
{
    size_t length;
    *found = path != NULL && was_seen(search, path);
    char *text = path != NULL && !*found ? gp_read_file(path, &length) : NULL;
    if (text == NULL || search->count == MAX_HEADERS) {
        bool overflow = text != NULL;
        free(text);
        free(path);
        return !overflow;
    }
    *found = true;
    search->seen[search->count++] = path;
    gp_hash_add_string(search->hasher, path);
    gp_hash_add(search->hasher, text, length);
    char *directory = strdup(path);
    if (directory != NULL && strrchr(directory, '/') != NULL)
        *strrchr(directory, '/') = '\0';
    bool done = scan(search, text, directory);
    free(directory);
    free(text);
    return done;
}

static char *join(const char *directory, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", directory, name) >= 0 ? path : NULL;
}

static bool find_header(struct search *search, const char *name, const char *directory)
{
    bool found = false;
    if (name[0] == '/')
        return take_header(search, strdup(name), &found);
    if (directory != NULL && (!take_header(search, join(directory, name), &found) || found))
        return found;
    for (size_t i = 0; i < search->options->count && !found; i++) {
        const char *argument = search->options->arguments[i];
        if (strncmp(argument, "-I", 2) == 0 && !take_header(search, join(argument + 2, name), &found))
            return false;
    }
    return true;
}

/* The directive behind a '#': true when it is no #include or its header was taken in. */
static bool take_directive(struct search *search, const char *at, const char *directory)
{
    at += strspn(at, " \t");
    if (strncmp(at, "include", 7) != 0)
        return true;
    at += 7;
    at += strspn(at, " \t");
    char closing = *at == '"' ? '"' : *at == '<' ? '>' : '\0';
    size_t length = closing ? strcspn(at + 1, "\">\n") : 0;
    if (closing == '\0' || at[1 + length] != closing)
        return false;
    char *name = strndup(at + 1, length);
    bool done = name != NULL && find_header(search, name, closing == '"' ? directory : NULL);
    free(name);
    return done;
}

static bool scan(struct search *search, const char *text, const char *directory)
{
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = line + strspn(line, " \t\r\f\v");
        if (*at == '#' && !take_directive(search, at + 1, directory))
            return false;
    }
    return true;
}

bool gp_hash_includes(struct gp_hasher *hasher, const char *source, const struct gp_options *options)
{
    struct search search = {.hasher = hasher, .options = options};
    bool done = scan(&search, source, NULL);
    for (unsigned i = 0; i < search.count; i++)
        free(search.seen[i]);
    return done;
}
