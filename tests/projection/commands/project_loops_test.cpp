// cpl-lb machine project as a user calls it: codes of loops, their messages between nodes, and loops without work.
#include "tests/projection/commands/project_command.hpp"

#include <regex>

#include <cstdio>

using namespace cpl_lb;
using namespace cpl_lb::test;

TEST_CASE("machine project: nodes, messages, and a newer processor (section 6.1)") {
    const TemporaryFolder folder;
    const std::string loops = "machine project " + tco639 + " --nodes 1,2,8 --machine ";
    const auto both = json_of(folder, loops + "xeon_e5_2697v3,xeon_gold_6148");
    const auto seconds = [&](int machine, int n) {
        return both[static_cast<std::size_t>(machine)]["projections"][static_cast<std::size_t>(n)]["seconds"]
            .get<double>();
    };
    CHECK(seconds(0, 0) == Approx(8 * seconds(0, 2)));
    CHECK(seconds(1, 0) < seconds(0, 0)); // "the new Skylake microarchitecture performs better"
    // fourier_out_53 on 14 cores at 2.6 GHz, by hand: 5.31661e11 / ((0.036 x 208.916 + 56.768) 1e9) = 8.2697 s.
    CHECK(both[0]["projections"][0]["loops"][12]["seconds"].get<double>() == Approx(8.2697).epsilon(1e-4));
    // Half of 1e4 columns of 1000 B goes to the other node: 5e6 B at 1 ns, 100 times.
    const auto with = json_of(folder, loops + "xeon_e5_2697v3 --seconds-per-B 1e-9 --pattern gather --grid 100x100 "
                                              "--point-B 1000 --exchanges 100");
    CHECK(with[0]["projections"][0]["communication_s"] == 0);
    CHECK(with[0]["projections"][1]["seconds"].get<double>() == Approx(seconds(0, 1) + 0.5));
    CHECK(holds(command(folder, loops + "xeon_e5_2697v3").output, "a bound, not a forecast"));
    CHECK(error_of(folder, loops + "xeon_e5_2697v3 --threads 15") ==
          "cpl-lb: loop ledir_dgemm_327: Intel Xeon E5-2697 v3 (Haswell, one socket) has no flop rate at 15 threads: "
          "ask for at most 14\n");
    CHECK(holds(error_of(folder, loops + "k20m"), "has no flop rate: it is a GPU; use cpl-lb machine gpu"));
    // One socket of the E5 and two of the Skylake (tables 21, 37): half of the ratio for each.
    char times[8];
    (void)std::snprintf(times, sizeof times, "%.2f", seconds(0, 0) / seconds(1, 0) / 2);
    CHECK(holds(command(folder, loops + "xeon_e5_2697v3,xeon_gold_6148").output,
                "; its figures are of 2 sockets against 1: " + std::string(times) + " times for each.\n"));
    CHECK(both[0]["sockets"] == 1);
    CHECK(both[1]["sockets"] == 2);
}

TEST_CASE("machine project: parameters, patterns and the machine's network") {
    const TemporaryFolder folder;
    const std::string machine = write(folder, "m.toml",
                                      "name = 'M'\nsource = 'by hand'\ncores = 2\n"
                                      "[[flop_rate]]\nthreads = [2]\nGFLOP_per_s = [10]\n"
                                      "[[bandwidth]]\nlevel = 'DRAM'\nthreads = [2]\nGB_per_s = [5]\n"
                                      "[[network]]\nbetween = 'nodes'\nlatency_us = 2\nGB_per_s = 1\n");
    const std::string table = write(folder, "l.csv", "loop,bytes,V,X,Y,Z\na,8*NX*NY*LEV,0,0,0,1\n");
    const std::string loops = "machine project " + table + " --machine " + machine;
    // 8 x 200 x 180 x 100 B = 2.88e7 B at 5 GB/s: 5.76e-3 s; half of it on each of two nodes, and there 50 exchanges
    // of (2 - 1) / 4 of 200 x 180 x 800 B, out and in, at 1 GB/s, and of one message of 2e-6 s each:
    // 50 x (2 x 7.2e6 x 1e-9 + 2e-6) = 0.7201 s.
    const std::string set = " --set NX=200 --set NY=180 --set LEV=100";
    const std::string pattern = " --pattern all-to-all --grid 200x180 --point-B 800 --exchanges 50";
    const auto two = json_of(folder, loops + set + pattern + " --nodes 1,2")[0]["projections"];
    CHECK(two[0]["seconds"].get<double>() == Approx(5.76e-3));
    CHECK(two[1]["communication_s"].get<double>() == Approx(0.7201));
    CHECK(two[1]["seconds"].get<double>() == Approx(2.88e-3 + 0.7201));
    // A byte's time that is given, and then no time of a message.
    const auto given = json_of(folder, loops + set + pattern + " --nodes 2 --seconds-per-B 2e-9");
    CHECK(given[0]["projections"][0]["communication_s"].get<double>() == Approx(50 * 2 * 7.2e6 * 2e-9));
    // A halo of 1: two blocks of 100 x 180 share 180 columns.
    const auto halo =
        json_of(folder, loops + set + " --nodes 2 --pattern halo --grid 200x180 --point-B 800 --exchanges 50");
    CHECK(halo[0]["projections"][0]["communication_s"].get<double>() == Approx(50 * (2 * 180 * 800 * 1e-9 + 2e-6)));

    CHECK(holds(error_of(folder, loops), "l.csv:2: column bytes: parameter 'NX' has no value"));
    CHECK(holds(error_of(folder, loops + " --set NX", 2), "NX: write NAME=NUMBER"));
    CHECK(holds(error_of(folder, loops + set + " --pattern halo --exchanges 2", 2), "--pattern requires --grid"));
    CHECK(holds(error_of(folder, loops + set + pattern + "x", 2), "50x"));
    CHECK(holds(error_of(folder, "machine project " + table + " --machine xeon_e5_2697v3" + set + pattern),
                "has no [[network]] between nodes: give --seconds-per-B"));
}

TEST_CASE("machine project: coefficients of BiFFT (tables 40 and 41)") {
    const TemporaryFolder folder;
    // 1e9 B of each loop, and 1e9 flop of those that have a U.
    std::string work = test::contents(kernels + "/bifft.csv");
    work = std::regex_replace(work, std::regex(",,,,"), ",,1e9,,");
    work = std::regex_replace(work, std::regex("(_[0-9]+),,,0"), "$1,1e9,1e9,0");
    const auto both = json_of(folder, "machine project " + write(folder, "bifft.csv", work) +
                                          " --threads 1 --machine xeon_e5_2697v3,xeon_gold_6148");
    const auto loop = [&](std::size_t machine, std::size_t l) { return both[machine]["projections"][0]["loops"][l]; };
    REQUIRE(loop(0, 12)["loop"] == "qpassf_537");
    // One core at 2.6 GHz: 0.116761945 x 20.8 + 1.334821538 = 3.763470 GFLOP/s; 0.068952513 x 125.99 + 0.428275464 x
    // 33.445 = 8.687327 + 14.323673 = 23.011000 GB/s.
    CHECK(1e9 / loop(0, 12)["compute_s"].get<double>() == Approx(3.763470e9));
    CHECK(1e9 / loop(0, 12)["move_s"].get<double>() == Approx(23.011000e9));
    // The time for a byte on the Skylake to that on the E5, mean over the loops: what data/workflows/alaro.toml has.
    double sum = 0;
    for (std::size_t l = 0; l < 20; ++l)
        sum += loop(1, l)["move_s"].get<double>() / loop(0, l)["move_s"].get<double>();
    CHECK(1.43506 * sum / 20 == Approx(1.07576).epsilon(1e-5));
    CHECK(holds(error_of(folder, "machine project --machine xeon_e5_2697v3 " +
                                     write(folder, "l.csv", "loop,bytes,V,X,Y,Z\na,1,1,0,0,0\nb,,1,0,0,0\n")),
                "l.csv:3: column bytes: b has neither operations nor bytes"));
}

TEST_CASE("machine project: energy where the machine's file has powers") {
    const TemporaryFolder folder;
    const std::string machine = write(folder, "m.toml",
                                      "name = 'M'\nsource = 'by hand'\ncores = 2\n"
                                      "[[flop_rate]]\nthreads = [2]\nGFLOP_per_s = [10]\n"
                                      "[[bandwidth]]\nlevel = 'DRAM'\nthreads = [2]\nGB_per_s = [5]\n"
                                      "[[power]]\nthreads = [0, 2]\npackage_W = [30, 100]\ndram_W = [5, 20]\n");
    const std::string loops =
        write(folder, "l.csv", "loop,flops,bytes,U,V,X,Y,Z\na,4e10,5e9,1,0,0,0,1\nb,,2e10,,0,0,0,1\n");
    // a computes 4 s and moves 1 s: 100 x 4 + 20 x 1 + 5 x 3 = 435 J; b moves 4 s: 20 x 4 + 30 x 4 = 200 J.
    const std::string arguments = "machine project " + loops + " --machine " + machine + " --nodes 1,2";
    const auto root = json_of(folder, arguments + " --seconds-per-B 1e-9 --pattern gather --grid 1000x1000 "
                                                  "--point-B 4000 --exchanges 1"); // 2e9 B at 1 ns
    CHECK(root[0]["projections"][0]["joules"].get<double>() == Approx(635));
    // Two nodes share the loops' work; each idles 2 s at 35 W while messages travel.
    CHECK(root[0]["projections"][1]["joules"].get<double>() == Approx(635 + 2 * 2 * 35));
    // The same at one of two clocks.
    const std::string clocks = write(folder, "c.toml",
                                     "name = 'C'\nsource = 'by hand'\ncores = 2\n"
                                     "[[flop_rate]]\nthreads = [2]\nclock_GHz = [1, 2]\nGFLOP_per_s = [[10, 99]]\n"
                                     "[[bandwidth]]\nlevel = 'DRAM'\nthreads = [2]\nclock_GHz = [1, 2]\n"
                                     "GB_per_s = [[5, 99]]\n"
                                     "[[power]]\nthreads = [0, 2]\nclock_GHz = [1, 2]\n"
                                     "package_W = [[30, 99], [100, 99]]\ndram_W = [[5, 99], [20, 99]]\n");
    const auto at_1_GHz = json_of(folder, "machine project " + loops + " --clock 1 --machine " + clocks);
    CHECK(at_1_GHz[0]["projections"][0]["joules"].get<double>() == Approx(635));
    CHECK(holds(command(folder, "machine project --machine xeon_gold_6148 " + tco639).output,
                "Energy: n/a, the machine's file has no power"));
}
