/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/operation.h"
#include "support/suggest.h"
#include "support/temporary.h"
#include "tools/command.h"
#include "tools/help/help.h"
#include "tools/other_verb.h"
#include "tools/progress.h"

static const char help[] =
    "Predicts what a GPU kernel costs for each work-group size, without a GPU.\n"
    "\n"
    "gpuperf predict [OPTIONS] FILE [-- CLANG-ARGUMENTS]\n"
    "    FILE: OpenCL C (.cl), CUDA (.cu), HIP (.hip), LLVM IR (.ll, .bc), - (standard input), a profile, or a module "
    "that the\n    plugin annotated\n"
    "    --device D[,D]       devices to predict for (default: $GPUPERF_DEVICE, else the profile's target, else a100)\n"
    "                         entries, boards (\"rtx 4060\"), targets (sm_89), with numbers: "
    "sm_89:sms=24:gbps=272:l2=24M\n"
    "    --set FIELD=VALUE    a number of all devices; may repeat\n"
    "    --kernel K           this kernel only; may repeat (default: all)\n"
    "    --global XxYxZ[,...] global sizes (default: 1048576, 1024x1024 or 128x128x128)\n"
    "    --groups XxYxZ       number of work-groups, CUDA's grid: the global size is as many times the local size\n"
    "    --local XxYxZ[,...]  local sizes (default: all candidates)\n"
    "    --explain XxYxZ[,..] bottlenecks of these sizes, too (default: of the best and of the launch's own)\n"
    "    --arg NAME=NUMBER    value of a scalar argument (of an int2: X,Y), bytes of a local one or a buffer,\n"
    "                         of an image's texel (1 to 16); several, of which all combinations are predicted:\n"
    "                         n=1:2:4, n=64..4096*2, n=1..9+2\n"
    "    --resident N[,...]   no more warps per SM than so many (1,2,4 or 1..64*2)\n"
    "    --trip N             iterations of a loop that data ends (default: 16)\n"
    "    --cold, --warm       nothing in the caches (default); what the same launch before has left there\n"
    "    --clock MHZ          clock of the device (default: the database's)\n"
    "    --model M            auto, throughput, mwp-cwp, trace\n"
    "    --terms              every term of the best size's time, too (JSON: of each size's)\n"
    "    --format F           text, json (gpuperf/1), csv, markdown; --json: a plain JSON array\n"
    "    --overview           a line for each kernel on each device\n"
    "    --top N              the N best local sizes of each launch\n"
    "    --fix-it[=N]         changes of the source that gain, as patches; the Nth alone\n"
    "    --color WHEN         auto (a terminal), always, never\n"
    "    -x LANGUAGE          cl, clcpp, cuda, hip or ir, whatever the file's name; FILE - is standard input\n"
    "gpuperf check [OPTIONS] FILE|FOLDER|compile_commands.json ... [-- CLANG-ARGUMENTS]\n"
    "    all kernels of a tree, for the launches that gpuperf.yaml states; exit 1 where the gate fails, 2 where "
    "something\n"
    "    could not be looked at\n"
    "    --device, --kernel   as above\n"
    "    --config FILE        (default: gpuperf.yaml here)\n"
    "    --baseline FILE, --write-baseline FILE\n"
    "    --fail-on WHAT       warning[=CAUSE,..], regression=PCT%, budget; may repeat\n"
    "    --format F           text, json, sarif, markdown, github, html\n"
    "    -o FILE              the result goes there\n"
    "    --jobs N             sources at a time (default: processors)\n"
    "    --all-kernels        also those of headers outside this folder\n"
    "gpuperf compare [OPTIONS] OLD NEW [-- CLANG-ARGUMENTS]\n"
    "    before and after, a row for each kernel and device; OLD and NEW: a source, a folder, a profile, a module, "
    "JSON\n"
    "    of predict or check, or git:REV:PATH; --device, --kernel, --config, --fail-on, --format, -o as above;\n"
    "    --bisect: exit 125 for 2\n"
    "gpuperf report [OPTIONS] FILE|FOLDER|compile_commands.json ... -o OUT.html [-- CLANG-ARGUMENTS]\n"
    "    one page for a browser: kernels and devices, times over local sizes, sources with what costs time where;\n"
    "    --device, --kernel, --config, --jobs, --all-kernels as above; --before OLD: with what changed since OLD, "
    "which is a\n"
    "    file, a folder, JSON of check, or git:REV:PATH\n"
    "gpuperf split --device D1,D2[,..] --global XxYxZ [OPTIONS] FILE [-- CLANG-ARGUMENTS]\n"
    "    one range shared out over several devices so that they end together; --kernel, --local, --arg as above;\n"
    "    --transfer GBPS[,..]  what each device is sent before and sends back after (default: all memory is shared)\n"
    "gpuperf validate [OPTIONS] MEASURED.csv FILE [-- CLANG-ARGUMENTS]\n"
    "    measured times (columns kernel, device, local, global, time_us, arguments by name) beside predictions\n"
    "gpuperf devices [D[,D]] [--json] | devices --boards [WORDS] [--json] | devices --compare D1,D2\n"
    "    the devices of the database, or every number of those named with its unit and source; boards, all or those\n"
    "    with these words; what differs\n"
    "gpuperf devices D --sensitivity FILE [-- CLANG-ARGUMENTS]\n"
    "    which of a device's numbers the kernels' times depend on\n"
    "gpuperf calibrate --opencl [PLATFORM:DEVICE] | --cuda [DEVICE] | --simulate NAME [--noise PCT]  [OPTIONS]\n"
    "    a device's numbers, measured by OpenCL programs on this machine, or read back from a simulated one;\n"
    "    --only NAME,..: these probes; -o NAME.yaml: a device file; --html FILE: plots; --curves: all points;\n"
    "    --ptx FOLDER: --cuda's programs, as `gpuperf calibrate --compile-only sm_NN --ptx FOLDER` makes them\n"
    "gpuperf dis FILE\n"
    "    the text form of a profile\n"
    "gpuperf init [-p DIR] [FILE|FOLDER|compile_commands.json ...] [-o FILE] [-- CLANG-ARGUMENTS]\n"
    "    a first gpuperf.yaml: the kernels, and what of their launches is worth stating\n"
    "gpuperf doctor\n"
    "    what is there of the parts that gpuperf works with, and what to do about what is not; exit 1 where one is "
    "missing\n"
    "gpuperf status [--json]\n"
    "    what the OpenCL layer has done for each kernel so far: launches, times, the decision, why it left it alone\n"
    "gpuperf warm [--config FILE] [--kernel K] FILE.cl|RECORDING.yaml [-- BUILD-OPTIONS]\n"
    "    fills the OpenCL layer's cache ahead, so that a program's first launch has its local size; launches nothing\n"
    "gpuperf schema\n"
    "    the JSON Schema of what --format json prints\n"
    "gpuperf help WORD\n"
    "    what a word of the output means: limiter, occupancy, a cause ...\n"
    "gpuperf --help, gpuperf --version\n"
    "Another verb runs the program gpuperf-VERB beside this one or in PATH.\n"
    "\n"
    "Environment: GPUPERF_DEVICE, GPUPERF_HWDB (directories of device files), GPUPERF_CLANG, GPUPERF_PLUGIN,\n"
    "GPUPERF_PTXAS, GPUPERF_CLC (directory of libclc), CUDA_PATH.\n";

static const struct verb {
    const char *name;
    enum gp_status (*run)(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
} verbs[] = {{"predict", gp_predict_command},     {"check", gp_check_command},     {"compare", gp_compare_command},
             {"report", gp_report_command},       {"devices", gp_devices_command}, {"split", gp_split_command},
             {"validate", gp_validate_command},   {"dis", gp_dis_command},         {"init", gp_init_command},
             {"doctor", gp_doctor_command},       {"schema", gp_schema_command},   {"status", gp_status_command},
             {"calibrate", gp_calibrate_command}, {"warm", gp_warm_command}};

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(name, verbs[i].name) == 0)
            return &verbs[i];
    return NULL;
}

/* The signal ends us after all, and the end of us ends the compilers (compile/supervisor.h). */
static void on_signal(int number)
{
    gp_temporary_remove_all();
    raise(number);
}

/* At once, whatever is under way. A terminal that goes away may be meant to leave us alone. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

static const char *word_at(const struct gp_command_line *line, int at)
{
    return at >= 0 && at < line->count && line->arguments[at] != NULL ? line->arguments[at] : "";
}

/* Of short options a word may hold several: getopt goes on to the next word only behind the last. */
static const char *short_option_word(const struct gp_command_line *line)
{
    const char *last = word_at(line, optind - 1);
    size_t length = strlen(last);
    return last[0] == '-' && length > 1 && last[1] != '-' && last[length - 1] == optopt ? last : word_at(line, optind);
}

enum gp_status gp_bad_option(const struct gp_command_line *line, int option, struct gp_error *error)
{
    bool valued = option != ':' && optopt >= GP_FIRST_OPTION; /* a long option that takes no value has one */
    bool short_option = option != ':' && !valued && optopt != 0;
    const char *word = short_option ? short_option_word(line) : word_at(line, optind - 1);
    if (option == ':')
        gp_fail(error, "option '%s' of '%s' needs a value; see gpuperf --help", word, line->arguments[0]);
    else if (valued)
        gp_fail(error, "'%s': option '%s' takes no value; see gpuperf --help", line->arguments[0], word);
    else if (short_option)
        gp_fail(error,
                "'%s' has no option '%s'; compiler options go after '--', as in: gpuperf predict kernel.cl -- %s",
                line->arguments[0], word, word);
    else
        gp_fail(error, "'%s' has no option '%s'; see gpuperf --help", line->arguments[0], word);
    return GP_STATUS_USAGE;
}

static bool asks_for_help(const char *word) { return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0; }

static void list_verbs(struct gp_text *text)
{
    gp_text_printf(text, "there are ");
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        gp_text_printf(text, "%s, ", verbs[i].name);
    gp_text_printf(text, "help, --help, --version");
}

static enum gp_status fail_without_verb(struct gp_error *error)
{
    struct gp_text text = {0};
    list_verbs(&text);
    gp_fail(error, "no verb; %s", text.data);
    gp_text_free(&text);
    return GP_STATUS_USAGE;
}

/* Neither of ours nor a program gpuperf-NAME. */
static enum gp_status fail_unknown_verb(const char *name, struct gp_error *error)
{
    struct gp_text text = {0}, meant = {0};
    list_verbs(&text);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        gp_suggest(name, verbs[i].name, &meant);
    gp_fail(error, "there is no verb '%.60s', nor a program gpuperf-%.60s%s; %s", name, name,
            meant.length > 0 ? meant.data : "", text.data);
    gp_text_free(&text);
    gp_text_free(&meant);
    return GP_STATUS_USAGE;
}

/* help, help WORD; of a verb, and of nothing, the whole of it. */
static enum gp_status print_help(const char *word, struct gp_text *out, struct gp_error *error)
{
    bool whole = word == NULL || find_verb(word) != NULL;
    if (whole)
        gp_text_printf(out, "%s", help);
    return whole || gp_help_on(word, out, error) ? GP_STATUS_OK : GP_STATUS_USAGE;
}

static enum gp_status run_verb(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    const char *name = line->arguments[0], *next = line->count > 1 ? line->arguments[1] : NULL;
    const struct verb *verb = find_verb(name);
    if (asks_for_help(name) || (verb != NULL && next != NULL && asks_for_help(next)))
        return print_help(NULL, out, error);
    if (verb != NULL)
        return verb->run(line, out, error);
    if (strcmp(name, "help") == 0)
        return print_help(next, out, error);
    if (strcmp(name, "--version") == 0) {
        gp_text_printf(out, "gpuperf " GPUPERF_COMMAND_VERSION "\n");
        return GP_STATUS_OK;
    }
    return fail_unknown_verb(name, error);
}

/* Splits at the first "--". */
static struct gp_command_line split(int argc, char **argv)
{
    struct gp_command_line line = {.count = argc - 1, .arguments = argv + 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            line.count = i - 1;
            line.rest = argv + i + 1;
            argv[i] = NULL;
            break;
        }
    }
    return line;
}

struct run {
    struct gp_command_line line;
    struct gp_text out;
    struct gp_error error;
    enum gp_status status;
};

static void run(void *context)
{
    struct run *r = context;
    r->status = run_verb(&r->line, &r->out, &r->error);
}

bool gp_print_now(struct gp_text *out, struct gp_error *error)
{
    gp_progress_hide();
    bool failed = out->length > 0 && fwrite(out->data, 1, out->length, stdout) != out->length;
    gp_text_free(out);
    return (fflush(stdout) == 0 && !failed) || gp_fail(error, "cannot write to standard output: %s", strerror(errno));
}

static bool has_result(enum gp_status status)
{
    return status == GP_STATUS_OK || status == GP_STATUS_TOLD_FAILED || status == GP_STATUS_TOLD_USAGE ||
           status == GP_STATUS_TOLD_SKIP;
}

static int exit_status(enum gp_status status)
{
    static const int statuses[] = {
        [GP_STATUS_FAILED] = 1,      [GP_STATUS_USAGE] = 2,      [GP_STATUS_SKIP] = 125,
        [GP_STATUS_TOLD_FAILED] = 1, [GP_STATUS_TOLD_USAGE] = 2, [GP_STATUS_TOLD_SKIP] = 125};
    return statuses[status];
}

int main(int argc, char **argv)
{
    if (argc > 1 && find_verb(argv[1]) == NULL)
        gp_run_other_verb(argv + 1); /* comes back where there is no such program */
    struct run r = {.line = split(argc, argv), .status = GP_STATUS_USAGE};
    if (r.line.count < 1) {
        fail_without_verb(&r.error);
    } else {
        catch_signals();
        opterr = 0; /* complaints are ours */
        if (!gp_operation(run, &r)) {
            r.out = (struct gp_text){0};
            r.status = GP_STATUS_FAILED;
            gp_fail(&r.error, GP_OUT_OF_MEMORY);
        }
    }
    if (has_result(r.status) && !gp_print_now(&r.out, &r.error))
        r.status = GP_STATUS_FAILED;
    gp_text_free(&r.out);
    if (!has_result(r.status))
        fprintf(stderr, "gpuperf: %s\n", r.error.text);
    return exit_status(r.status);
}
