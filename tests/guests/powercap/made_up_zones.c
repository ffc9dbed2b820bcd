/* A kernel module: RAPL zones that count at a known rate, in the kernel's own powercap class. The control type and
 * the zones are called as on a real machine: intel-rapl:0 is package-0, which draws 50 W and starts again after 20 J
 * (0.4 s); intel-rapl:0:0 is dram, 10 W, 1000 J (100 s). tests/guests/guest_test.py knows these figures. */
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/powercap.h>

struct made_up_zone {
    struct powercap_zone zone;
    u64 microwatts, range_uJ;
};

static struct powercap_control_type *control_type;
static struct made_up_zone package = {.microwatts = 50000000, .range_uJ = 20000000};
static struct made_up_zone dram = {.microwatts = 10000000, .range_uJ = 1000000000};

static struct made_up_zone *made_up(struct powercap_zone *zone) {
    return container_of(zone, struct made_up_zone, zone);
}

/* watts x ns / 1000 is uJ; 50 W x ns leaves 64 bits after 11 years. */
static int energy_uj(struct powercap_zone *zone, u64 *energy) {
    const struct made_up_zone *mine = made_up(zone);
    const u64 uJ = div_u64(ktime_get_ns() * div_u64(mine->microwatts, 1000000), 1000);
    *energy = uJ - mine->range_uJ * div64_u64(uJ, mine->range_uJ);
    return 0;
}

static int energy_range_uj(struct powercap_zone *zone, u64 *range) {
    *range = made_up(zone)->range_uJ;
    return 0;
}

static int release(struct powercap_zone *zone) {
    return 0;
}

static const struct powercap_zone_ops operations = {
    .get_energy_uj = energy_uj, .get_max_energy_range_uj = energy_range_uj, .release = release};

/* The class takes no zone without operations on limits; these zones have no limit. */
static int no_limit(struct powercap_zone *zone, int constraint, u64 *value) {
    return -ENODATA;
}
static int set_no_limit(struct powercap_zone *zone, int constraint, u64 value) {
    return -ENODATA;
}
static const struct powercap_zone_constraint_ops limits = {.get_power_limit_uw = no_limit,
                                                           .set_power_limit_uw = set_no_limit,
                                                           .get_time_window_us = no_limit,
                                                           .set_time_window_us = set_no_limit};

static int __init made_up_zones_init(void) {
    struct powercap_zone *zone;
    control_type = powercap_register_control_type(NULL, "intel-rapl", NULL);
    if (IS_ERR(control_type)) return PTR_ERR(control_type);
    zone = powercap_register_zone(&package.zone, control_type, "package-0", NULL, &operations, 0, &limits);
    if (IS_ERR(zone)) goto no_package;
    zone = powercap_register_zone(&dram.zone, control_type, "dram", &package.zone, &operations, 0, &limits);
    if (IS_ERR(zone)) goto no_dram;
    return 0;
no_dram:
    powercap_unregister_zone(control_type, &package.zone);
no_package:
    powercap_unregister_control_type(control_type);
    return PTR_ERR(zone);
}

static void __exit made_up_zones_exit(void) {
    powercap_unregister_zone(control_type, &dram.zone);
    powercap_unregister_zone(control_type, &package.zone);
    powercap_unregister_control_type(control_type);
}

module_init(made_up_zones_init);
module_exit(made_up_zones_exit);
MODULE_DESCRIPTION("RAPL zones of known power");
MODULE_LICENSE("GPL");
