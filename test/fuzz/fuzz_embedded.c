/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Profiles embedded in files: any bytes, or pieces of golden profiles as words and as names, whole, cut, changed,
 * missing, twice, in any order, with junk between them. What is found must be valid, and is found where nothing was
 * changed.
 */
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_binary.h"
#include "model/profile/profile_find.h"
#include "support/text.h"
#include "test/fuzz/edits.h"

static size_t find(const void *bytes, size_t size)
{
    struct gp_error error = {""};
    struct gp_profile **profiles;
    size_t count = gp_profile_find_each(bytes, size, &profiles, &error);
    want(count > 0 || error.text[0] != '\0', "nothing found, and nobody says why");
    for (size_t i = 0; i < count; i++) {
        want(gp_profile_check(profiles[i], &error), error.text);
        gp_profile_free(profiles[i]);
    }
    if (count > 0)
        free(profiles);
    return count;
}

/* True: a mark of a file, where pieces are looked for in another way, or of a piece. */
static bool add_junk(struct edits *edits, struct gp_text *file)
{
    static const char *const marks[] = {"\x7f"
                                        "ELF\2\1\1",
                                        "BC\xc0\xde",
                                        "\x03\x02\x23\x07",
                                        GP_PIECE_NAME,
                                        "GPPP",
                                        "GPPF",
                                        "\n",
                                        "\0\0\0\0"};
    uint32_t which = take(edits, sizeof marks / sizeof *marks);
    const char *mark = marks[which];
    uint32_t repeats = take(edits, 5);
    for (uint32_t i = 0; i < repeats; i++)
        gp_text_append(file, mark, mark[0] ? strlen(mark) : 1 + take(edits, 4));
    return which < 6;
}

/* One piece, mostly as it is. True: nothing of it was changed. */
static bool add_piece(const uint32_t *words, size_t count, uint32_t index, struct edits *edits, struct gp_text *file)
{
    uint32_t piece[GP_PIECE_WORDS];
    size_t length = gp_profile_piece(words, count, index, piece), kept = length;
    char name[GP_PIECE_NAME_SIZE];
    uint32_t change = take(edits, 12);
    if (change == 0)
        return false;
    if (change == 1)
        piece[take(edits, (uint32_t)length)] ^= 1u << take(edits, 32);
    if (change == 2)
        kept = take(edits, (uint32_t)length);
    if (take(edits, 2)) {
        gp_profile_piece_name(piece, kept, name);
        gp_text_append(file, name, strlen(name) - (change == 3 ? take(edits, (uint32_t)strlen(name)) : 0));
        gp_text_append(file, "\n", 1);
    } else {
        gp_text_append(file, (const char *)piece, kept * 4);
    }
    return change > 3;
}

static void add_profile(struct edits *edits, struct gp_text *file, bool *whole, bool *marked)
{
    struct gp_profile *profile = golden_profile(take(edits, golden_count()));
    struct gp_error error = {""};
    uint32_t *words;
    size_t count;
    for (uint32_t left = take(edits, 4); left > 0; left--)
        edit(&profile->kernels[0], edits);
    if (gp_profile_check(profile, &error) && gp_profile_encode(profile, &words, &count, &error)) {
        uint32_t pieces = gp_profile_piece_count(count), first = take(edits, pieces);
        bool good = true;
        for (uint32_t i = 0; i < pieces; i++) {
            if (take(edits, 3) == 0)
                *marked = add_junk(edits, file) || *marked;
            good = add_piece(words, count, (first + i) % pieces, edits, file) && good;
        }
        *whole = *whole && good;
        free(words);
    } else {
        *whole = false;
    }
    gp_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > 0 && bytes[0] != 0) {
        (void)find(bytes, size);
        return 0;
    }
    struct edits edits = {bytes + 1, size ? size - 1 : 0};
    struct gp_text file = {0};
    bool whole = true, marked = false; /* nothing was changed, which might hide what was not */
    for (uint32_t profiles = 1 + take(&edits, 3); profiles > 0; profiles--)
        add_profile(&edits, &file, &whole, &marked);
    size_t found = find(file.data ? file.data : "", file.length);
    want(!whole || marked || found > 0, "a profile is whole, and not found");
    gp_text_free(&file);
    return 0;
}
