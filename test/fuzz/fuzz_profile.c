/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Any bytes, to every reader of profiles. What a reader accepts must be valid, and the two forms must give it back: a
 * profile that is printed and read again, or written and read again, has the same binary form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/launch/launch.h"
#include "model/profile/profile_layout.h"
#include "model/profile/profile_binary.h"
#include "model/profile/profile_find.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"
#include "model/assume/describe.h"

static void stop(const char *what, const struct gp_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->text);
    abort();
}

static void want_same(const struct gp_profile *profile, struct gp_profile *again, const char *what,
                      const struct gp_error *error)
{
    uint32_t *words, *words_again;
    size_t count, count_again;
    if (again == NULL)
        stop(what, error);
    if (!gp_profile_encode(profile, &words, &count, NULL) ||
        !gp_profile_encode(again, &words_again, &count_again, NULL))
        stop("cannot be written", error);
    if (count != count_again || memcmp(words, words_again, count * 4) != 0)
        stop(what, error);
    free(words);
    free(words_again);
    gp_profile_free(again);
}

static void use(struct gp_profile *profile)
{
    struct gp_error error = {""};
    struct gp_text text = {0};
    uint32_t *words;
    size_t count;
    if (profile == NULL)
        return;
    if (!gp_profile_check(profile, &error) || !gp_profile_encode(profile, &words, &count, &error))
        stop("an invalid profile was accepted", &error);
    want_same(profile, gp_profile_decode(words, count * 4, &error), "binary form", &error);
    gp_profile_print(profile, &text);
    want_same(profile, gp_profile_parse(text.data, text.length, &error), "text form", &error);
    struct gp_launch *launch = malloc(sizeof *launch);
    for (uint32_t i = 0; i < profile->kernel_count && launch != NULL; i++) {
        char line[100];
        gp_launch_default(&profile->kernels[i], launch);
        gp_launch_describe(&profile->kernels[i], launch, line, sizeof line);
    }
    free(launch);
    free(words);
    gp_text_free(&text);
    gp_profile_free(profile);
}

/* The bytes behind a right header, so that the checksum does not keep them out. */
static struct gp_profile *decode_payload(const uint8_t *bytes, size_t size)
{
    size_t words = (size + 3) / 4 + 4;
    uint32_t *framed = calloc(words, 4);
    if (framed == NULL)
        return NULL;
    memcpy(framed + 4, bytes, size);
    framed[0] = GP_PROFILE_MAGIC;
    framed[1] = GP_PROFILE_VERSION;
    framed[2] = (uint32_t)words;
    framed[3] = gp_crc32_words(framed + 4, words - 4);
    struct gp_profile *profile = gp_profile_decode(framed, words * 4, NULL);
    free(framed);
    return profile;
}

static bool begins(const uint8_t *bytes, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gp_error error;
    if (begins(bytes, size, "gpuperf-profile"))
        use(gp_profile_parse((const char *)bytes, size, &error));
    else if (begins(bytes, size, "GPPF") && size >= 16)
        use(decode_payload(bytes + 16, size - 16));
    else
        use(gp_profile_find_embedded(bytes, size, &error));
    use(gp_profile_decode(bytes, size, &error));
    return 0;
}
