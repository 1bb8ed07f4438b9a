/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names of boards as people and drivers write them.
 *
 *   "NVIDIA GeForce RTX 4060 Laptop GPU"  ->  "rtx 4060 mobile"
 *
 * Case, how words are parted, and vendors' names do not count; a laptop's board is "mobile". The first of these rules
 * that some board meets decides:
 *
 *   the same name                "rtx4060", and the names in boards.tsv's last column
 *   the same without its series  "3060 ti"
 *   it begins with that          "tesla v100 sxm"
 *   it has all of these words    "a100 80gb pcie", in any order
 *   and parts of words           "mi300"
 *
 * Several boards that differ in what decides time are ambiguous.
 */
#define _GNU_SOURCE /* strcasestr */
#include "hwdb/boards.h"
#include "support/edit_distance.h"
#include "support/text.h"
#include "support/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NAME = 96 };

/* ---- Words ---- */

/* Words that say who made or sold it, not which board it is. */
static bool is_idle(const char *word)
{
    static const char *const words[] = {"nvidia", "amd",      "ati",        "intel",    "geforce",     "radeon",
                                        "tesla",  "instinct", "arc",        "gpu",      "tm",          "r",
                                        "one",    "gcd",      "generation", "series",   "workstation", "with",
                                        "design", "data",     "center",     "graphics", "edition"};
    return gp_is_one_of(word, words, sizeof words / sizeof words[0]);
}

/* Words that people leave out, since the number behind them says as much. */
static bool is_series(const char *word)
{
    static const char *const words[] = {"rtx", "gtx", "gt", "rx"};
    return gp_is_one_of(word, words, sizeof words / sizeof words[0]);
}

/* The next word of a name, in lower case; false: there is none. */
static bool next_word(const char **at, char word[32])
{
    size_t length = 0;
    while (**at != '\0' && !isalnum((unsigned char)**at))
        ++*at;
    for (; isalnum((unsigned char)**at); ++*at)
        if (length + 1 < 32)
            word[length++] = (char)tolower((unsigned char)**at);
    word[length] = '\0';
    return length > 0;
}

void gp_board_words(const char *name, char *words, size_t size)
{
    size_t length = 0;
    char word[32];
    words[0] = '\0';
    while (next_word(&name, word)) {
        bool laptop = strcmp(word, "laptop") == 0 || strcmp(word, "notebook") == 0;
        const char *kept = laptop ? "mobile" : word, *space = length > 0 ? " " : "";
        if (!is_idle(kept) && length + strlen(space) + strlen(kept) < size)
            length += (size_t)snprintf(words + length, size - length, "%s%s", space, kept);
    }
}

void gp_board_title(const struct gp_board *board, char *name, size_t size)
{
    size_t length = 0;
    for (const char *at = board->name; *at != '\0';) {
        char word[32], bare[32];
        size_t n = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        gp_board_words(word, bare, sizeof bare);
        if (bare[0] != '\0' && length < size)
            length += (size_t)snprintf(name + length, size - length, "%s%s", length > 0 ? " " : "", word);
        at += n + strspn(at + n, " ");
    }
    for (char *c = name; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
}

/* ---- How two names agree ---- */

/* The next character that is no space. */
static const char *letter(const char *at) { return at + strspn(at, " "); }

static bool is_same_but_spaces(const char *a, const char *b)
{
    for (a = letter(a), b = letter(b); *a == *b && *a != '\0'; a = letter(a + 1), b = letter(b + 1)) {
    }
    return *a == *b;
}

bool gp_board_is_called(const char *name, const char *other)
{
    char words[LONGEST_NAME], others[LONGEST_NAME];
    gp_board_words(name, words, sizeof words);
    gp_board_words(other, others, sizeof others);
    return words[0] != '\0' && is_same_but_spaces(words, others);
}

/* Of "3060 ti" and "rtx 3060 ti": what somebody asks for has no series. */
static bool is_same_but_series(const char *wanted, const char *words)
{
    char first[32];
    const char *rest = words;
    return next_word(&rest, first) && is_series(first) && is_same_but_spaces(wanted, rest);
}

static bool is_digit(char c) { return isdigit((unsigned char)c) != 0; }

/* Whether a word may end or begin between two characters: not within a number, nor within letters. */
static bool is_edge(char before, char after)
{
    return before == ' ' || after == ' ' || after == '\0' || is_digit(before) != is_digit(after);
}

/* "rtx30" is no beginning of "rtx 3060". */
static bool begins_with(const char *words, const char *wanted)
{
    char last = ' ';
    while (*letter(wanted) != '\0' && *letter(words) == *letter(wanted)) {
        last = *letter(words);
        words = letter(words) + 1;
        wanted = letter(wanted) + 1;
    }
    return *letter(wanted) == '\0' && is_edge(last, *words);
}

/* A word of what is asked for among a board's: "80gb" in "a100 pcie 80 gb"; as parts of words, too, "mi300" in
 * "mi300x". */
static bool has_word(const char *words, const char *word, bool parts)
{
    for (const char *start = words; *start != '\0'; start++) {
        char before = start > words ? start[-1] : ' ';
        if (*start == ' ' || !(parts ? is_edge(before, *start) : before == ' '))
            continue;
        const char *at = start, *of = word;
        for (; *of != '\0' && (*at == *of || *at == ' '); at++)
            of += *at == *of;
        if (*of == '\0' && (parts ? is_edge(at[-1], *at) : *at == ' ' || *at == '\0'))
            return true;
    }
    return false;
}

static bool has_words(const char *words, const char *wanted, bool parts)
{
    char word[32];
    while (next_word(&wanted, word))
        if (!has_word(words, word, parts))
            return false;
    return true;
}

/* ---- Finding ---- */

enum rule { SAME, SAME_BUT_SERIES, BEGINS, WORDS, PARTS, RULES };

static bool is_also_called(const struct gp_board *board, const char *wanted)
{
    char one[LONGEST_NAME], words[LONGEST_NAME];
    for (const char *at = board->also; *at != '\0';) {
        size_t length = strcspn(at, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, at);
        gp_board_words(one, words, sizeof words);
        if (is_same_but_spaces(words, wanted))
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static bool meets(const struct gp_board *board, const char *wanted, enum rule rule)
{
    char words[LONGEST_NAME];
    gp_board_words(board->name, words, sizeof words);
    switch (rule) {
    case SAME: return is_same_but_spaces(words, wanted) || is_also_called(board, wanted);
    case SAME_BUT_SERIES: return is_same_but_series(wanted, words);
    case BEGINS: return begins_with(words, wanted);
    default: return has_words(words, wanted, rule == PARTS);
    }
}

/* The same in all that decides time: 8 and 16 GB of one card. */
static bool is_same(const struct gp_board *a, const struct gp_board *b)
{
    return strcmp(a->entry, b->entry) == 0 && strcmp(a->target, b->target) == 0 && a->units == b->units &&
           a->clock_mhz == b->clock_mhz && a->gbps == b->gbps && a->l2_kib == b->l2_kib && a->llc_kib == b->llc_kib;
}

/* The boards that meet a rule. The one that they all are, or NULL: none (*count is 0), or several that differ. */
static const struct gp_board *find_by(const struct gp_boards *boards, const char *wanted, enum rule rule, size_t *count)
{
    const struct gp_board *found = NULL;
    bool differ = false;
    *count = 0;
    for (size_t i = 0; i < boards->count; i++) {
        const struct gp_board *board = &boards->rows[i];
        if (!meets(board, wanted, rule))
            continue;
        ++*count;
        differ |= found != NULL && !is_same(found, board);
        found = found != NULL ? found : board;
    }
    return differ ? NULL : found;
}

static void list_all(const struct gp_boards *boards, const char *wanted, enum rule rule, size_t count,
                     struct gp_text *list)
{
    enum { MOST = 8 };
    size_t listed = 0;
    for (size_t i = 0; i < boards->count && listed < MOST; i++)
        if (meets(&boards->rows[i], wanted, rule))
            gp_text_printf(list, "%s'%s'", listed++ > 0 ? ", " : "", boards->rows[i].name);
    if (count > listed)
        gp_text_printf(list, " and %zu more", count - listed);
}

const struct gp_board *gp_board_find(const struct gp_boards *boards, const char *name, struct gp_text *several)
{
    char wanted[LONGEST_NAME];
    size_t count = 0;
    gp_board_words(name, wanted, sizeof wanted);
    if (strlen(wanted) < 2)
        return NULL;
    for (enum rule rule = SAME; rule < RULES; rule++) {
        const struct gp_board *board = find_by(boards, wanted, rule, &count);
        if (board != NULL)
            return board;
        if (count > 0) {
            list_all(boards, wanted, rule, count, several);
            return NULL;
        }
    }
    return NULL;
}

bool gp_board_has_words(const struct gp_board *board, const char *words)
{
    char wanted[LONGEST_NAME], names[2 * LONGEST_NAME];
    gp_board_words(words, wanted, sizeof wanted);
    if (wanted[0] == '\0') /* "arc" */
        return strcasestr(board->name, words) != NULL;
    size_t length = (gp_board_words(board->name, names, LONGEST_NAME), strlen(names));
    names[length++] = ' ';
    gp_board_words(board->also, names + length, LONGEST_NAME);
    return has_words(names, wanted, true);
}

/* ---- Suggestions ---- */

enum { MOST_SUGGESTED = 6 };

struct suggestions {
    const char *wanted; /* words */
    struct {
        size_t far;
        const char *name;
    } best[MOST_SUGGESTED];
    size_t count;
};

/* A third of the letters misspelt are another name; "cpu" may be pocl-cpu. */
static void consider(struct suggestions *s, const char *name, const char *words)
{
    size_t far = has_word(words, s->wanted, false) ? 1 : gp_edit_distance(s->wanted, words),
           letters = strlen(s->wanted);
    if (3 * far > (letters > 3 ? letters : 3))
        return;
    size_t at = s->count < MOST_SUGGESTED ? s->count++ : MOST_SUGGESTED;
    for (; at > 0 && s->best[at - 1].far > far; at--)
        if (at < MOST_SUGGESTED)
            s->best[at] = s->best[at - 1];
    if (at < MOST_SUGGESTED) {
        s->best[at].far = far;
        s->best[at].name = name;
    }
}

/* Of a name that has none but idle words ("arc") the boards in whose own name it stands. */
static void consider_idle(struct suggestions *s, const char *name, const struct gp_board *board)
{
    size_t length = strlen(name);
    if (length > 0 && s->count < MOST_SUGGESTED && strncasecmp(board->name, name, length) == 0)
        s->best[s->count++].name = board->name;
}

void gp_board_suggest(const struct gp_boards *boards, char *const *entries, size_t entry_count, const char *name,
                      struct gp_text *list)
{
    char wanted[LONGEST_NAME], words[LONGEST_NAME];
    struct suggestions s = {.wanted = wanted};
    gp_board_words(name, wanted, sizeof wanted);
    for (size_t i = 0; i < entry_count && wanted[0] != '\0'; i++) {
        gp_board_words(entries[i], words, sizeof words);
        consider(&s, entries[i], words);
    }
    for (size_t i = 0; i < boards->count; i++) {
        gp_board_words(boards->rows[i].name, words, sizeof words);
        if (wanted[0] != '\0')
            consider(&s, boards->rows[i].name, words);
        else
            consider_idle(&s, name, &boards->rows[i]);
    }
    for (size_t i = 0; i < s.count; i++)
        gp_text_printf(list, "%s'%s'", i > 0 ? ", " : "", s.best[i].name);
}
