/* A run-time compiler that takes everything: it writes its options and the header in front of the source to $NVRTC_OPTIONS, and knows one kernel. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "ptxas info    : Compiling entry function 'one' for 'sm_80'\n"
                           "ptxas info    : Function properties for one\n"
                           "ptxas         .     8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
                           "ptxas info    : Used 79 registers, 368 bytes cmem[0]\n";

static void copy_file(const char *name, FILE *out)
{
    FILE *in = fopen(name, "r");
    for (int c; in != NULL && (c = fgetc(in)) != EOF;)
        fputc(c, out);
    if (in != NULL)
        fclose(in);
}

int nvrtcCreateProgram(void **made, const char *source, const char *name, int headers, const char *const *texts, const char *const *names)
{
    bool refused = strstr(source, "float refused(") != NULL || strstr(source, "local float *") != NULL;
    *made = refused ? NULL : (void *)text;
    return 0;
}

int nvrtcCompileProgram(void *made, int count, const char *const *options)
{
    FILE *out = fopen(getenv("NVRTC_OPTIONS"), "w");
    for (int i = 0; i < count; i++)
        fprintf(out, "%s ", options[i]);
    fputc('\n', out);
    for (int i = 0; i < count; i++)
        if (strncmp(options[i], "-include=", 9) == 0)
            copy_file(options[i] + 9, out);
    fclose(out);
    return made == NULL ? 6 : 0;
}

int nvrtcGetProgramLogSize(void *made, size_t *bytes)
{
    *bytes = sizeof text;
    return 0;
}

int nvrtcGetProgramLog(void *made, char *log)
{
    memcpy(log, text, sizeof text);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
