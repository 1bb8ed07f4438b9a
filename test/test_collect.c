/* What the collector finds a work-group to touch, and who waits for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "model/work.h"
#include "test/golden.h"

static struct gp_error error;

struct collected { struct gp_profile *profile; struct gp_device *device; struct gp_collector *collector; struct gp_launch launch; struct gp_work work; };

/* Matrix multiplication of 1024 x 1024 work-items, the inner dimension being n. */
static struct collected *multiply(uint32_t x, uint32_t y, uint32_t n)
{
    static struct collected c;
    c.profile = golden_profile("matrix_multiply");
    c.device = gp_device_load("a100", SOURCE_HWDB, &error);
    if (c.device == NULL)
        fail_msg("%s", error.text);
    const struct gp_kernel *kernel = &c.profile->kernels[0];
    gp_launch_default(kernel, &c.launch);
    c.launch.global[0] = c.launch.global[1] = 1024;
    c.launch.local[0] = x;
    c.launch.local[1] = y;
    c.launch.arguments[3].known = true;
    c.launch.arguments[3].value = n;
    c.collector = gp_collector_new(kernel);
    if (!gp_collect(c.collector, c.device, &c.launch, 64, c.device->l1_size.value, 32, GP_SAMPLE_FULL, &c.work, &error))
        fail_msg("%s", error.text);
    return &c;
}

static void done(struct collected *c)
{
    gp_collector_free(c->collector);
    gp_device_free(c->device);
    gp_profile_free(c->profile);
}

/* A row of A is read word by word, by iterations of which most are not executed: its n words lie in n / 8 sectors, for any n. */
static void rows_are_as_long_as_they_are(void **state)
{
    (void)state;
    for (uint32_t n = 8; n <= 264; n += 8) {
        struct collected *c = multiply(32, 8, n);
        assert_true(fabs(c->work.buffers[0].group_bytes - 8.0 * 4 * n) < 1e-6 * n);
        done(c);
    }
}

/*
 * Eight warps read the same columns of B. Whichever asks first waits for them; that it is always the first one executed must not make it
 * the slowest: the chain is that of eight warps that wait an eighth each, well below that of one warp alone.
 */
static void sharing_spreads_the_waiting(void **state)
{
    (void)state;
    struct collected *c = multiply(32, 1, 512);
    double alone = c->work.chain_memory;
    done(c);
    c = multiply(32, 8, 512);
    assert_true(c->work.chain_memory < 0.8 * alone);
    done(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_as_long_as_they_are),
        cmocka_unit_test(sharing_spreads_the_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
