/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * make_seeds FOLDER FILE.gptext...: each profile as text, in the binary form, as the piece of an object file, and as
 * LLVM IR that holds the piece and can be compiled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_binary.h"
#include "model/profile/profile_find.h"
#include "model/profile/profile_text.h"

static bool write_seed(const char *folder, const char *name, const char *ending, const void *bytes, size_t count)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(bytes, 1, count, file) == count;
    return (file == NULL || fclose(file) == 0) && good;
}

static bool write_module(const char *folder, const char *name, const uint32_t *piece, size_t count)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "@piece = addrspace(2) constant [%zu x i32] [", count);
    for (size_t i = 0; i < count; i++)
        gp_text_printf(&text, "%si32 %d", i ? ", " : "", (int)piece[i]);
    gp_text_printf(&text, "]\n@llvm.compiler.used = appending global [1 x ptr addrspace(2)] [ptr addrspace(2) @piece], "
                          "section \"llvm.metadata\"\ndefine void @f() {\n  ret void\n}\n");
    bool good = write_seed(folder, name, ".ll", text.data, text.length);
    gp_text_free(&text);
    return good;
}

static bool make_seeds(const char *folder, const char *path, struct gp_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length, count;
    uint32_t *words = NULL, piece[GP_PIECE_WORDS];
    char *text = gp_read_file(path, &length);
    struct gp_profile *profile = text ? gp_profile_parse(text, length, error) : NULL;
    bool good = profile != NULL && gp_profile_encode(profile, &words, &count, error);
    if (good) {
        size_t used = gp_profile_piece(words, count, 0, piece);
        good = write_seed(folder, name, "", text, length) && write_seed(folder, name, ".profile", words, count * 4) &&
               write_seed(folder, name, ".piece", piece, used * 4) && write_module(folder, name, piece, used);
    }
    free(words);
    free(text);
    gp_profile_free(profile);
    return good;
}

int main(int count, char **arguments)
{
    for (int i = 2; i < count; i++) {
        struct gp_error error = {"cannot read or write"};
        if (!make_seeds(arguments[1], arguments[i], &error)) {
            fprintf(stderr, "%s: %s\n", arguments[i], error.text);
            return 1;
        }
    }
    return 0;
}
