/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/warm/rehearse_all.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/rehearse.h"
#include "support/prefix.h"
#include "support/text.h"
#include "tools/opencl.h"
#include "tools/warm/arguments.h"

enum { MOST = 16, RESULTS = GP_REHEARSED_UNFINISHED + 1 };

/* What the layer waits for a kernel's analysis: longer than a compile may take. */
static const char WAIT_MS[] = "120000";

struct work {
    const struct gp_warm_question *question;
    FILE *answers;
    const struct gp_cl *cl;
    gp_rehearse *rehearse;
    bool is_pocl;
    void *device, *context, *queue;
    unsigned long counts[RESULTS], devices, failed;
};

/* ---- A launch ---- */

static void tell(struct work *w, int result, const char *kernel, const char *launch, const char *text)
{
    static const char *const words[RESULTS] = {[GP_REHEARSED_LEFT_ALONE] = "left alone",
                                               [GP_REHEARSED_DECIDED] = "decided",
                                               [GP_REHEARSED_ANALYSED] = "analysed",
                                               [GP_REHEARSED_UNFINISHED] = "unfinished"};
    w->counts[result]++;
    fprintf(w->answers, "    %-28s %-14s %-11s %s\n", kernel, launch, words[result], text);
}

static void print_sizes(const struct gp_sizes *sizes, char text[72])
{
    int used = 0;
    text[0] = '\0';
    for (uint32_t d = 0; d < sizes->dims && used < 60; d++)
        used +=
            snprintf(text + used, (size_t)(72 - used), "%s%llu", d > 0 ? "x" : "", (unsigned long long)sizes->size[d]);
}

/* The kernel without its launch: what its source tells. */
static int rehearse_kernel(struct work *w, void *kernel, char *text, size_t size)
{
    return w->rehearse(w->queue, kernel, 0, NULL, NULL, NULL, text, size);
}

static void rehearse_launch(struct work *w, void *kernel, const char *name, const struct gp_sizes *global,
                            const struct gp_sizes *local, const struct gp_arguments *values)
{
    char launch[72], text[512];
    size_t range[3] = {1, 1, 1}, group[3] = {1, 1, 1};
    struct gp_error why = {""};
    int result;
    print_sizes(global, launch);
    for (uint32_t d = 0; d < global->dims; d++) {
        range[d] = global->size[d];
        group[d] = local->size[d];
    }
    if (local->dims == 0 && !gp_set_arguments(w->cl, w->context, kernel, values, &why)) {
        result = rehearse_kernel(w, kernel, text, sizeof text);
        if (result == GP_REHEARSED_ANALYSED)
            snprintf(text, sizeof text, "decided when it is launched: %s", why.text);
    } else {
        result =
            w->rehearse(w->queue, kernel, global->dims, NULL, range, local->dims > 0 ? group : NULL, text, sizeof text);
    }
    tell(w, result, name, launch, text);
}

/* ---- A kernel ---- */

static bool same_options(const struct gp_arguments *a, const struct gp_arguments *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (strcmp(a->items[i], b->items[i]) != 0)
            return false;
    return a->count == b->count;
}

static bool is_of(const struct gp_check_launch *launch, const struct gp_warm_program *program)
{
    return !program->recorded || (launch->source != NULL && strcmp(launch->source, program->path) == 0 &&
                                  same_options(&launch->options, program->options));
}

/* The range that a rule states; dims 0: none. */
static struct gp_sizes range_of(const struct gp_check_rule *rule)
{
    struct gp_sizes range = rule->global;
    if (rule->groups.dims == 0 || rule->local.dims == 0)
        return range;
    range = rule->groups;
    for (uint32_t d = 0; d < range.dims; d++)
        range.size[d] *= d < rule->local.dims ? rule->local.size[d] : 1;
    return range;
}

/* How many launches the configuration has of it. */
static size_t rehearse_stated(struct work *w, const struct gp_warm_program *program, void *kernel, const char *name)
{
    const struct gp_check_rule *rule = gp_check_rule_for(w->question->config, name);
    size_t count = 0;
    if (rule == NULL)
        return 0;
    for (size_t i = 0; i < rule->launch_count; i++) {
        const struct gp_check_launch *launch = &rule->launches[i];
        if (!is_of(launch, program))
            continue;
        rehearse_launch(w, kernel, name, &launch->global, &launch->local, &launch->values);
        count++;
    }
    struct gp_sizes range = range_of(rule);
    if (rule->launch_count > 0 || range.dims == 0)
        return count;
    rehearse_launch(w, kernel, name, &range, &rule->local, &rule->values);
    return 1;
}

static bool is_asked(const struct work *w, const char *name)
{
    const struct gp_arguments *kernels = w->question->kernels;
    for (size_t i = 0; i < kernels->count; i++)
        if (fnmatch(kernels->items[i], name, 0) == 0)
            return true;
    return kernels->count == 0;
}

static void visit_kernel(struct work *w, const struct gp_warm_program *program, void *kernel)
{
    char name[256] = "", text[512];
    w->cl->GetKernelInfo(kernel, GP_CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    if (!is_asked(w, name) || rehearse_stated(w, program, kernel, name) > 0 || program->recorded)
        return;
    int result = rehearse_kernel(w, kernel, text, sizeof text);
    if (result == GP_REHEARSED_ANALYSED)
        snprintf(text, sizeof text, "decided when it is launched: no launch is stated");
    tell(w, result, name, "", text);
}

/* ---- A program ---- */

/* As clBuildProgram splits it, and PoCL, which knows quotes behind a backslash only: those and blanks stand behind
 * backslashes, an empty word in quotes. */
static void append_word(struct gp_text *text, const char *word)
{
    gp_text_printf(text, "%s%s", text->length > 0 ? " " : "", word[0] == '\0' ? "\"\"" : "");
    for (; *word != '\0'; word++)
        gp_text_printf(text, strchr(" \t\r\n\v\f\"'\\", *word) != NULL ? "\\%c" : "%c", *word);
}

/*
 * PoCL looks for headers where the program runs: a recording has that as its first option, and here it is the folder.
 * What else PoCL adds by itself is in the recording, too.
 */
static size_t go_where_it_ran(const struct work *w, const struct gp_warm_program *program)
{
    const char *first = program->options->count > 0 ? program->options->items[0] : "";
    char folder[4096];
    if (!program->recorded || !w->is_pocl)
        return 0;
    unsetenv("POCL_EXTRA_BUILD_FLAGS");
    if (!gp_starts_with(first, "-I/") || !gp_ends_with(first, "/."))
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(first) - strlen("-I/.")), first + strlen("-I"));
    return chdir(folder[0] != '\0' ? folder : "/") == 0 ? 1 : 0;
}

/* With the parameters' names and types, which changes nothing of the code. */
static bool build(struct work *w, const struct gp_warm_program *program, void *handle)
{
    struct gp_text options = {0};
    for (size_t i = go_where_it_ran(w, program); i < program->options->count; i++)
        append_word(&options, program->options->items[i]);
    size_t length = options.length;
    gp_text_printf(&options, " -cl-kernel-arg-info");
    int32_t status = w->cl->BuildProgram(handle, 1, &w->device, options.data, NULL, NULL);
    if (status != 0 && options.data != NULL) { /* OpenCL 1.1 does not know it */
        options.data[length] = '\0';
        status = w->cl->BuildProgram(handle, 1, &w->device, options.data, NULL, NULL);
    }
    gp_text_free(&options);
    return status == 0;
}

static void tell_build(struct work *w, const char *path, void *handle)
{
    char log[4096] = "";
    w->cl->GetProgramBuildInfo(handle, w->device, GP_CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    const char *line = log + strspn(log, " \r\n");
    fprintf(w->answers, "    %s: the driver does not build it%s%.*s\n", path, *line != '\0' ? ": " : "",
            (int)strcspn(line, "\r\n"), line);
    w->failed++;
}

static void visit_kernels(struct work *w, const struct gp_warm_program *program, void *handle)
{
    uint32_t count = 0;
    w->cl->CreateKernelsInProgram(handle, 0, NULL, &count);
    void **kernels = calloc(count + 1, sizeof *kernels);
    if (kernels == NULL || count == 0 || w->cl->CreateKernelsInProgram(handle, count, kernels, NULL) != 0)
        fprintf(w->answers, "    %s: it has no kernels\n", program->path);
    else
        for (uint32_t i = 0; i < count; i++)
            visit_kernel(w, program, kernels[i]);
    free(kernels);
}

static void visit_program(struct work *w, const struct gp_warm_program *program)
{
    size_t length;
    int32_t status = -1;
    char *source = gp_read_file(program->path, &length);
    const char *text = source;
    if (source == NULL) {
        fprintf(w->answers, "    %s: cannot be read: %s\n", program->path, strerror(errno));
        w->failed++;
        return;
    }
    void *handle = w->cl->CreateProgramWithSource(w->context, 1, &text, NULL, &status);
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (status == 0 && build(w, program, handle))
        visit_kernels(w, program, handle);
    else if (status == 0)
        tell_build(w, program->path, handle);
    if (here >= 0) {
        if (fchdir(here) != 0)
            fprintf(w->answers, "    %s\n", strerror(errno));
        close(here);
    }
    free(source);
}

/* ---- Devices ---- */

static void visit_device(struct work *w, void *device)
{
    char name[256] = "";
    int32_t status = -1;
    w->device = device;
    w->cl->GetDeviceInfo(device, GP_CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    fprintf(w->answers, "%s%s\n", w->devices++ > 0 ? "\n" : "", name);
    w->context = w->cl->CreateContext(NULL, 1, &device, NULL, NULL, &status);
    w->queue = status == 0 ? w->cl->CreateCommandQueue(w->context, device, 0, &status) : NULL;
    if (status != 0) {
        fprintf(w->answers, "    %s\n", gp_cl_error(status));
        w->failed++;
        return;
    }
    for (size_t i = 0; i < w->question->count; i++)
        visit_program(w, &w->question->programs[i]);
}

static void visit_devices(struct work *w)
{
    void *platforms[MOST], *devices[MOST];
    uint32_t platform_count = 0, device_count = 0;
    if (w->cl->GetPlatformIDs(MOST, platforms, &platform_count) != 0)
        return;
    for (uint32_t p = 0; p < platform_count && p < MOST; p++) {
        char name[128] = "";
        w->cl->GetPlatformInfo(platforms[p], GP_CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
        w->is_pocl = strcmp(name, "Portable Computing Language") == 0;
        if (w->cl->GetDeviceIDs(platforms[p], 0xFFFFFFFF, MOST, devices, &device_count) == 0)
            for (uint32_t d = 0; d < device_count && d < MOST; d++)
                visit_device(w, devices[d]);
    }
}

/* The layer that the loader has loaded, and not another copy of it. */
static gp_rehearse *find_rehearse(const char *layer)
{
    gp_rehearse *function = NULL;
    void *library = dlopen(layer, RTLD_NOW | RTLD_NOLOAD), *symbol = NULL;
    if (library != NULL)
        symbol = dlsym(library, GP_REHEARSE_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static void set_environment(const char *layer)
{
    const char *mode = getenv("GPUPERF"), *log = getenv("GPUPERF_LOG");
    setenv("OPENCL_LAYERS", layer, 1);
    setenv("GPUPERF_WAIT", WAIT_MS, 1);
    if (mode == NULL || strcmp(mode, "override") != 0)
        setenv("GPUPERF", "on", 1);
    if (log != NULL && strcmp(log, "1") == 0) /* decisions are told here, and there are no launches */
        unsetenv("GPUPERF_LOG");
    unsetenv("GPUPERF_RECORD");
    unsetenv("GPUPERF_SAMPLE");
}

void gp_rehearse_all(const struct gp_warm_question *question, FILE *answers)
{
    struct gp_error error = {""};
    struct work w = {.question = question, .answers = answers};
    set_environment(question->layer);
    if ((w.cl = gp_cl_load(&error)) == NULL) {
        fprintf(answers, "! %s\n", error.text);
        return;
    }
    uint32_t platforms = 0;
    w.cl->GetPlatformIDs(0, NULL, &platforms); /* loads the layers */
    if ((w.rehearse = find_rehearse(question->layer)) == NULL) {
        fprintf(answers, "! the OpenCL loader does not load the layer; see gpuperf doctor\n");
        return;
    }
    visit_devices(&w);
    fprintf(answers, "= %lu %lu %lu %lu %lu\n", w.counts[GP_REHEARSED_DECIDED], w.counts[GP_REHEARSED_ANALYSED],
            w.counts[GP_REHEARSED_LEFT_ALONE], w.counts[GP_REHEARSED_UNFINISHED] + w.failed, w.devices);
}
