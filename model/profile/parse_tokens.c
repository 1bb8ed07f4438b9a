/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/parser.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A zeroed new last element; NULL: out of memory. */
void *gp_list_add(struct gp_list *list, size_t size)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        void *data = capacity < (size_t)UINT32_MAX / 8 ? realloc(list->data, capacity * size) : NULL;
        if (data == NULL)
            return NULL;
        list->data = data;
        list->capacity = capacity;
    }
    return memset((char *)list->data + list->count++ * size, 0, size);
}

bool gp_fail_at_line(struct gp_parser *p)
{
    char prefix[32];
    snprintf(prefix, sizeof prefix, "line %u", p->line);
    return gp_fail_within(p->error, prefix);
}

bool gp_out_of_memory(struct gp_parser *p) { return GP_PARSE_FAIL(p, "out of memory"); }

/* ---- Tokens ------------------------------------------------------------------------------------------------- */

static bool is_mark(char c) { return c == ',' || c == ':' || c == '=' || c == '[' || c == ']'; }

static bool ends_word(char c)
{
    return isspace((unsigned char)c) || is_mark(c) || c == '"' || c == ';' || c == '#' || c == '\0';
}

/* Reads the next token of this line. */
bool gp_advance(struct gp_parser *p)
{
    while (p->at < p->end && *p->at != '\n' && isspace((unsigned char)*p->at))
        p->at++;
    const char *start = p->at;
    p->token = (struct gp_token){GP_TOKEN_END, start, 0};
    if (p->at == p->end || *p->at == '\n' || *p->at == ';' || *p->at == '#')
        return true;
    if (is_mark(*p->at)) {
        p->token = (struct gp_token){GP_TOKEN_MARK, p->at++, 1};
        return true;
    }
    if (*p->at == '"') {
        for (p->at++; p->at < p->end && *p->at != '"' && *p->at != '\n'; p->at++)
            if (*p->at == '\\' && p->at + 1 < p->end && p->at[1] != '\n')
                p->at++;
        if (p->at >= p->end || *p->at != '"')
            return GP_PARSE_FAIL(p, "a string is not closed");
        p->token = (struct gp_token){GP_TOKEN_STRING, start + 1, (size_t)(p->at - start - 1)};
        p->at++;
        return true;
    }
    while (p->at < p->end && !ends_word(*p->at))
        p->at++;
    if (p->at == start)
        return GP_PARSE_FAIL(p, "a NUL byte");
    p->token = (struct gp_token){GP_TOKEN_WORD, start, (size_t)(p->at - start)};
    return true;
}

bool gp_is_word(const struct gp_parser *p, const char *word)
{
    return p->token.kind == GP_TOKEN_WORD && p->token.length == strlen(word) &&
           memcmp(p->token.text, word, p->token.length) == 0;
}

bool gp_is_at_mark(const struct gp_parser *p, char mark)
{
    return p->token.kind == GP_TOKEN_MARK && *p->token.text == mark;
}

bool gp_expected(struct gp_parser *p, const char *what)
{
    if (p->token.kind == GP_TOKEN_END)
        return GP_PARSE_FAIL(p, "%s is missing at the end", what);
    return GP_PARSE_FAIL(p, "%s expected, not '%.*s'", what, (int)(p->token.length < 60 ? p->token.length : 60),
                         p->token.text);
}

bool gp_take_mark(struct gp_parser *p, char mark)
{
    char text[4] = {'\'', mark, '\'', '\0'};
    return gp_is_at_mark(p, mark) ? gp_advance(p) : gp_expected(p, text);
}

/* The word, when it is the next; *there says whether it was. */
bool gp_try_word(struct gp_parser *p, const char *word, bool *there)
{
    *there = gp_is_word(p, word);
    return *there ? gp_advance(p) : true;
}

bool gp_take_end(struct gp_parser *p) { return p->token.kind == GP_TOKEN_END || gp_expected(p, "the end of the line"); }

/* ---- Numbers and strings ------------------------------------------------------------------------------------ */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* Decimal, 0x hexadecimal, or negative decimal: its two's complement. */
bool gp_number_of(const char *text, size_t length, uint64_t *value)
{
    bool negative = length > 0 && *text == '-';
    if (negative)
        text++, length--;
    unsigned base = 10;
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        base = 16, text += 2, length -= 2;
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)digit_of(text[i]);
        if (digit >= base || sum > (UINT64_MAX - digit) / base)
            return false;
        sum = sum * base + digit;
    }
    if (length == 0 || (negative && sum > (uint64_t)INT64_MAX + 1))
        return false;
    *value = negative ? 0 - sum : sum;
    return true;
}

bool gp_take_number(struct gp_parser *p, uint64_t most, uint64_t *value, const char *what)
{
    if (p->token.kind != GP_TOKEN_WORD || *p->token.text == '-' || !gp_number_of(p->token.text, p->token.length, value))
        return gp_expected(p, what);
    if (*value > most)
        return GP_PARSE_FAIL(p, "%s is %" PRIu64 ", more than %" PRIu64, what, *value, most);
    return gp_advance(p);
}

bool gp_take_u32(struct gp_parser *p, uint32_t *value, const char *what)
{
    uint64_t wide = 0;
    bool good = gp_take_number(p, UINT32_MAX, &wide, what);
    *value = (uint32_t)wide;
    return good;
}

/* A number, or `none`. */
bool gp_take_index(struct gp_parser *p, uint32_t *value, const char *what)
{
    if (gp_is_word(p, "none")) {
        *value = GP_NONE;
        return gp_advance(p);
    }
    return gp_take_u32(p, value, what);
}

/* The next index of a table: entries are numbered so that a reader can find them. */
bool gp_take_next_index(struct gp_parser *p, size_t next, const char *what)
{
    uint32_t index;
    if (!gp_take_u32(p, &index, what))
        return false;
    return index == next || GP_PARSE_FAIL(p, "%s is %u, but the next is %zu", what, index, next);
}

/* "16x16x1" */
bool gp_take_sizes(struct gp_parser *p, uint32_t sizes[3])
{
    const char *text = p->token.text;
    size_t left = p->token.kind == GP_TOKEN_WORD ? p->token.length : 0;
    for (int i = 0; i < 3; i++) {
        const char *x = i < 2 ? memchr(text, 'x', left) : NULL;
        size_t length = x ? (size_t)(x - text) : left;
        uint64_t value;
        if ((i < 2 && x == NULL) || !gp_number_of(text, length, &value) || value > UINT32_MAX)
            return gp_expected(p, "sizes like 16x16x1");
        sizes[i] = (uint32_t)value;
        text += length + (x != NULL);
        left -= length + (x != NULL);
    }
    return gp_advance(p);
}

/* Resolves \\ \" \n \t \xHH. */
static bool unescape(struct gp_parser *p, const struct gp_token *token, char *out)
{
    size_t i = 0;
    while (i < token->length) {
        char c = token->text[i++];
        if (c == '\\') {
            c = token->text[i++];
            if (c == 'n' || c == 't') {
                c = c == 'n' ? '\n' : '\t';
            } else if (c == 'x') {
                int high = i + 1 < token->length ? digit_of(token->text[i]) : 99;
                int low = i + 1 < token->length ? digit_of(token->text[i + 1]) : 99;
                if (high > 15 || low > 15 || high + low == 0)
                    return GP_PARSE_FAIL(p, "\\x in a string needs two hexadecimal digits, not both 0");
                c = (char)(high * 16 + low);
                i += 2;
            } else if (c != '\\' && c != '"') {
                return GP_PARSE_FAIL(p, "no such escape in a string: \\%c", isprint((unsigned char)c) ? c : '?');
            }
        } else if (c == '\0') {
            return GP_PARSE_FAIL(p, "a NUL byte in a string");
        }
        *out++ = c;
    }
    *out = '\0';
    return true;
}

/* A string in quotes or a bare word. */
bool gp_take_string(struct gp_parser *p, const char **string, const char *what)
{
    if (p->token.kind != GP_TOKEN_STRING && p->token.kind != GP_TOKEN_WORD)
        return gp_expected(p, what);
    char *copy = gp_arena_new(&p->arena, p->token.length + 1, 1);
    if (copy == NULL)
        return gp_out_of_memory(p);
    if (p->token.kind == GP_TOKEN_WORD)
        memcpy(copy, p->token.text, p->token.length);
    else if (!unescape(p, &p->token, copy))
        return false;
    *string = copy;
    return gp_advance(p);
}

/* One of a list of names. */
bool gp_take_name(struct gp_parser *p, const char *(*name)(unsigned), unsigned count, unsigned *value, const char *what)
{
    for (unsigned i = 0; i < count; i++)
        if (gp_is_word(p, name(i))) {
            *value = i;
            return gp_advance(p);
        }
    return gp_expected(p, what);
}
