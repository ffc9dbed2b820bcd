// cpl-lb project and energy as a user calls them: figures of ESCAPE D3.5, and one line for what is wrong.
#include "unit/tool_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace cpl_lb;
using test::command;
using test::Result;
using test::TemporaryFolder;

namespace {

const std::string kernels = CPL_LB_KERNELS, data = CPL_LB_TEST_DATA;

nlohmann::json json_of(const TemporaryFolder &folder, const std::string &arguments) {
    const Result r = command(folder, arguments + " --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return nlohmann::json::parse(r.output);
}

std::string write(const TemporaryFolder &folder, const std::string &name, const std::string &text) {
    std::ofstream(folder / name) << text;
    return folder / name;
}

std::string error_of(const TemporaryFolder &folder, const std::string &arguments, int status = 1) {
    const Result r = command(folder, arguments);
    CHECK(r.status == status);
    CHECK(r.output.empty());
    CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    return r.errors;
}

bool holds(const std::string &text, const std::string &part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("project --gpu: table 12, and W, Q of tables 1 and 18") {
    const TemporaryFolder folder;
    const std::string work = write(folder, "work.csv", "kernel,flops,bytes\n212,3e11,2e10\n341,3.4e11,2.39e10\n");
    const std::string measured =
        write(folder, "m.csv", "domain,kernel,seconds\n200x200x80,212,1.84\n15x15x80,all,0.0854\n");
    const auto root = json_of(folder, "project --gpu geforce_970 --kernels " + kernels +
                                          "/acraneb2.csv --domain "
                                          "200x200x80,15x15x80 --work " +
                                          work + " --measured " + measured);
    REQUIRE(root.size() == 2);
    CHECK(root[0]["kernels"][0]["total_s"].get<double>() == Approx(1.78).epsilon(0.005));
    CHECK(root[0]["kernels"][0]["difference"].get<double>() == Approx(-0.0338).margin(0.004));
    CHECK(root[0]["kernels"][1]["difference"].is_null());
    CHECK(root[0]["flop_per_s"].get<double>() == Approx(54.0e9).epsilon(0.001)); // W/T, table 18
    CHECK(root[1]["flops"].get<double>() == Approx(3.60e9));                     // 6.4e11 x 18000 / 3.2e6
    CHECK(root[1]["bytes"].get<double>() == Approx(2.47e8).epsilon(0.001));      // 4.39e10 likewise
    CHECK(root[1]["all"]["total_s"].get<double>() == Approx(6.67e-2).epsilon(0.001));
    CHECK(root[1]["all"]["difference"].get<double>() == Approx(-0.2189).margin(0.001));
}

TEST_CASE("project --loops: nodes, messages, and a newer processor (section 6.1)") {
    const TemporaryFolder folder;
    const std::string loops = "project --loops " + kernels + "/sh_tco639.csv --nodes 1,2,8 --machine ";
    const auto both = json_of(folder, loops + "xeon_e5_2697v3,xeon_gold_6148 --svg " + folder / "t.svg");
    const auto seconds = [&](int machine, int n) {
        return both[static_cast<std::size_t>(machine)]["projections"][static_cast<std::size_t>(n)]["seconds"]
            .get<double>();
    };
    CHECK(seconds(0, 0) == Approx(8 * seconds(0, 2)));
    CHECK(seconds(1, 0) < seconds(0, 0)); // "the new Skylake microarchitecture performs better"
    // fourier_out_53 on 14 cores at 2.6 GHz, by hand: 5.31661e11 / ((0.036 x 208.916 + 56.768) 1e9) = 8.2697 s.
    CHECK(both[0]["projections"][0]["loops"][12]["seconds"].get<double>() == Approx(8.2697).epsilon(1e-4));
    CHECK(holds(test::contents(folder / "t.svg"), "xeon_gold_6148"));
    const auto with =
        json_of(folder, loops + "xeon_e5_2697v3 --seconds-per-B 1e-9 --in 2e6 --out 3e6 --exchanges 100");
    CHECK(with[0]["projections"][0]["communication_s"] == 0);
    CHECK(with[0]["projections"][1]["seconds"].get<double>() == Approx(seconds(0, 1) + 0.5));
    CHECK(holds(command(folder, loops + "xeon_e5_2697v3").output, "a bound, not a forecast"));
}

TEST_CASE("project --loops: energy where the machine's file has powers") {
    const TemporaryFolder folder;
    const std::string machine = write(folder, "m.toml",
                                      "name = 'M'\nsource = 'by hand'\ncores = 2\n"
                                      "[[flop_rate]]\nthreads = [2]\nGFLOP_per_s = [10]\n"
                                      "[[bandwidth]]\nlevel = 'DRAM'\nthreads = [2]\nGB_per_s = [5]\n"
                                      "[[power]]\nthreads = [0, 2]\npackage_W = [30, 100]\ndram_W = [5, 20]\n");
    const std::string loops =
        write(folder, "l.csv", "loop,flops,bytes,U,V,X,Y,Z\na,4e10,5e9,1,0,0,0,1\nb,,2e10,,0,0,0,1\n");
    // a computes 4 s and moves 1 s: 100 x 4 + 20 x 1 + 5 x 3 = 435 J; b moves 4 s: 20 x 4 + 30 x 4 = 200 J.
    const std::string arguments = "project --machine " + machine + " --nodes 1,2 --loops " + loops;
    const auto root = json_of(folder, arguments + " --seconds-per-B 1e-9 --in 1e9 --out 1e9 --exchanges 1");
    CHECK(root[0]["projections"][0]["joules"].get<double>() == Approx(635));
    // Two nodes share the loops' work; each idles 2 s at 35 W while messages travel.
    CHECK(root[0]["projections"][1]["joules"].get<double>() == Approx(635 + 2 * 2 * 35));
    CHECK(holds(command(folder, "project --machine xeon_gold_6148 --loops " + kernels + "/sh_tco639.csv").output,
                "Energy: n/a, the machine's file has no power"));
}

TEST_CASE("project --fit writes what --loops reads") {
    const TemporaryFolder folder;
    // 25 % of the peak of table 25 and half of table 29's bandwidth, for 1e12 flop and 1e12 byte.
    const std::string runs = write(folder, "runs.csv",
                                   "loop,clock_GHz,threads,seconds,flops\n"
                                   "k,2.6,1,192.3077,1e12\nk,2.6,4,48.07692,1e12\nk,1.2,14,29.76190,1e12\n"
                                   "k,turbo,2,69.44444,1e12\n");
    CHECK(holds(error_of(folder, "project --fit " + runs + " --machine xeon_e5_2697v3"),
                "runs.csv:1: column bytes: missing"));
    write(folder, "runs.csv",
          "loop,clock_GHz,threads,seconds,flops,bytes\n"
          "k,2.6,1,192.3077,1e12,\nk,2.6,4,48.07692,1e12,\nk,1.2,14,29.76190,1e12,\nk,turbo,2,69.44444,1e12,\n"
          "m,2.6,1,148.8538,,1e12\nm,2.6,4,39.21722,,1e12\nm,1.2,14,35.68816,,1e12\nm,turbo,2,65.67498,,1e12\n");
    const auto fit = json_of(folder, "project --fit " + runs + " --machine xeon_e5_2697v3 --csv " + folder / "c.csv");
    CHECK(fit["loops"][0]["U"].get<double>() == Approx(0.25).epsilon(1e-5));
    CHECK(fit["loops"][1]["Z"].get<double>() == Approx(0.5).epsilon(1e-4));
    CHECK(fit["loops"][1]["runs"][2]["left_out_error"].get<double>() == Approx(0).margin(1e-4));
    const auto back =
        json_of(folder, "project --loops " + folder / "c.csv" + " --machine xeon_e5_2697v3 --threads 4");
    CHECK(back[0]["projections"][0]["seconds"].get<double>() == Approx(48.07692 + 39.21722).epsilon(1e-4));
}

TEST_CASE("project --workflow: ALARO on a CPU and a GPU (section 6.2)") {
    const TemporaryFolder folder;
    const auto root =
        json_of(folder, "project --workflow " + kernels + "/../workflows/alaro.toml --svg " + folder / "w.svg");
    REQUIRE(root["answers"].size() == 8);
    const auto &first = root["answers"][0];
    // Table 18's dwarf at 200x180x80: 11.856 x 0.9 = 10.67 s, after 1.43506 s of BiFFT on one node.
    CHECK(first["seconds"].get<double>() == Approx(1.43506 + 10.67).epsilon(0.001));
    // No overlap: E1 + E1const T2 + E2 + E2const T1.
    CHECK(first["joules"].get<double>() ==
          Approx(22.23 * 1.43506 + 6.84 * 10.67 + (6.84 + 91) * 10.67 + 6.84 * 1.43506).epsilon(0.001));
    CHECK(holds(test::contents(folder / "w.svg"), "4+1"));
    // "the best energy-to-solution is delivered with Nvidia Tesla K20", its idle power left aside.
    CHECK(root["answers"][4]["codes"][0]["nodes"] == 4);
    CHECK(root["answers"][1]["joules"].get<double>() < first["joules"].get<double>());
}

TEST_CASE("energy: tables 33 to 36 through the command") {
    const TemporaryFolder folder;
    const auto fitted = json_of(folder, "energy " + data + "/energy/sh_i7.csv");
    CHECK(fitted["package"]["U"].get<double>() == Approx(0.509292874770662)); // Octave's lsqnonneg
    CHECK(fitted["dram"]["X"].get<double>() == Approx(0.446768117146046));
    CHECK(fitted["energy"][0]["total_J"].is_null());
    const std::string table35 = "energy " + data +
                                "/energy/sh_e5_2640.csv --machine xeon_e5_2640v3 "
                                "--package 0.58309038,0.50242954 --dram 0.37420719,0.5";
    const auto root = json_of(folder, table35);
    CHECK(root["energy"][0]["total_J"].get<double>() == Approx(6739.11).epsilon(5.5e-5));
    CHECK(root["energy"][3]["total_J"].get<double>() == Approx(1694.66).epsilon(5.5e-5));
    CHECK(root["energy"][3]["measured_J"].get<double>() == 1576);
    CHECK(json_of(folder, table35 + " --nodes 4")["energy"][0]["total_J"].get<double>() ==
          Approx(4 * 6739.11).epsilon(5.5e-5));
    CHECK(holds(command(folder, table35).output, "Least energy: 8 threads"));
    const auto gpu = json_of(folder, "energy --gpu-limit 225 --gpu-average 65 --host-idle 10 --seconds 2");
    CHECK(gpu["share"].get<double>() == Approx(0.2889).epsilon(1e-4));
    CHECK(gpu["joules"].get<double>() == Approx(150));
    const std::string work =
        write(folder, "w.csv", "flops,bytes,seconds,joules\n1e9,0,1,51\n0,1e9,1,52\n2e9,2e9,1,56\n");
    CHECK(json_of(folder, "energy --work " + work)["J_per_B"].get<double>() == Approx(2e-9));
}

TEST_CASE("project --queue: a job goes ahead into a gap") {
    const TemporaryFolder folder;
    const std::string jobs = write(folder, "j.csv",
                                   "job,submitted_s,nodes,seconds,power_W\n"
                                   "forecast,0,3,10,100\nclimate,1,4,5,100\npost,2,1,8,50\n");
    const std::string arguments = "project --queue " + jobs + " --room 4 --room-idle 10";
    const auto root = json_of(folder, arguments);
    CHECK(root["jobs"][2]["start_s"] == 2);
    CHECK(root["jobs"][2]["backfilled"] == true);
    CHECK(root["use"].get<double>() == Approx((30 + 20 + 8) / 60.0)); // 4 nodes, 15 s
    CHECK(root["joules"].get<double>() == Approx(3000 + 2000 + 400 + 2 * 10));
    CHECK(json_of(folder, arguments + " --no-backfill")["jobs"][2]["start_s"] == 15);
    CHECK(holds(error_of(folder, "project --room 3 --queue " + jobs), "job climate needs 4 nodes"));
    const std::string half = write(folder, "h.csv", "job,submitted_s,nodes,seconds\na,0,1.5,1\n");
    CHECK(holds(error_of(folder, "project --room 3 --queue " + half), "h.csv:2: column nodes: not a whole number"));
}

TEST_CASE("bad input: one line with file, line and name; exit status 1") {
    const TemporaryFolder folder;
    const auto loops = [&](const std::string &text) {
        return error_of(folder, "project --machine xeon_e5_2697v3 --loops " + write(folder, "l.csv", text));
    };
    CHECK(holds(loops("loop,GBytes,V,X,Y,Z\na,1,1,0,0,0\n"), "l.csv:1: column bytes: missing; there is GBytes"));
    CHECK(holds(loops("loop,bytes,V,X,Y,Z\n\na,1,0,0,0,0\n"), "l.csv:3: column V: V, X, Y and Z are zero"));
    CHECK(holds(loops("loop,bytes,flops,U,V,X,Y,Z\na,1,1,,1,0,0,0\n"), "l.csv:2: column U: empty, and a computes"));
    CHECK(holds(loops("loop,bytes,V,X,Y,Z\na,1,-1,0,0,0\n"), "l.csv:2: column V: must not be negative"));
    CHECK(holds(error_of(folder, "project --loops " + kernels + "/sh_tco639.csv --machine no_such"), "no_such"));
    CHECK(
        holds(error_of(folder, "project --clock 9.9 --machine xeon_e5_2697v3 --loops " + kernels + "/sh_tco639.csv"),
              "loop ledir_dgemm_327: "));
    const auto energy = [&](const std::string &text) {
        return error_of(folder, "energy " + write(folder, "e.csv", text));
    };
    CHECK(holds(energy("threads,package_W,measured_package_W\n1,20,10\n"), "no row with 0 threads"));
    CHECK(holds(energy("threads,package_W\n0,5\n1,0\n"), "e.csv:3: column package_W: zero power"));
    CHECK(holds(energy("threads,package_W\n0,5\n1,2000000\n"),
                "e.csv:3: column package_W: more than 1e5; was it given in mW?"));
    CHECK(holds(energy("threads,seconds\n1,2\n"), "nothing to fit to"));
    const auto workflow = [&](const std::string &text) {
        return error_of(folder, "project --workflow " + write(folder, "w.toml", text));
    };
    const std::string code = "[[code]]\nname='a'\nmachine='k20m'\n";
    CHECK(holds(workflow("order='a'\n" + code), "w.toml:2: code: one of loops, kernels, seconds"));
    CHECK(holds(workflow("order='a'\n" + code + "seconds=1\nwatts=3\n"), "w.toml:6: code.watts: no such name"));
    CHECK(holds(workflow("order='a+b'\n" + code + "seconds=1\n"), "w.toml:1: order: "));
    CHECK(holds(workflow("order='a'\n" + code + "seconds='1 s'\n"), "w.toml:5: code.seconds: a number belongs here"));
    CHECK(holds(workflow("order=\n"), "w.toml:1"));
    error_of(folder, "project", 2);
    error_of(folder, "project --gpu k20m", 2);
    error_of(folder, "energy --gpu-average 3", 2);
}
