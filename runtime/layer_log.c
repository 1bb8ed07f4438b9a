#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/layer_state.h"

/* One write per line, so that lines of several threads do not mix; errno is the program's. */
void gp_log(int level, const char *format, ...)
{
    char line[1536] = "gpuperf: ";
    int saved = errno;
    if (level > gp_layer.settings.log_level)
        return;
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    if (count < 0)
        return;
    used += (size_t)count < sizeof line - used - 1 ? (size_t)count : sizeof line - used - 2;
    line[used++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, used);
    (void)written;
    errno = saved;
}
