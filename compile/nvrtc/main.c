/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * NVIDIA's run-time compiler as a program: gpuperf-nvrtc LIBRARY SOURCE CUBIN PTX OPTION...
 *
 * LIBRARY is libnvrtc.so, of whatever version is at hand: it is loaded, not linked. The source is compiled to the files
 * CUBIN and PTX; what the compiler and its assembler say (registers and spills, with --ptxas-options=-v) goes to
 * standard output. Exit status: 0, 1 where the source is refused, 2 where there is no such library or file. The
 * interface is that of NVIDIA's NVRTC documentation.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "compile/nvrtc/as_cuda.h"
#include "support/text.h"

typedef struct _nvrtcProgram *program;
enum { SUCCESS = 0 };

/* What is used of the library. */
struct nvrtc {
    int (*create)(program *made, const char *source, const char *name, int headers, const char *const *header_texts,
                  const char *const *header_names);
    int (*compile)(program made, int options, const char *const *option_texts);
    int (*log_size)(program made, size_t *bytes);
    int (*log)(program made, char *text);
    int (*cubin_size)(program made, size_t *bytes);
    int (*cubin)(program made, char *bytes);
    int (*ptx_size)(program made, size_t *bytes);
    int (*ptx)(program made, char *text);
};

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        fprintf(stderr, "gpuperf-nvrtc: %s\n", dlerror());
    return found;
}

static bool load(const char *path, struct nvrtc *nvrtc)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "gpuperf-nvrtc: %s\n", dlerror());
        return false;
    }
    *(void **)&nvrtc->create = symbol(library, "nvrtcCreateProgram");
    *(void **)&nvrtc->compile = symbol(library, "nvrtcCompileProgram");
    *(void **)&nvrtc->log_size = symbol(library, "nvrtcGetProgramLogSize");
    *(void **)&nvrtc->log = symbol(library, "nvrtcGetProgramLog");
    *(void **)&nvrtc->cubin_size = symbol(library, "nvrtcGetCUBINSize");
    *(void **)&nvrtc->cubin = symbol(library, "nvrtcGetCUBIN");
    *(void **)&nvrtc->ptx_size = symbol(library, "nvrtcGetPTXSize");
    *(void **)&nvrtc->ptx = symbol(library, "nvrtcGetPTX");
    return nvrtc->create != NULL && nvrtc->compile != NULL && nvrtc->log_size != NULL && nvrtc->log != NULL;
}

static void print_log(const struct nvrtc *nvrtc, program made)
{
    size_t bytes = 0;
    char *text = nvrtc->log_size(made, &bytes) == SUCCESS ? calloc(1, bytes + 1) : NULL;
    if (text != NULL && nvrtc->log(made, text) == SUCCESS)
        fputs(text, stdout);
    free(text);
}

/* What one of the library's pairs of functions gives away, where it does. A text's end is counted in its size and not
 * written. */
static void write_result(program made, int (*size)(program, size_t *), int (*get)(program, char *), bool text,
                         const char *path)
{
    size_t bytes = 0;
    bool sized = size != NULL && get != NULL && size(made, &bytes) == SUCCESS && bytes > 0;
    char *content = sized ? malloc(bytes) : NULL;
    FILE *out = content != NULL && get(made, content) == SUCCESS ? fopen(path, "wb") : NULL;
    if (out != NULL) {
        fwrite(content, 1, bytes - text, out);
        fclose(out);
    }
    free(content);
}

int main(int argc, char **argv)
{
    struct nvrtc nvrtc;
    program made = NULL;
    size_t length;
    if (argc < 5) {
        fprintf(stderr, "usage: gpuperf-nvrtc LIBRARY SOURCE CUBIN PTX OPTION...\n");
        return 2;
    }
    char *read = gp_read_file(argv[2], &length), *source = read != NULL ? gp_as_cuda(read) : NULL;
    free(read);
    if (source == NULL) {
        perror(argv[2]);
        return 2;
    }
    if (!load(argv[1], &nvrtc) || nvrtc.create(&made, source, argv[2], 0, NULL, NULL) != SUCCESS)
        return 2;
    bool done = nvrtc.compile(made, argc - 5, (const char *const *)(argv + 5)) == SUCCESS;
    print_log(&nvrtc, made);
    if (done) {
        write_result(made, nvrtc.cubin_size, nvrtc.cubin, false,
                     argv[3]); /* CUDA's versions before 11.1 do not give it away */
        write_result(made, nvrtc.ptx_size, nvrtc.ptx, true, argv[4]);
    }
    free(source);
    return done ? 0 : 1; /* the program ends, and what the library holds with it */
}
