/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* asprintf */
#include "compile/locate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/environment.h"
#include "support/own_file.h"

static const char *setting(char *const *environment, const char *name)
{
    const char *value = gp_variable(environment, name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* DIRECTORY/NAME if that is there. */
static char *file_in(const char *directory, const char *name)
{
    char *path = NULL;
    if (directory == NULL || asprintf(&path, "%s/%s", directory, name) < 0)
        return NULL;
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        return path;
    free(path);
    return NULL;
}

static char *without_links(const char *path)
{
    char whole[PATH_MAX];
    return realpath(path, whole) != NULL ? strdup(whole) : NULL;
}

/* "DIR/NAME" becomes "DIR". False: it has no directory; NULL is taken. */
static bool cut_to_directory(char *path)
{
    char *slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    return slash != NULL;
}

static bool has_file(const char *directory, const char *name)
{
    char *path = file_in(directory, name);
    free(path);
    return path != NULL;
}

static char *program_in(const char *directory, const char *name)
{
    char *path = file_in(directory, name);
    if (path != NULL && access(path, X_OK) == 0)
        return path;
    free(path);
    return NULL;
}

char *gp_program_in_path(char *const *environment, const char *name)
{
    const char *path = setting(environment, "PATH");
    char *directories = path ? strdup(path) : NULL;
    char *found = NULL;
    char *rest = NULL;
    for (char *directory = directories ? strtok_r(directories, ":", &rest) : NULL; directory != NULL && found == NULL;
         directory = strtok_r(NULL, ":", &rest))
        found = program_in(directory, name);
    free(directories);
    return found;
}

/* What a user or a variable names: a path, or a program in PATH. */
static char *program_named(char *const *environment, const char *given)
{
    return strchr(given, '/') ? strdup(given) : gp_program_in_path(environment, given);
}

char *gp_locate_clang(char *const *environment, const char *given)
{
    given = given ? given : setting(environment, "GPUPERF_CLANG");
    if (given != NULL)
        return program_named(environment, given);
    char *found = gp_program_in_path(environment, "clang-22");
    return found ? found : gp_program_in_path(environment, "clang");
}

/* What is installed with gpuperf's programs and libraries. */
static char *bundled_file(const char *name)
{
    char installed[NAME_MAX], path[PATH_MAX];
    snprintf(installed, sizeof installed, GPUPERF_LIBDIR "/gpuperf/%s", name);
    return gp_beside_own_file(installed, path) ? strdup(path) : NULL;
}

char *gp_locate_plugin(char *const *environment, const char *given)
{
    given = given ? given : setting(environment, "GPUPERF_PLUGIN");
    if (given != NULL)
        return strdup(given);
    char *found = bundled_file("gpuperf.so");
    char *whole = found ? without_links(found) : NULL;
    free(found);
    return whole;
}

char *gp_locate_libclc(char *const *environment, const char *name)
{
    const char *const places[] = {setting(environment, "GPUPERF_CLC"), "/usr/lib/clc", "/usr/share/clc",
                                  "/usr/lib/llvm-22/share/clc", "/usr/local/share/clc"};
    char *found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof places / sizeof places[0]; i++)
        found = file_in(places[i], name);
    return found;
}

/* ROOT/bin/ptxas -> ROOT, links followed, for a ptxas in PATH. */
static char *cuda_of_path(char *const *environment)
{
    char *ptxas = gp_program_in_path(environment, "ptxas");
    char *path = ptxas ? without_links(ptxas) : NULL;
    free(ptxas);
    for (int level = 0; path != NULL && level < 2; level++)
        cut_to_directory(path);
    return path;
}

char *gp_locate_cuda(char *const *environment)
{
    const char *given = gp_variable(environment, "CUDA_PATH");
    if (given != NULL && given[0] == '\0')
        return NULL;
    char *of_path = cuda_of_path(environment);
    const char *const places[] = {setting(environment, "CUDA_PATH"), setting(environment, "CUDA_HOME"), of_path,
                                  "/usr/local/cuda", "/usr/lib/cuda"};
    char *found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof places / sizeof places[0]; i++) {
        if (has_file(places[i], "include/cuda_runtime.h"))
            found = strdup(places[i]);
    }
    free(of_path);
    return found;
}

char *gp_locate_libdevice(char *const *environment)
{
    char *root = gp_locate_cuda(environment);
    char *found = file_in(root, "nvvm/libdevice/libdevice.10.bc");
    free(root);
    return found;
}

char *gp_locate_ptxas(char *const *environment)
{
    const char *given = setting(environment, "GPUPERF_PTXAS");
    if (given != NULL)
        return program_named(environment, given);
    char *found = program_in(setting(environment, "CUDA_PATH"), "bin/ptxas");
    found = found ? found : gp_program_in_path(environment, "ptxas");
    return found ? found : program_in("/usr/local/cuda/bin", "ptxas");
}

char *gp_locate_nvcc(char *const *environment)
{
    const char *given = gp_variable(environment, "GPUPERF_NVCC");
    if (given != NULL)
        return given[0] == '\0' ? NULL : program_named(environment, given);
    char *ptxas = gp_locate_ptxas(environment);
    char *found = cut_to_directory(ptxas) ? program_in(ptxas, "nvcc") : NULL;
    free(ptxas);
    return found;
}

/* BIN/nvcc -> BIN/../lib64/libnvrtc.so */
char *gp_locate_nvrtc(char *const *environment)
{
    const char *given = gp_variable(environment, "GPUPERF_NVRTC");
    if (given != NULL)
        return given[0] == '\0' ? NULL : strdup(given);
    char *nvcc = gp_locate_nvcc(environment);
    char *found = cut_to_directory(nvcc) ? file_in(nvcc, "../lib64/libnvrtc.so") : NULL;
    free(nvcc);
    return found;
}

char *gp_locate_nvrtc_program(void) { return bundled_file("gpuperf-nvrtc"); }

char *gp_locate_amd_clang(char *const *environment)
{
    const char *given = gp_variable(environment, "GPUPERF_AMD_CLANG");
    if (given != NULL)
        return given[0] == '\0' ? NULL : program_named(environment, given);
    char *found = program_in(setting(environment, "ROCM_PATH"), "llvm/bin/clang");
    return found ? found : program_in("/opt/rocm/llvm/bin", "clang");
}

/* ROOT/llvm/bin/clang or ROOT/lib/llvm/bin/clang, links followed. */
bool gp_has_amd_library(const char *clang)
{
    char *path = without_links(clang);
    bool found = false;
    for (int level = 0; path != NULL && !found && level < 4; level++) {
        cut_to_directory(path);
        found = level >= 2 && has_file(path, "amdgcn/bitcode/opencl.bc");
    }
    free(path);
    return found;
}
