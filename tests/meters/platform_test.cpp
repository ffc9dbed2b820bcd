// The platform's description from recorded texts of /proc/cpuinfo.
#include "meters/platform.hpp"
#include "tests/meters/recorded_tree.hpp"

#include <catch2/catch.hpp>
#include <cstring>

using namespace cpl_lb;
using cpl_lb_test::RecordedTree;

namespace {

const char *no_variable(const char * /*name*/) {
    return nullptr;
}
const char *slurm(const char *name) {
    return std::strcmp(name, "SLURM_CLUSTER_NAME") == 0 ? "levante" : nullptr;
}

// Any tree will do: cpuinfo is put into it.
Platform platform_of(const std::string &cpuinfo, const RecordedTree &tree,
                     const char *(*get)(const char *) = no_variable) {
    tree.write("cpuinfo", cpuinfo);
    ReaderOptions options;
    options.sysfs_root = options.procfs_root = tree.root();
    return read_platform(options, get);
}

} // namespace

TEST_CASE("a processor whose name says its clock") {
    const RecordedTree tree("amd");
    const Platform p = platform_of("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
                                   "model name\t: Intel(R) Xeon(R) CPU E5-2698 v3 @ 2.30GHz\ncpu MHz\t\t: 1200.1\n"
                                   "flags\t\t: fpu sse sse2 fma avx avx2\n\nprocessor\t: 1\nmodel name\t: other\n",
                                   tree, slurm);
    CHECK(p.machine == "levante");
    CHECK(p.chip == "Intel(R) Xeon(R) CPU E5-2698 v3 @ 2.30GHz");
    CHECK(p.clock_GHz == Approx(2.3)); // table 4: Haswell, 2.3 GHz, 16
    CHECK(p.flop_per_cycle == 16);
    CHECK(p.cores == 0); // no node knows
    CHECK(platform_text({"gaea", "Haswell", 48128, 2.3, 16}) ==
          "gaea, Haswell, 48128 cores, 2.3 GHz, 16 operations per cycle");
}

TEST_CASE("clock from sysfs, else that of the moment; AVX-512 in halves") {
    const RecordedTree tree("amd");
    const std::string zen4 = "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel name\t: AMD EPYC 9654\n"
                             "cpu MHz\t\t: 2596.09\nflags\t\t: sse2 avx avx2 fma avx512f\n";
    CHECK(platform_of(zen4, tree).flop_per_cycle == 16);
    CHECK(platform_of(zen4, tree).clock_GHz == Approx(2.596));
    tree.write("devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3707000");
    CHECK(platform_of(zen4, tree).clock_GHz == Approx(3.707));
}

TEST_CASE("operations per cycle by flags") {
    CHECK(flop_per_cycle_of("sse2 avx512f avx avx2 fma") == 32);
    CHECK(flop_per_cycle_of("sse2 avx") == 8); // Sandy Bridge
    CHECK(flop_per_cycle_of("avx2 avx") == 8); // without FMA
    CHECK(flop_per_cycle_of("sse2") == 4);
    CHECK_FALSE(is_known(flop_per_cycle_of("asimd")));
    CHECK_FALSE(is_known(flop_per_cycle_of("xavx avx_vnni"))); // parts of other words
}

TEST_CASE("nothing known is nothing said") {
    const RecordedTree tree("amd");
    const Platform p = platform_of("CPU implementer\t: 0x41\n", tree);
    CHECK(p.chip.empty());
    CHECK_FALSE(is_known(p.clock_GHz));
    CHECK_FALSE(is_known(p.flop_per_cycle));
    CHECK(platform_text({}).empty());
}

// As Linux 6.1 prints them there (arch/arm64/kernel/cpuinfo.c, arch/powerpc/kernel/setup-common.c): no "model name".
TEST_CASE("a server of ARM: its chip is not told, its clock is") {
    const RecordedTree tree("grace");
    tree.write("devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3402000");
    const Platform p =
        platform_of("processor\t: 0\nBogoMIPS\t: 2000.00\n"
                    "Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid "
                    "asimdrdm jscvt fcma lrcpc dcpop sha3 asimddp sha512 sve asimdfhm sve2 flagm2 bf16\n"
                    "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
                    "CPU part\t: 0xd4f\nCPU revision\t: 0\n\n",
                    tree, slurm);
    CHECK(p.chip.empty());
    CHECK(p.clock_GHz == Approx(3.402));
    CHECK_FALSE(is_known(p.flop_per_cycle)); // how many units a core has no flag tells
    CHECK(platform_text(p) == "levante, 3.402 GHz");
}

TEST_CASE("POWER: neither its chip nor its clock stand where others have them") {
    const RecordedTree tree("grace");
    const Platform p = platform_of("processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3800.000000MHz\n"
                                   "revision\t: 2.3 (pvr 004e 1203)\n\ntimebase\t: 512000000\nplatform\t: PowerNV\n",
                                   tree, slurm);
    CHECK(p.chip.empty());
    CHECK_FALSE(is_known(p.clock_GHz));
    CHECK(platform_text(p) == "levante");
}
