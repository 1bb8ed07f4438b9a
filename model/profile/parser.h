/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the parts of the text form's reader share: parse_tokens.c reads words, numbers, strings
 * and what refers to something, parse_inst.c an instruction, profile_parse.c the statements around them.
 *
 * Every function that reads returns false when it cannot, and has put the sentence into the parser's error.
 */
#ifndef GPUPERF_MODEL_PARSER_H
#define GPUPERF_MODEL_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/arena.h"
#include "model/profile/intern.h"
#include "model/profile/profile.h"

/* A list that grows. */
struct gp_list {
    void *data;
    size_t count, capacity;
};

enum gp_token_kind { GP_TOKEN_END, GP_TOKEN_WORD, GP_TOKEN_STRING, GP_TOKEN_MARK };

struct gp_token {
    enum gp_token_kind kind;
    const char *text; /* of a STRING: between the quotes, still escaped */
    size_t length;
};

/* What a %label, $parameter or array name stands for. */
struct gp_label {
    gp_ref ref;
    bool defined, ambiguous;
    unsigned first_use; /* line */
};

struct gp_kernel_lists {
    struct gp_list params, blocks, insts, operands, constants, memory, branches, loops, inductions;
    struct gp_list locals, globals, privates, callees, resources, defaults, names, code;
    struct gp_intern name_numbers, constant_numbers;
};

struct gp_parser {
    const char *at, *end; /* of what is not yet read */
    unsigned line;
    struct gp_token token;
    struct gp_arena arena;
    struct gp_error *error;
    struct gp_profile *profile;
    struct gp_list locations, kernels;
    struct gp_kernel *kernel; /* being read, or NULL */
    struct gp_kernel_lists lists;
    bool in_block, in_expressions;
    bool ends_inside; /* all was read, and the last kernel lacks something */
};

#define GP_PARSE_FAIL(p, ...) (gp_fail((p)->error, __VA_ARGS__), gp_fail_at_line(p))

/* ---- parse_tokens.c ---------------------------------------------------------------------------------------------- */

/* A zeroed new last element; NULL: out of memory. */
void *gp_list_add(struct gp_list *list, size_t size);

/* Put the line before the sentence; return false. */
bool gp_fail_at_line(struct gp_parser *p);
bool gp_out_of_memory(struct gp_parser *p);
bool gp_expected(struct gp_parser *p, const char *what);

/* Reads the next token of this line. */
bool gp_advance(struct gp_parser *p);

bool gp_is_word(const struct gp_parser *p, const char *word);
bool gp_is_at_mark(const struct gp_parser *p, char mark);
bool gp_take_mark(struct gp_parser *p, char mark);
bool gp_take_end(struct gp_parser *p);

/* The word, when it is the next; *there says whether it was. */
bool gp_try_word(struct gp_parser *p, const char *word, bool *there);

/* Decimal, 0x hexadecimal, or negative decimal: its two's complement. False: none of these; no sentence. */
bool gp_number_of(const char *text, size_t length, uint64_t *value);

bool gp_take_number(struct gp_parser *p, uint64_t most, uint64_t *value, const char *what);
bool gp_take_u32(struct gp_parser *p, uint32_t *value, const char *what);

/* A number, or `none`. */
bool gp_take_index(struct gp_parser *p, uint32_t *value, const char *what);

/* The next index of a table: entries are numbered so that a reader can find them. */
bool gp_take_next_index(struct gp_parser *p, size_t next, const char *what);

/* "16x16x1" */
bool gp_take_sizes(struct gp_parser *p, uint32_t sizes[3]);

/* A string in quotes or a bare word. */
bool gp_take_string(struct gp_parser *p, const char **string, const char *what);

/* One of a list of names. */
bool gp_take_name(struct gp_parser *p, const char *(*name)(unsigned), unsigned count, unsigned *value,
                  const char *what);

/* The entry of a name; its bytes are prefix and name, e.g. "$width". NULL: out of memory. */
struct gp_label *gp_name_entry(struct gp_parser *p, const char *bytes, size_t length, uint32_t *number);

/* Makes PREFIX NAME usable for the parameter or array just read. */
bool gp_define_entity(struct gp_parser *p, const char *prefix, const char *name, gp_ref ref);

/* PREFIX followed by a number (an index) or by a name that was declared above. */
bool gp_take_entity(struct gp_parser *p, size_t prefix, enum gp_ref_kind kind, gp_ref *ref);

/* %label: holds the label's number until the kernel ends. */
bool gp_take_label(struct gp_parser *p, gp_ref *ref);

/* Anything that can be an operand. */
bool gp_is_operand(const struct gp_parser *p);
bool gp_take_ref(struct gp_parser *p, gp_ref *ref);

/* ---- parse_inst.c ------------------------------------------------------------------------------------------------ */

bool gp_parse_instruction(struct gp_parser *p);

#endif
