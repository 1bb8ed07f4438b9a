/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/revision.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool gp_is_revision(const char *side) { return strncmp(side, "git:", 4) == 0; }

/* Runs a program with its output going to `to`, or into a file. */
static bool run(char *const *arguments, int in, int out, struct gp_error *error)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if ((in < 0 || dup2(in, STDIN_FILENO) >= 0) && (out < 0 || dup2(out, STDOUT_FILENO) >= 0))
            execvp(arguments[0], arguments);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return gp_fail(error, "cannot run %s: %s", arguments[0], strerror(errno));
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           gp_fail(error, "%s %s failed", arguments[0], arguments[1]);
}

/* git archive REV into FOLDER. */
static bool lay_out(const char *revision, const char *folder, struct gp_error *error)
{
    char archive[PATH_MAX];
    snprintf(archive, sizeof archive, "%.4000s/tree.tar", folder);
    char *const pack[] = {"git", "archive", "--format=tar", "-o", archive, (char *)revision, NULL};
    char *const unpack[] = {"tar", "-xf", archive, "-C", (char *)folder, NULL};
    return run(pack, -1, -1, error) && run(unpack, -1, -1, error);
}

bool gp_revision_open(const char *side, const char *folder, char path[PATH_MAX], struct gp_error *error)
{
    const char *revision = side + 4, *colon = strchr(revision, ':');
    char name[256];
    if (colon == NULL || colon == revision || colon[1] == '\0')
        return gp_fail(error, "'%.80s' is not git:REV:PATH", side);
    snprintf(name, sizeof name, "%.*s", (int)(colon - revision), revision);
    if (name[0] == '-' || !lay_out(name, folder, error))
        return gp_fail(error, "there is no revision '%.80s' here (git archive failed)", name);
    snprintf(path, PATH_MAX, "%.2000s/%.2000s", folder, colon + 1);
    return access(path, R_OK) == 0 || gp_fail(error, "%s has no %s", name, colon + 1);
}
