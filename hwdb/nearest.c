/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Devices that are not in the database: the nearest entry by architecture, under the name that was asked for.
 *
 * NVIDIA: an entry of the same compute capability, else of the nearest one of its architecture; where the database has
 * none of the architecture, that of a relative. AMD: the same family (GCN, CDNA, RDNA), then the nearest gfx number. Of
 * several equally near ones the compile target's own device (gp_device_for_target), else the first by name.
 */
#include "hwdb/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A compile target: compute capability, or gfx major, minor and step. */
struct target {
    enum gp_arch arch; /* a family for AMD; unused for NVIDIA */
    unsigned capability;
    unsigned major, minor, step;
    bool generic; /* code for several chips: that of no entry */
};

/* ---- Reading targets ---- */

/* Generations from here on nobody has made: a name with one is misspelt. */
enum { NO_MAJOR = 20, NO_CAPABILITY = 200 };

static bool read_sm(const char *text, struct target *target)
{
    char *end;
    if (strncmp(text, "sm_", 3) != 0 || !isdigit((unsigned char)text[3]))
        return false;
    unsigned long number = strtoul(text + 3, &end, 10);
    if ((*end == 'a' || *end == 'f') && end[1] == '\0') /* the architecture's own features */
        end++;
    *target = (struct target){.capability = (unsigned)number};
    return *end == '\0' && number >= 10 && number < 1000;
}

static enum gp_arch family_of(const struct target *t)
{
    if (t->major >= 10)
        return GP_ARCH_RDNA;
    return t->major == 9 && (t->minor >= 4 || t->step == 8 || t->step == 0xa)
               ? GP_ARCH_CDNA
               : GP_ARCH_GCN; /* gfx908, gfx90a, gfx94x, gfx95x */
}

/* gfx906, gfx90a, gfx1032, "gfx90a:sramecc+:xnack-": the last two digits, hexadecimal, are minor and step. */
static bool read_gfx(const char *text, struct target *target)
{
    size_t length = 0;
    if (strncmp(text, "gfx", 3) != 0)
        return false;
    text += 3;
    while (isxdigit((unsigned char)text[length]))
        length++;
    if (length < 3 || length > 4 || (text[length] != '\0' && text[length] != ':'))
        return false;
    char major[3] = {0}, minor[2] = {text[length - 2]}, step[2] = {text[length - 1]}, *end;
    memcpy(major, text, length - 2);
    *target = (struct target){.major = (unsigned)strtoul(major, &end, 10),
                              .minor = (unsigned)strtoul(minor, NULL, 16),
                              .step = (unsigned)strtoul(step, NULL, 16)};
    target->arch = family_of(target);
    return *end == '\0' && target->major >= 6 && target->major < NO_MAJOR;
}

/* gfx9-generic, gfx10-3-generic: major, and minor where the family's chips differ in it. Its code runs on the family's
 * first chip. */
static bool read_generic_gfx(const char *text, struct target *target)
{
    char *end;
    if (strncmp(text, "gfx", 3) != 0 || !isdigit((unsigned char)text[3]))
        return false;
    unsigned long major = strtoul(text + 3, &end, 10), minor = 0;
    if (end[0] == '-' && isdigit((unsigned char)end[1]) && end[2] == '-') {
        minor = (unsigned long)(end[1] - '0');
        end += 2;
    }
    if (strncmp(end, "-generic", 8) != 0 || (end[8] != '\0' && end[8] != ':'))
        return false;
    *target = (struct target){.major = (unsigned)major, .minor = (unsigned)minor, .generic = true};
    target->arch = family_of(target);
    return major >= 6 && major < NO_MAJOR;
}

static bool read_amd(const char *text, struct target *target)
{
    return read_gfx(text, target) || read_generic_gfx(text, target);
}

static bool read_target(const char *text, struct target *target)
{
    return (read_sm(text, target) && target->capability < NO_CAPABILITY) || read_amd(text, target);
}

bool gp_is_target(const char *name)
{
    struct target target;
    return read_target(name, &target);
}

enum gp_cpu_kind gp_cpu_kind(const struct gp_device *d)
{
    struct target target;
    if (gp_arch_is_nvidia(d->arch) && read_sm(d->cpu, &target))
        return target.capability == d->compute_capability ? GP_CPU_OWN : GP_CPU_RELATIVE;
    if (gp_arch_is_amd(d->arch) && read_amd(d->cpu, &target))
        return target.arch == d->arch ? GP_CPU_OWN : GP_CPU_RELATIVE;
    return gp_arch_is_nvidia(d->arch) || gp_arch_is_amd(d->arch) ? GP_CPU_OTHER : GP_CPU_OWN;
}

void gp_device_take_target(struct gp_device *device, const char *name)
{
    struct target target;
    bool known = read_target(name, &target);
    bool nvidia = gp_arch_is_nvidia(device->arch);
    device->same_target =
        !known || strcmp(device->cpu, name) == 0 || (nvidia && target.capability == device->compute_capability);
    if (!known || device->proxy_target)
        return;
    device->cpu = name;
    if (nvidia)
        device->compute_capability = target.capability;
}

/* ---- How near ---- */

/* Compute capabilities whose nearest number is not the nearest relation: the one whose SM is most alike. */
static const struct {
    unsigned from, to, relative;
} relatives[] = {
    {12, 12, 13},    /* GT21x: GT200's rules, not G80's */
    {88, 88, 86},    /* Ampere, GA10x's SM; 8.9 is Ada */
    {62, 62, 61},    /* Tegra's Pascal: the GeForce's SM, not GP100's */
    {101, 119, 100}, /* data-centre Blackwell: B200 */
    {121, 129, 120}, /* GeForce Blackwell's SM */
};

static unsigned capability_to_look_for(unsigned capability)
{
    for (size_t i = 0; i < sizeof relatives / sizeof relatives[0]; i++)
        if (capability >= relatives[i].from && capability <= relatives[i].to)
            return relatives[i].relative;
    return capability;
}

static unsigned difference(unsigned a, unsigned b) { return a > b ? a - b : b - a; }

enum { FAR = 1000000 };

static unsigned distance_nvidia(const struct target *target, const struct gp_device *d)
{
    if (!gp_arch_is_nvidia(d->arch) || d->compute_capability == 0)
        return FAR;
    unsigned wanted = capability_to_look_for(target->capability);
    unsigned generations = difference(wanted / 10, d->compute_capability / 10);
    return 100 * generations + difference(wanted, d->compute_capability) + (wanted == target->capability ? 0 : 1000);
}

static unsigned distance_amd(const struct target *target, const struct gp_device *d)
{
    struct target other;
    if (d->arch < GP_ARCH_GCN || d->arch > GP_ARCH_RDNA || d->proxy_target || !read_amd(d->cpu, &other))
        return FAR;
    return (other.arch == target->arch ? 0 : 10000) + 1000 * difference(target->major, other.major) +
           50 * difference(target->minor, other.minor) + difference(target->step, other.step) +
           (target->generic != other.generic);
}

static unsigned distance(const struct target *target, const struct gp_device *d)
{
    return target->capability > 0 ? distance_nvidia(target, d) : distance_amd(target, d);
}

/* ---- Looking ---- */

struct nearest {
    struct gp_device *device;
    unsigned distance;
    bool usual;
};

/* Of several entries of one target, the one that the target stands for. */
static bool is_usual(const struct gp_device *d)
{
    char sm[16];
    snprintf(sm, sizeof sm, "sm_%u", d->compute_capability);
    bool nvidia = gp_arch_is_nvidia(d->arch);
    const char *usual = gp_device_for_target(nvidia ? "nvptx64" : "amdgcn", nvidia ? sm : d->cpu);
    return usual != NULL && strcmp(d->name, usual) == 0;
}

static void consider(struct nearest *best, struct gp_device *device, const struct target *target)
{
    unsigned far = distance(target, device);
    bool usual = is_usual(device);
    if (far < FAR &&
        (best->device == NULL || far < best->distance || (far == best->distance && usual && !best->usual))) {
        gp_device_free(best->device);
        *best = (struct nearest){device, far, usual};
    } else {
        gp_device_free(device);
    }
}

struct gp_device *gp_device_load_nearest(const char *name, const char *directories, struct gp_error *error)
{
    struct target target;
    char **names;
    size_t count;
    if (!read_target(name, &target)) {
        gp_fail(error, "'%.60s' is no compile target (sm_87, gfx1030)", name);
        return NULL;
    }
    if (!gp_device_list(directories, &names, &count, error))
        return NULL;
    struct nearest best = {0};
    for (size_t i = 0; i < count; i++) {
        struct gp_device *device = gp_device_load(names[i], directories, NULL); /* a broken file is no neighbour */
        if (device != NULL)
            consider(&best, device, &target);
        free(names[i]);
    }
    free(names);
    if (best.device == NULL)
        gp_fail(error, "no device of the database is near '%.60s'", name);
    else if (!gp_device_rename(best.device, name, best.distance == 0, error))
        best.device = NULL;
    return best.device;
}

/* ---- What OpenCL drivers call their devices ---- */

/* Chips in Mesa's device names ("AMD Radeon RX 6700 XT (radeonsi, navi22, LLVM 15.0.7, DRM 3.49)") and in AMD's older
 * ones. */
static const struct {
    const char *chip, *target;
} chips[] = {
    {"tahiti", "gfx600"},    {"pitcairn", "gfx601"}, {"hawaii", "gfx701"},  {"bonaire", "gfx704"},
    {"tonga", "gfx802"},     {"fiji", "gfx803"},     {"polaris", "gfx803"}, {"ellesmere", "gfx803"},
    {"baffin", "gfx803"},    {"vega10", "gfx900"},   {"vega20", "gfx906"},  {"arcturus", "gfx908"},
    {"aldebaran", "gfx90a"}, {"navi10", "gfx1010"},  {"navi12", "gfx1011"}, {"navi14", "gfx1012"},
    {"navi21", "gfx1030"},   {"navi22", "gfx1031"},  {"navi23", "gfx1032"}, {"navi24", "gfx1034"},
    {"navi31", "gfx1100"},   {"navi32", "gfx1101"},  {"navi33", "gfx1102"}, {"navi44", "gfx1200"},
    {"navi48", "gfx1201"},
};

bool gp_target_in_name(const char *name, char target[16])
{
    struct target parsed;
    if (read_amd(name, &parsed)) { /* ROCm: the target itself, and its features */
        snprintf(target, 16, "%.*s", (int)strcspn(name, ":"), name);
        return true;
    }
    char lower[200];
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = '\0';
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (strstr(lower, chips[i].chip) != NULL) {
            snprintf(target, 16, "%s", chips[i].target);
            return true;
        }
    return false;
}
