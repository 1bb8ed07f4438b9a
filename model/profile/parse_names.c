/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/parser.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
