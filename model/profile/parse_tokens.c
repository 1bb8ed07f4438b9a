/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text form, word by word, and the names in it. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/parser.h"

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

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

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* The entry of a name; its bytes are prefix and name, e.g. "$" "width". */
struct gp_label *gp_name_entry(struct gp_parser *p, const char *bytes, size_t length, uint32_t *number)
{
    struct gp_list *names = &p->lists.names;
    if (!gp_intern(&p->lists.name_numbers, bytes, length, number))
        return NULL;
    while (names->count <= *number)
        if (gp_list_add(names, sizeof(struct gp_label)) == NULL)
            return NULL;
    return (struct gp_label *)names->data + *number;
}

static bool define_name(struct gp_parser *p, const char *bytes, size_t length, gp_ref ref)
{
    uint32_t number;
    struct gp_label *name = gp_name_entry(p, bytes, length, &number);
    if (name == NULL)
        return gp_out_of_memory(p);
    name->ambiguous = name->defined;
    name->defined = true;
    name->ref = ref;
    return true;
}

/* Makes PREFIX NAME usable for the parameter or array just read. */
bool gp_define_entity(struct gp_parser *p, const char *prefix, const char *name, gp_ref ref)
{
    char joined[320];
    int length = snprintf(joined, sizeof joined, "%s%s", prefix, name);
    return *name == '\0' || (size_t)length >= sizeof joined || define_name(p, joined, (size_t)length, ref);
}

static bool constant_ref(struct gp_parser *p, uint64_t value, gp_ref *ref)
{
    uint32_t number;
    if (!gp_intern(&p->lists.constant_numbers, &value, sizeof value, &number))
        return gp_out_of_memory(p);
    if (number == p->lists.constants.count) {
        uint64_t *slot = gp_list_add(&p->lists.constants, sizeof value);
        if (slot == NULL)
            return gp_out_of_memory(p);
        *slot = value;
    }
    *ref = gp_ref_make(GP_REF_CONST, number);
    return true;
}

/* PREFIX followed by a number (an index) or by a name that was declared above. */
bool gp_take_entity(struct gp_parser *p, size_t prefix, enum gp_ref_kind kind, gp_ref *ref)
{
    const char *text = p->token.text;
    size_t length = p->token.length;
    uint64_t index;
    uint32_t number;
    if (length > prefix && isdigit((unsigned char)text[prefix])) {
        if (!gp_number_of(text + prefix, length - prefix, &index) || index > 0x1fffffff)
            return gp_expected(p, "an index");
        *ref = gp_ref_make(kind, (uint32_t)index);
        return gp_advance(p);
    }
    const struct gp_label *name = gp_name_entry(p, text, length, &number);
    if (name == NULL)
        return gp_out_of_memory(p);
    if (!name->defined || name->ambiguous)
        return GP_PARSE_FAIL(p, "'%.*s' is %s", (int)(length < 60 ? length : 60), text,
                             name->defined ? "the name of several; use its number" : "not declared above");
    *ref = name->ref;
    return gp_advance(p);
}

/* %label: holds the label's number until the kernel ends. */
bool gp_take_label(struct gp_parser *p, gp_ref *ref)
{
    uint32_t number;
    struct gp_label *name = gp_name_entry(p, p->token.text, p->token.length, &number);
    if (name == NULL)
        return gp_out_of_memory(p);
    if (name->first_use == 0)
        name->first_use = p->line;
    *ref = gp_ref_make(GP_REF_INST, number);
    return gp_advance(p);
}

static bool has_prefix(const struct gp_parser *p, const char *prefix)
{
    size_t length = strlen(prefix);
    return p->token.kind == GP_TOKEN_WORD && p->token.length > length && memcmp(p->token.text, prefix, length) == 0;
}

bool gp_is_operand(const struct gp_parser *p)
{
    return p->token.kind == GP_TOKEN_WORD &&
           (*p->token.text == '%' || *p->token.text == '$' || *p->token.text == '-' ||
            isdigit((unsigned char)*p->token.text) || has_prefix(p, "local.") || has_prefix(p, "global.") ||
            has_prefix(p, "private.") || gp_is_word(p, "block") || gp_is_word(p, "none"));
}

bool gp_take_ref(struct gp_parser *p, gp_ref *ref)
{
    if (!gp_is_operand(p))
        return gp_expected(p, "an operand");
    if (*p->token.text == '%')
        return gp_take_label(p, ref);
    if (*p->token.text == '$')
        return gp_take_entity(p, 1, GP_REF_PARAM, ref);
    if (has_prefix(p, "local."))
        return gp_take_entity(p, 6, GP_REF_LOCAL, ref);
    if (has_prefix(p, "global."))
        return gp_take_entity(p, 7, GP_REF_GLOBAL, ref);
    if (has_prefix(p, "private."))
        return gp_take_entity(p, 8, GP_REF_PRIVATE, ref);
    if (gp_is_word(p, "none")) {
        *ref = gp_ref_make(GP_REF_NONE, 0);
        return gp_advance(p);
    }
    if (gp_is_word(p, "block")) {
        uint64_t index = 0;
        if (!gp_advance(p) || !gp_take_number(p, 0x1fffffff, &index, "a block's number"))
            return false;
        *ref = gp_ref_make(GP_REF_BLOCK, (uint32_t)index);
        return true;
    }
    uint64_t value;
    if (!gp_number_of(p->token.text, p->token.length, &value))
        return gp_expected(p, "a number");
    return constant_ref(p, value, ref) && gp_advance(p);
}
