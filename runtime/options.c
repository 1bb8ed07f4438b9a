/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/prefix.h"
#include "support/words.h"

/* OpenCL API specification, "Compiler Options"; -cl-opt-disable is left out, since without optimisation there is no
 * profile. */
static const char *const kept_flags[] = {"-cl-single-precision-constant",
                                         "-cl-denorms-are-zero",
                                         "-cl-fp32-correctly-rounded-divide-sqrt",
                                         "-cl-mad-enable",
                                         "-cl-no-signed-zeros",
                                         "-cl-unsafe-math-optimizations",
                                         "-cl-finite-math-only",
                                         "-cl-fast-relaxed-math",
                                         "-cl-uniform-work-group-size",
                                         "-cl-strict-aliasing",
                                         "-w"};

/* With these a sum may be reordered or a product joined with it, as suits the code around it. */
static const char *const loose_flags[] = {"-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
                                          "-cl-finite-math-only", "-cl-fast-relaxed-math"};

/* Left out, and harmless: warnings, debugging, optimisation, code generation, what is linked. */
static const char *const harmless_prefixes[] = {
    "-cl-", "-nv-", "-W", "-g", "-O", "-m", "-f", "-s", "-create-library", "-enable-link-options"};

/* Between the kept words of a source: when it was built. */
static const char built_word[] = "-gpuperf-built=";

static bool add(struct gp_options *options, char *argument)
{
    char **grown = argument != NULL ? realloc(options->arguments, (options->count + 2) * sizeof *grown) : NULL;
    if (grown == NULL) {
        free(argument);
        return false;
    }
    options->arguments = grown;
    grown[options->count++] = argument;
    grown[options->count] = NULL;
    return true;
}

static bool add_joined(struct gp_options *options, const char *flag, const char *value)
{
    char *argument;
    return add(options, asprintf(&argument, "%s%s", flag, value) >= 0 ? argument : NULL);
}

static bool add_directory(struct gp_options *options, const char *directory)
{
    char here[PATH_MAX], *argument;
    if (directory[0] == '/' || getcwd(here, sizeof here) == NULL)
        return add_joined(options, "-I", directory);
    return add(options, asprintf(&argument, "-I%s/%s", here, directory) >= 0 ? argument : NULL);
}

static const char *behind_spaces(const char *at) { return at + strspn(at, " \t\r\n\v\f"); }

/* The next word; NULL at the end, or, and then it still stands there, without memory. Sets *at behind it. */
static char *next_word(const char **at)
{
    const char *p = behind_spaces(*at);
    struct gp_text word = {0};
    char quote = '\0';
    if (*p == '\0')
        return NULL;
    gp_text_append(&word, "", 0);
    for (; *p != '\0' && (quote || strchr(" \t\r\n\v\f", *p) == NULL); p++) {
        if (quote && *p == quote)
            quote = '\0';
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1] != '\0')
            gp_text_append(&word, ++p, 1);
        else
            gp_text_append(&word, p, 1);
    }
    if (!word.failed)
        *at = p;
    return gp_text_take(&word);
}

/* "CL1.2" 120, "CL3.0" 300; anything else (CLC++) 200, since those have OpenCL 2's groups. */
static unsigned standard_version(const char *value)
{
    unsigned major, minor;
    return sscanf(value, "CL%1u.%1u", &major, &minor) == 2 ? major * 100 + minor * 10 : 200;
}

static bool is_harmless(const char *word)
{
    if (gp_starts_with(word, "-cl-ext") || gp_starts_with(word, "-Wp,")) /* macros */
        return false;
    for (size_t i = 0; i < sizeof harmless_prefixes / sizeof *harmless_prefixes; i++)
        if (gp_starts_with(word, harmless_prefixes[i]))
            return true;
    return false;
}

static bool take_flag(struct gp_options *options, const char *word)
{
    options->loose |= gp_is_one_of(word, loose_flags, sizeof loose_flags / sizeof *loose_flags);
    options->uniform_groups |= strcmp(word, "-cl-uniform-work-group-size") == 0;
    if (gp_is_one_of(word, kept_flags, sizeof kept_flags / sizeof *kept_flags))
        return add_joined(options, word, "");
    options->unknown |= !is_harmless(word);
    return true;
}

static bool take_word(struct gp_options *options, const char *word, const char **rest)
{
    if ((word[0] == '-' && (word[1] == 'D' || word[1] == 'U' || word[1] == 'I')) && word[1] != '\0') {
        char flag[3] = {'-', word[1], '\0'};
        char *separate = word[2] == '\0' ? next_word(rest) : NULL;
        const char *value = separate != NULL ? separate : word + 2;
        bool done = word[2] == '\0' && separate == NULL ? *behind_spaces(*rest) == '\0'
                    : value[0] == '\0'                  ? true
                    : word[1] == 'I'                    ? add_directory(options, value)
                                                        : add_joined(options, flag, value);
        free(separate);
        return done;
    }
    if (strncmp(word, "-cl-std=", 8) == 0) {
        options->version = standard_version(word + 8);
        return add_joined(options, "-cl-std=", word + 8);
    }
    return take_flag(options, word);
}

bool gp_options_parse(const char *text, struct gp_options *options)
{
    *options = (struct gp_options){.arguments = calloc(1, sizeof(char *))};
    bool done = options->arguments != NULL;
    const char *at = text ? text : "";
    for (char *word; done && (word = next_word(&at)) != NULL; free(word))
        done = take_word(options, word, &at);
    done = done && *behind_spaces(at) == '\0';
    if (!done)
        gp_options_free(options);
    return done;
}

void gp_options_pack(const struct gp_options *options, struct gp_text *packed)
{
    for (size_t i = 0; i < options->count; i++)
        gp_text_append(packed, options->arguments[i], strlen(options->arguments[i]) + 1);
    if (options->unknown)
        gp_text_append(packed, "-?", 3);
    if (options->built_ns != 0) {
        gp_text_printf(packed, "%s%lld", built_word, options->built_ns);
        gp_text_append(packed, "", 1);
    }
}

bool gp_options_unpack(const char *packed, size_t length, struct gp_options *options)
{
    *options = (struct gp_options){.arguments = calloc(1, sizeof(char *))};
    bool done = options->arguments != NULL && (length == 0 || packed[length - 1] == '\0');
    for (const char *word = packed, *end = packed + length; done && word < end; word += strlen(word) + 1) {
        const char *rest = "";
        if (gp_starts_with(word, built_word))
            options->built_ns = atoll(word + sizeof built_word - 1);
        else
            done = take_word(options, word, &rest);
    }
    if (!done)
        gp_options_free(options);
    return done;
}

void gp_options_free(struct gp_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        free(options->arguments[i]);
    free(options->arguments);
    *options = (struct gp_options){0};
}
