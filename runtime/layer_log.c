/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/layer_state.h"

double gp_now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

enum { LONGEST_LINE = 1536 };

/* Its length; 0: no line. */
static size_t make_line(char line[LONGEST_LINE], const char *format, va_list arguments)
{
    size_t used = strlen(strcpy(line, "gpuperf: "));
    int count = vsnprintf(line + used, LONGEST_LINE - used - 1, format, arguments);
    if (count < 0)
        return 0;
    used += (size_t)count < LONGEST_LINE - used - 1 ? (size_t)count : LONGEST_LINE - used - 2;
    line[used++] = '\n';
    return used;
}

/* ---- Writing: standard error is the program's, and may be a pipe that nobody reads, or nobody can read any more -- */

enum { PATIENCE_MS = 1000 };

/* Whether somebody takes a line: at once, or within a second. Once nobody has, lines are not waited for until one goes
 * through. */
static bool is_ready(void)
{
    static bool unread;
    struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
    bool ready = poll(&output, 1, __atomic_load_n(&unread, __ATOMIC_RELAXED) ? 0 : PATIENCE_MS) > 0;
    __atomic_store_n(&unread, !ready, __ATOMIC_RELAXED);
    return ready;
}

/* The signal that a write to a closed pipe sends to the writing thread, where nobody else has sent one. */
static void take_pipe_signal(void)
{
    sigset_t pipe;
    struct timespec none = {0};
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    while (sigtimedwait(&pipe, NULL, &none) < 0 && errno == EINTR)
        ;
}

static bool is_pipe_signal_pending(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

/* As many whole lines as a pipe that is ready takes without blocking, and as others' writes do not come between. */
static size_t some_lines(const char *lines, size_t length)
{
    size_t whole = length < PIPE_BUF ? length : PIPE_BUF;
    while (whole > 0 && lines[whole - 1] != '\n')
        whole--;
    return whole;
}

static void write_without_signal(const char *lines, size_t length)
{
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    bool pending = is_pipe_signal_pending();
    for (size_t part; length > 0 && (part = some_lines(lines, length)) > 0 && is_ready(); lines += part, length -= part)
        if (write(STDERR_FILENO, lines, part) < 0 && errno == EPIPE && !pending) {
            take_pipe_signal();
            break;
        }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* errno is the program's. */
static void write_lines(const char *lines, size_t length)
{
    int saved = errno;
    if (length > 0)
        write_without_signal(lines, length);
    errno = saved;
}

void gp_log(int level, const char *format, ...)
{
    char line[LONGEST_LINE];
    if (level > gp_layer.settings.log_level)
        return;
    va_list arguments;
    va_start(arguments, format);
    write_lines(line, make_line(line, format, arguments));
    va_end(arguments);
}

void gp_log_later(int level, const char *format, ...)
{
    char line[LONGEST_LINE];
    if (level > gp_layer.settings.log_level)
        return;
    va_list arguments;
    va_start(arguments, format);
    gp_text_append(&gp_layer.lines, line, make_line(line, format, arguments));
    va_end(arguments);
}

void gp_unlock_and_log(void)
{
    struct gp_text lines = gp_layer.lines;
    gp_layer.lines = (struct gp_text){0};
    pthread_mutex_unlock(&gp_layer.lock);
    write_lines(lines.data, lines.length);
    gp_text_free(&lines);
}

static unsigned long add_count(struct gp_text *line, unsigned long *counter, const char *meaning)
{
    unsigned long count = __atomic_load_n(counter, __ATOMIC_RELAXED);
    if (count > 0)
        gp_text_printf(line, "%s%lu %s", line->length > 0 ? ", " : ": ", count, meaning);
    return count;
}

static void count_slots(void *count, void *value)
{
    const struct gp_unit *unit = value;
    for (const struct gp_slot *slot = unit->slots; slot != NULL; slot = slot->next)
        *(unsigned *)count += slot->waiting != NULL && slot->state != GP_SLOT_READY && slot->state != GP_SLOT_FAILED;
}

static void count_entries(void *count, void *value)
{
    const struct gp_entry *entry = value;
    *(unsigned *)count += entry->state == GP_ENTRY_PENDING;
}

/* What launches asked for and did not get: profiles, and decisions by those that are there. */
static unsigned count_unfinished(void)
{
    unsigned count = 0;
    pthread_mutex_lock(&gp_layer.lock);
    gp_map_each(&gp_layer.units, count_slots, &count);
    gp_map_each(&gp_layer.entries, count_entries, &count);
    pthread_mutex_unlock(&gp_layer.lock);
    return count;
}

/* Where nothing is kept, or a launch has waited so long in vain, there is no such advice. */
static const char *advice(void)
{
    bool helps = gp_layer.settings.cache_directory != NULL && gp_layer.settings.wait_milliseconds < 10000;
    return helps ? " (once with GPUPERF_WAIT=10000, and later runs find what is missing in the cache)" : "";
}

/*
 * gpuperf: 44 launches: 38 with gpuperf's local size, 3 with the driver's, 3 before the analysis was ready
 *
 * A program that ends before anything is decided would else look as if the layer had not been loaded.
 */
void gp_log_end(void)
{
    struct gp_text parts = {0};
    struct gp_counts *counts = &gp_layer.counts;
    if (gp_layer.settings.log_level < GP_LOG_DECISIONS)
        return;
    unsigned long launches = add_count(&parts, &counts->chosen, "with gpuperf's local size");
    launches += add_count(&parts, &counts->driver, "with the driver's");
    launches += add_count(&parts, &counts->program, "with the program's own");
    launches += add_count(&parts, &counts->early, "before the analysis was ready");
    unsigned unfinished = count_unfinished();
    if (unfinished > 0)
        gp_text_printf(&parts, "; %u %s unfinished%s", unfinished, unfinished == 1 ? "analysis" : "analyses", advice());
    gp_log(GP_LOG_DECISIONS, "%lu launch%s%s", launches, launches == 1 ? "" : "es",
           parts.data != NULL ? parts.data : "");
    gp_text_free(&parts);
}
