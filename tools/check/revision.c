/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/revision.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/json_string.h"
#include "support/text.h"

bool gp_is_revision(const char *side) { return strncmp(side, "git:", 4) == 0; }

/* Runs a program without its complaints, which we word ourselves. text: takes what it prints; NULL: nobody does. */
static bool run(char *const *arguments, struct gp_text *text)
{
    int status, ends[2];
    char bytes[4096];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        if (dup2(ends[1], STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0)
            execvp(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t count; pid > 0 && ((count = read(ends[0], bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR));)
        if (count > 0 && text != NULL)
            gp_text_append(text, bytes, (size_t)count);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* One line that git prints, without its end. False: git fails. */
static bool ask_git(const char *what, char answer[PATH_MAX])
{
    struct gp_text text = {0};
    char *const question[] = {"git", "rev-parse", (char *)what, NULL};
    bool done = run(question, &text);
    snprintf(answer, PATH_MAX, "%.*s", (int)strcspn(text.length > 0 ? text.data : "", "\n"),
             text.length > 0 ? text.data : "");
    gp_text_free(&text);
    return done;
}

/* The whole tree of a revision into FOLDER, wherever in it gpuperf runs. */
static bool lay_out(const char *revision, const char *top, const char *folder, struct gp_error *error)
{
    char archive[PATH_MAX];
    snprintf(archive, sizeof archive, "%.4000s/tree.tar", folder);
    char *const pack[] = {"git", "-C", (char *)top, "archive", "--format=tar", "-o", archive, (char *)revision, NULL};
    char *const unpack[] = {"tar", "-xf", archive, "-C", (char *)folder, NULL};
    if (revision[0] == '-' || !run(pack, NULL))
        return gp_fail(error, "there is no revision '%.80s' here", revision);
    bool done =
        run(unpack, NULL) || gp_fail(error, "'tar' cannot unpack the files of '%.80s' into %.200s", revision, folder);
    unlink(archive);
    return done;
}

/* As git takes it: from the top of the tree, or from here where it begins with "./". */
static void place(const char *folder, const char *prefix, const char *path, char whole[PATH_MAX])
{
    bool here = strncmp(path, "./", 2) == 0;
    snprintf(whole, PATH_MAX, "%.1500s/%.1000s%.1500s", folder, here ? prefix : "", here ? path + 2 : path);
}

bool gp_revision_open(const char *side, const char *folder, char path[PATH_MAX], struct gp_error *error)
{
    const char *revision = side + 4, *colon = strchr(revision, ':');
    char name[256], top[PATH_MAX], prefix[PATH_MAX];
    if (colon == NULL || colon == revision || colon[1] == '\0')
        return gp_fail(error, "'%.80s' is not git:REV:PATH", side);
    snprintf(name, sizeof name, "%.*s", (int)(colon - revision), revision);
    if (!ask_git("--show-toplevel", top) || !ask_git("--show-prefix", prefix))
        return gp_fail(error, "this folder belongs to no git repository, or git is not installed");
    if (!lay_out(name, top, folder, error))
        return false;
    place(folder, prefix, colon + 1, path);
    return access(path, R_OK) == 0 || gp_fail(error, "%s has no %s", name, colon + 1);
}

json_t *gp_revision_rename(const char *text, const char *path, const char *side)
{
    struct gp_text name = {0};
    for (const char *at; (at = strstr(text, path)) != NULL; text = at + strlen(path)) {
        gp_text_append(&name, text, (size_t)(at - text));
        gp_text_printf(&name, "%s", side);
    }
    gp_text_printf(&name, "%s", text);
    json_t *value = gp_json_string(name.data);
    gp_text_free(&name);
    return value;
}
