/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * `measured` and `fitted` mean this chip: every source of such a number is known here with the chips that it had under
 * test, and the entry's must be one of them. A number of a relative's is `assumed` (docs/hwdb.md).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "hwdb/hwdb.h"

/* Data sheets. The CPU's entry is of no chip. */
static const struct {
    const char *name, *chip;
} entries[] = {
    {"8800gt", "G92"},      {"8800gtx", "G80"},      {"940m", "GM108"},
    {"a100", "GA100"},      {"a100-80", "GA100"},    {"a4000", "GA104"},
    {"a6000", "GA102"},     {"fx5600", "G80"},       {"gtx280", "GT200"},
    {"gtx580", "GF110"},    {"gtx645", "GK106"},     {"gtx680", "GK104"},
    {"h100", "GH100"},      {"h200", "GH100"},       {"hd6970", "Cayman"},
    {"k20", "GK110"},       {"k600", "GK107"},       {"k620", "GM107"},
    {"m2070", "GF100"},     {"mi250x", "Aldebaran"}, {"mi50", "Vega20"},
    {"rtx2080ti", "TU102"}, {"rtx2070s", "TU104"},   {"rtx3070", "GA104"},
    {"rtx3080", "GA102"},   {"rtx3090", "GA102"},    {"rtx4090", "AD102"},
    {"p100", "GP100"},      {"gtx1080", "GP104"},    {"b200", "GB100"},
    {"rtx5090", "GB202"},   {"mi100", "Arcturus"},   {"mi300x", "AquaVanjaram"},
    {"mi355x", "Galaxy"},   {"rx5700xt", "Navi10"},  {"rx9070xt", "Navi48"},
    {"t4", "TU104"},        {"v100", "GV100"},       {"w6600", "Navi23"},
    {"w7800", "Navi31"},    {"a770", "ACM-G10"},     {"b580", "BMG-G21"},
    {"max1550", "PVC"},     {"pocl-cpu", NULL},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

/* What a source's text holds, and the chips it is about. H800 and GH200 are GH100, A40 is GA102, L40 is AD102, MI210 is
 * Aldebaran. */
static const struct {
    const char *source, *chips;
} sources[] = {
    {"Hong & Kim", "G80 G92 GT200"}, /* one set of parameters for FX 5600, 8800 GTX and 8800 GT */
    {"Wong et al., ISPASS 2010", "GT200"},
    {"TEG", "GT200"},
    {"Anderson ", "GF100"}, /* Quadro 6000 */
    {"Lashgar et al.", "GF100 GK110"},
    {"Lee et al., sampling and learning", "GF110"},
    {"Andersch et al., ISPASS 2015", "GT200 GF106 GK104 GM107"},
    {"Mei & Chu 2017", "GF114 GK110 GM204"},
    {"Jia et al. 2018", "GV100"},
    {"Jia et al. 2019", "TU104"},
    {"Zhang et al., IPDPS 2020", "GP100 GV100"},
    {"Abdelkhalik et al. 2022", "GA100"},
    {"Luo et al. 2024", "GA100 AD102 GH100"},
    {"PPT-GPU", "GK110 GM200 GV100 TU102"},
    {"mt4g (MI300X)", "AquaVanjaram"},
    {"mt4g", "GP102 GV100 TU102 TU117 GA100 GH100 Arcturus Aldebaran AquaVanjaram"},
    {"v100.txt", "GV100"},
    {"cuda-incore", "GV100"},
    {"CUDA Best Practices Guide", "GV100"},
    {"a100.txt", "GA100"},
    {"a100_40.txt", "GA100"},
    {"a100_80.txt", "GA100"},
    {"NVIDIA developer forum 339083", "GA100"},
    {"a100_pcie.txt", "GA100"},
    {"a40.txt", "GA102"},
    {"l40.txt", "AD102"},
    {"rtx4090.txt", "AD102"},
    {"gh200.txt", "GH100"},
    {"h200.txt", "GH100"},
    {"h200/clocks.csv", "GH100"},
    {"dram__sectors_read", "GH100"}, /* of an H200 */
    {"mi210.txt", "Aldebaran"},
    {"FluidX3D, MI50", "Vega20"},
    {"FluidX3D, W7800", "Navi31"},
    {"on an MI210", "Aldebaran"},
    {"mi300x.txt", "AquaVanjaram"},
    {"gpu-cache: 38.8 TB/s", "AquaVanjaram"},
    {"Chips and Cheese, B200", "GB100"},
    {"FTuner RTX3090.py", "GA102"},
    {"KTT, Coulomb on an RTX 2080 Ti", "TU102"},
    {"R100001/Programming-Massively-Parallel-Processors", "GA102"}, /* RTX 3080 */
    {"QuadroFX5600", "G80"},
    {"SM2_GTX480", "GF100"},
    {"SM3_KEPLER_TITAN", "GK110"},
    {"SM7_QV100", "GV100"},
    {"SM75_RTX2060", "TU106"},
    {"SM86_RTX3070", "GA104"},
    {"yencal.github.io", "GH100"},
    {"bench/gpu/results/h100", "GH100"},
    {"bench/gpu/results/h200", "GH100"},
    {"Kernel Tuner's runs on an A100 PCIe", "GA100"},
    {"BabelStream on a Max 1100", "PVC"},
    {"LLVM SISchedule.td", "Vega20 Aldebaran Navi23 Navi31"}, /* a model for each family */
};

static bool is_own(enum gp_origin origin) { return origin == GP_FROM_MEASURED || origin == GP_FROM_FITTED; }

/* NULL: all is well; else what is wrong. Behind a semicolon stand other values, for comparison. */
static const char *fault_of(const struct gp_number *number, const char *chip)
{
    char first[256] = {0};
    size_t length = strcspn(number->source, ";");
    memcpy(first, number->source, length < sizeof first ? length : sizeof first - 1);
    bool known = false;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        if (strstr(first, sources[i].source) == NULL)
            continue;
        known = true;
        if (strstr(sources[i].chips, chip) == NULL)
            return "is of another chip: `assumed`";
    }
    return known ? NULL : "is of a source whose chips this test does not know";
}

static void test_sources(void **state)
{
    (void)state;
    struct gp_error error;
    for (size_t i = 0; i < ENTRIES; i++) {
        struct gp_device *d = gp_device_load(entries[i].name, SOURCE_HWDB, &error);
        if (d == NULL)
            fail_msg("%s", error.text);
#define X(field, unit, meaning) \
    if (entries[i].chip != NULL && is_own(d->field.origin) && fault_of(&d->field, entries[i].chip) != NULL) \
        fail_msg("%s: %s, '%s', %s", d->name, #field, d->field.source, fault_of(&d->field, entries[i].chip));
        GP_DEVICE_NUMBERS(X)
#undef X
        gp_device_free(d);
    }
}

/* No entry is left out. */
static void test_entries(void **state)
{
    (void)state;
    struct gp_error error;
    char **names;
    size_t count;
    assert_true(gp_device_list(SOURCE_HWDB "::", &names, &count, &error));
    assert_int_equal(count, ENTRIES);
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < ENTRIES; k++)
            found |= strcmp(names[i], entries[k].name) == 0;
        if (!found)
            fail_msg("%s is missing here", names[i]);
        free(names[i]);
    }
    free(names);
}

static void test_faults(void **state)
{
    (void)state;
    const struct gp_number wong = {38, GP_FROM_MEASURED, "Wong et al., ISPASS 2010"},
                           nobody = {38, GP_FROM_MEASURED, "a page"};
    const struct gp_number beside = {27, GP_FROM_MEASURED, "Anderson (Quadro 6000); 38 in Wong et al., ISPASS 2010"};
    assert_null(fault_of(&wong, "GT200"));
    assert_null(fault_of(&beside, "GF100"));
    assert_non_null(fault_of(&wong, "G80"));
    assert_non_null(fault_of(&nobody, "G80"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
