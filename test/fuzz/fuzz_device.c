/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Any bytes as a device file: it is refused with a sentence, or every number is one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hwdb/hwdb.h"
#include "test/fuzz/edits.h"

static char path[64];

static void remove_file(void) { unlink(path); }

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    snprintf(path, sizeof path, "/tmp/gpuperf-fuzz-%ld.yaml", (long)getpid());
    atexit(remove_file);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gp_error error = {""};
    FILE *file = fopen(path, "w");
    want(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "cannot write the device file");
    struct gp_device *device = gp_device_load_file(path, &error);
    if (device == NULL) {
        want(error.text[0] != '\0', "refused, and nobody says why");
        return 0;
    }
#define X(field, unit, meaning) \
    want(isfinite(device->field.value) && device->field.origin != GP_FROM_UNKNOWN && device->field.source, \
         #field " is no number");
    GP_DEVICE_NUMBERS(X)
#undef X
    gp_device_free(device);
    return 0;
}
