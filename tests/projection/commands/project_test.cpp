// The words of cpl-lb machine that project, as a user calls them: figures of ESCAPE D3.5, and one line for what is
// wrong.
#include "io/files/csv_table.hpp"
#include "tests/projection/commands/project_command.hpp"

#include <regex>

using namespace cpl_lb;
using namespace cpl_lb::test;

namespace {

const std::string data = CPL_LB_TEST_DATA;

} // namespace

TEST_CASE("machine gpu: table 12") {
    const TemporaryFolder folder;
    const std::string measured =
        write(folder, "m.csv", "domain,kernel,seconds\n200x200x80,212,1.84\n15x15x80,all,0.0854\n");
    const auto root = json_of(folder, "machine gpu geforce_970 --kernels " + kernels +
                                          "/acraneb2.csv --domain "
                                          "200x200x80,15x15x80 --measured " +
                                          measured);
    REQUIRE(root.size() == 2);
    CHECK(root[0]["kernels"][0]["total_s"].get<double>() == Approx(1.78).epsilon(0.005));
    CHECK(root[0]["kernels"][0]["difference"].get<double>() == Approx(-0.0338).margin(0.004));
    CHECK(root[0]["kernels"][1]["difference"].is_null());
    CHECK(root[1]["all"]["total_s"].get<double>() == Approx(6.67e-2).epsilon(0.001));
    CHECK(root[1]["all"]["difference"].get<double>() == Approx(-0.2189).margin(0.001));
}

TEST_CASE("machine gpu: profiles in place of a table, and measured times of each card") {
    const TemporaryFolder folder;
    const std::string file = data + "/gpu_profiles/ncu_raw.csv",
                      cards = "machine gpu geforce_970,k20m --domain 200x200x80 ";
    const std::string profile = cards + "--profile " + file + " --profile-domain 200x200x80";
    const std::string measured = write(folder, "m.csv",
                                       "card,domain,kernel,seconds\n"
                                       "geforce_970,200x200x80,649,3.14\nk20m,200x200x80,649,4.33\n"
                                       ",200x200x80,589,0.5\ngeforce_970,200x200x80,all,11.8\n");
    const auto root = json_of(folder, profile + " --csv " + folder / "k.csv");
    CHECK(root[0]["kernels"][0]["total_s"].get<double>() == Approx(0.244).epsilon(0.002)); // table 12
    CHECK(holds(command(folder, profile).output, "48.62     6.82       2.04    61.53  1.48e+03"));
    const auto table = json_of(folder, cards + "--kernels " + folder / "k.csv");
    CHECK(table[1]["all"]["total_s"].get<double>() == Approx(root[1]["all"]["total_s"].get<double>()).epsilon(1e-5));
    const std::string all = cards + "--kernels " + kernels + "/acraneb2.csv --measured " + measured;
    const auto compared = json_of(folder, all);
    CHECK(compared[0]["kernels"][4]["measured_s"] == 3.14);
    CHECK(compared[1]["kernels"][4]["measured_s"] == 4.33);
    CHECK(compared[1]["kernels"][3]["measured_s"] == 0.5);
    CHECK(compared[1]["all"]["measured_s"].is_null());
    CHECK(holds(error_of(folder, cards, 2), "--kernels"));
    CHECK(holds(error_of(folder, cards + "--csv x --kernels " + kernels + "/acraneb2.csv", 2),
                "--csv requires --profile"));
    (void)error_of(folder, cards + "--profile " + file, 2); // of which domain?
}

TEST_CASE("machine fit writes what machine project reads") {
    const TemporaryFolder folder;
    // 25 % of the peak of table 25 and half of table 29's bandwidth, for 1e12 flop and 1e12 byte.
    const std::string runs = write(folder, "runs.csv",
                                   "loop,clock_GHz,threads,seconds,flops\n"
                                   "k,2.6,1,192.3077,1e12\nk,2.6,4,48.07692,1e12\nk,1.2,14,29.76190,1e12\n"
                                   "k,turbo,2,69.44444,1e12\n");
    CHECK(holds(error_of(folder, "machine fit " + runs + " --machine xeon_e5_2697v3"),
                "runs.csv:1: column bytes: missing"));
    write(folder, "runs.csv",
          "loop,clock_GHz,threads,seconds,flops,bytes\n"
          "k,2.6,1,192.3077,1e12,\nk,2.6,4,48.07692,1e12,\nk,1.2,14,29.76190,1e12,\nk,turbo,2,69.44444,1e12,\n"
          "m,2.6,1,148.8538,,1e12\nm,2.6,4,39.21722,,1e12\nm,1.2,14,35.68816,,1e12\nm,turbo,2,65.67498,,1e12\n");
    // Four runs for four levels: nothing is left to check the fit of m.
    CHECK(holds(command(folder, "machine fit " + runs + " --machine xeon_e5_2697v3").output,
                "Not checked: m, with as many runs"));
    std::ofstream(runs, std::ios::app) << "m,2.6,14,35.23112,,1e12\n"; // 1e12 / (56.768e9 / 2)
    const auto fit = json_of(folder, "machine fit " + runs + " --machine xeon_e5_2697v3 --csv " + folder / "c.csv");
    CHECK(fit["loops"][0]["U"].get<double>() == Approx(0.25).epsilon(1e-5));
    CHECK(fit["loops"][1]["Z"].get<double>() == Approx(0.5).epsilon(1e-4));
    CHECK(fit["loops"][1]["runs"][2]["left_out_error"].get<double>() == Approx(0).margin(1e-4));
    const auto back =
        json_of(folder, "machine project " + folder / "c.csv" + " --machine xeon_e5_2697v3 --threads 4");
    CHECK(back[0]["projections"][0]["seconds"].get<double>() == Approx(48.07692 + 39.21722).epsilon(1e-4));
}

TEST_CASE("machine workflow: ALARO on a CPU and a GPU (section 6.2)") {
    const TemporaryFolder folder;
    const auto root = json_of(folder, "machine workflow " + kernels + "/../workflows/alaro.toml");
    REQUIRE(root["answers"].size() == 16); // two processors, four numbers of nodes, two cards
    const auto &first = root["answers"][0];
    // Table 18's dwarf at 200x180x80: 11.856 x 0.9 = 10.67 s, after 1.43506 s of BiFFT on one node.
    CHECK(first["seconds"].get<double>() == Approx(1.43506 + 10.67).epsilon(0.001));
    // No overlap: E1 + E1const T2 + E2 + E2const T1.
    CHECK(first["joules"].get<double>() ==
          Approx(22.23 * 1.43506 + 6.84 * 10.67 + (6.84 + 91) * 10.67 + 6.84 * 1.43506).epsilon(0.001));
    // "the best energy-to-solution is delivered with Nvidia Tesla K20", its idle power left aside.
    CHECK(root["answers"][4]["codes"][0]["nodes"] == 4);
    CHECK(root["answers"][1]["joules"].get<double>() < first["joules"].get<double>());
    // "DCworms selected the Intel Skylake 6148": each of the best has it (section 6.2).
    for (const auto &answer : root["answers"])
        if (answer["best"].get<bool>()) CHECK(answer["codes"][0]["machine"] == "xeon_gold_6148");
}

TEST_CASE("machine workflow: what each entry of a code says") {
    const TemporaryFolder folder;
    // Beside the workflow's file. 1 thread at 1 GHz: 10 GFLOP/s, package 30 W, DRAM 4 W; idle at 1 GHz 10 W and 2 W.
    (void)write(folder, "m.toml",
                "name = 'M'\nsource = 'by hand'\ncores = 2\nclock_GHz = 2\n"
                "[[flop_rate]]\nthreads = [1, 2]\nclock_GHz = [1, 2]\nGFLOP_per_s = [[10, 20], [20, 40]]\n"
                "[[bandwidth]]\nlevel = 'DRAM'\nthreads = [1, 2]\nclock_GHz = [1, 2]\nGB_per_s = [[5, 5], [5, 5]]\n"
                "[[power]]\nthreads = [0, 1, 2]\nclock_GHz = [1, 2]\n"
                "package_W = [[10, 11], [30, 60], [50, 90]]\ndram_W = [[2, 3], [4, 5], [6, 7]]\n");
    (void)write(folder, "l.csv", "loop,flops,bytes,U,V,X,Y,Z\na,4e10,,1,0,0,0,1\n");
    const std::string codes =
        "[[code]]\nname='a'\nmachine='./m.toml'\nloops='l.csv'\nthreads=1\nclock_GHz=1\nnodes=[1,2]\nallocation='x'\n"
        "package_U=0.5\npackage_S=1\ndram_X=0.5\ndram_Y=1\n"
        "seconds_per_B=1e-9\nin_B=5e8\nout_B=5e8\nexchanges=1\n"
        "[[code]]\nname='b'\nmachine='./m.toml'\nseconds=2\nnodes=[1,2]\nallocation='x'\npower_W=100\nidle_W=12\n"
        "seconds_per_B=1e-9\nin_B=1e9\nout_B=0\nexchanges=3\n";
    const auto root =
        json_of(folder, "machine workflow " + write(folder, "w.toml", "order='a + b'\nruns=10\n" + codes));
    CHECK(root["runs"] == 10);
    const auto &one = root["answers"][0], &two = root["answers"][1];
    // One node: 4e10 flop at 10 GFLOP/s; 0.5 x 30 + 10 + 0.5 x 4 + 2 = 29 W for 4 s, 100 W for 2 s. The codes share
    // their nodes, so nothing idles.
    CHECK(one["codes"][0]["seconds"].get<double>() == Approx(4));
    CHECK(one["codes"][0]["joules"].get<double>() == Approx(29 * 4));
    CHECK(one["seconds"].get<double>() == Approx(10 * (4 + 2)));
    CHECK(one["idle_J"].get<double>() == 0);
    CHECK(one["joules"].get<double>() == Approx(10 * (29 * 4 + 100 * 2)));
    // Two nodes: 2 s, and 1e9 B at 1 ns.
    CHECK(two["codes"][0]["seconds"].get<double>() == Approx(3));
    CHECK(two["codes"][0]["joules"].get<double>() == Approx(29 * 3 * 2));
    CHECK(two["codes"][1]["joules"].get<double>() == Approx(100 * (1 + 3) * 2)); // 3e9 B

    // Apart, two nodes of a idle at 12 W each for the 2 s of b, and b's one for the 3 s of a.
    const auto apart =
        json_of(folder, "machine workflow " +
                            write(folder, "v.toml",
                                  "order='a + b'\n" + std::regex_replace(codes, std::regex("allocation='x'\n"), "")));
    CHECK(apart["runs"] == 1);
    CHECK(apart["answers"][2]["idle_J"].get<double>() == Approx(2 * 12 * 2 + 12 * 3));

    // Half of the K20m's limit of 225 W (table 36) and the host; with two cards half of the cells on each.
    const auto gpu = json_of(folder, "machine workflow " +
                                         write(folder, "g.toml",
                                               "order='g'\n[[code]]\nname='g'\nmachine='k20m'\nkernels='" + kernels +
                                                   "/acraneb2.csv'\ndomain='200x180x80'\nnodes=[1,2]\n"
                                                   "gpu_power_share=0.5\nhost_idle_W=10\n"));
    const auto &cards = gpu["answers"];
    CHECK(cards[0]["joules"].get<double>() == Approx(cards[0]["seconds"].get<double>() * (112.5 + 10)));
    const auto half = json_of(folder, "machine gpu k20m --kernels " + kernels + "/acraneb2.csv --domain 100x180x80");
    CHECK(cards[1]["seconds"].get<double>() == Approx(half[0]["all"]["total_s"].get<double>()));
}

TEST_CASE("machine power and joules: tables 33 to 36 through the command") {
    const TemporaryFolder folder;
    const auto fitted = json_of(folder, "machine power " + data + "/energy/sh_i7.csv");
    CHECK(fitted["package"]["U"].get<double>() == Approx(0.509292874770662)); // Octave's lsqnonneg
    CHECK(fitted["dram"]["X"].get<double>() == Approx(0.446768117146046));
    CHECK(fitted["energy"][0]["total_J"].is_null());
    const std::string table35 = "machine power " + data +
                                "/energy/sh_e5_2640.csv --machine xeon_e5_2640v3 "
                                "--package 0.58309038,0.50242954 --dram 0.37420719,0.5";
    const auto root = json_of(folder, table35);
    const CsvTable printed = CsvTable::from_file(data + "/escape/table35.csv");
    for (std::size_t row = 0; row < 4; ++row) {
        for (const auto &[name, column] :
             {std::pair{"package_J", "Epkg_model"}, {"dram_J", "Edram_model"}, {"total_J", "Etot_model"}})
            CHECK(root["energy"][row][name].get<double>() == Approx(printed.number(row, column)).epsilon(5.5e-5));
    }
    CHECK(root["energy"][3]["measured_J"].get<double>() == 1576);
    CHECK(json_of(folder, table35 + " --nodes 4")["energy"][0]["total_J"].get<double>() ==
          Approx(4 * 6739.11).epsilon(5.5e-5));
    CHECK(holds(command(folder, table35).output, "Least energy: 8 threads"));
    const std::string one = write(folder, "one.csv", "threads,package_W,seconds\n0,5,\n1,20,3\n");
    CHECK(
        holds(command(folder, "machine power " + one + " --package 1,0").output, "Least energy: 1 thread, 60.00 J"));
    const std::string work =
        write(folder, "w.csv", "flops,bytes,seconds,joules\n1e9,0,1,51\n0,1e9,1,52\n2e9,2e9,1,56\n");
    CHECK(json_of(folder, "machine joules " + work)["J_per_B"].get<double>() == Approx(2e-9));
}

TEST_CASE("machine power and joules: each row's error when it is left out, the machine's clock, and whose idle power "
          "holds") {
    const TemporaryFolder folder;
    const std::string machine = write(folder, "m.toml",
                                      "name = 'M'\nsource = 'by hand'\ncores = 3\n"
                                      "[[power]]\nthreads = [0, 1, 2, 3]\nclock_GHz = [1, 2]\n"
                                      "package_W = [[10, 99], [20, 99], [30, 99], [40, 99]]\n"
                                      "dram_W = [[3, 3], [9, 9], [9, 9], [9, 9]]\n");
    // The package's powers are the machine's at 1 GHz: lines through two of the points (20, 20), (30, 25), (40, 32)
    // give 18, 26 and 30 W for the third. DRAM's are the table's: 0.5 x 4 + 2 = 4 W, 0.5 x 8 + 2 = 6 W: X = 0.5, Y
    // = 1.
    const std::string table = write(folder, "p.csv",
                                    "threads,measured_package_W,dram_W,measured_dram_W\n"
                                    "0,,2,\n1,20,4,4\n2,25,8,6\n3,32,4,4\n");
    const auto root = json_of(folder, "machine power " + table + " --machine " + machine + " --clock 1");
    const auto &rows = root["package"]["rows"];
    CHECK(rows[0]["left_out_error"].get<double>() == Approx(18. / 20 - 1));
    CHECK(rows[1]["left_out_error"].get<double>() == Approx(26. / 25 - 1));
    CHECK(rows[2]["left_out_error"].get<double>() == Approx(30. / 32 - 1));
    CHECK(root["dram"]["X"].get<double>() == Approx(0.5));
    CHECK(root["dram"]["Y"].get<double>() == Approx(1));
}

TEST_CASE("machine power and joules: as many rows as coefficients have no check, and one more gives one") {
    const TemporaryFolder folder;
    const std::string work =
        write(folder, "w.csv", "flops,bytes,seconds,joules\n1e9,0,1,51\n0,1e9,1,52\n2e9,2e9,1,56\n");
    CHECK(holds(command(folder, "machine joules " + work).output, "The fit is not checked: "));
    CHECK(json_of(folder, "machine joules " + work)["checked"] == false);
    std::ofstream(work, std::ios::app) << "4e9,1e9,2,106\n"; // 4 + 2 + 2 x 50
    CHECK_FALSE(holds(command(folder, "machine joules " + work).output, "No check"));
    CHECK(json_of(folder, "machine joules " + work)["checked"] == true);
    // The package has three rows; DRAM draws the same whatever the threads, so its X and Y cannot be told.
    const std::string powers = write(folder, "p.csv",
                                     "threads,package_W,measured_package_W,dram_W,measured_dram_W\n"
                                     "0,10,,3,\n1,20,20,9,4\n2,30,25,9,4\n3,40,30,9,4\n");
    const std::string text = command(folder, "machine power " + powers).output;
    CHECK(holds(text, "DRAM: n/a, 3 measured rows cannot tell the part of full load"));
    CHECK_FALSE(holds(text, "No check"));
    const auto root = json_of(folder, "machine power " + powers);
    CHECK(root["package"]["U"].get<double>() == Approx(0.5)); // 0.5 x 20 + 1 x 10 = 20
    CHECK(root["package"]["checked"] == true);
    CHECK(root["dram"]["X"].is_null());
    CHECK(root["dram"]["why_not"].is_string());
    write(folder, "p.csv", "threads,package_W,measured_package_W\n0,10,\n1,20,20\n2,30,25\n");
    CHECK(holds(command(folder, "machine power " + powers).output, "The fit is not checked: "));
}

TEST_CASE("machine queue: a job goes ahead into a gap") {
    const TemporaryFolder folder;
    const std::string jobs = write(folder, "j.csv",
                                   "job,submitted_s,nodes,seconds,power_W\n"
                                   "forecast,0,3,10,100\nclimate,1,4,5,100\npost,2,1,8,50\n");
    const std::string arguments = "machine queue " + jobs + " --room 4 --room-idle 10";
    const auto root = json_of(folder, arguments);
    CHECK(root["jobs"][2]["start_s"] == 2);
    CHECK(root["jobs"][2]["backfilled"] == true);
    CHECK(root["use"].get<double>() == Approx((30 + 20 + 8) / 60.0)); // 4 nodes, 15 s
    CHECK(root["joules"].get<double>() == Approx(3000 + 2000 + 400 + 2 * 10));
    CHECK(json_of(folder, arguments + " --no-backfill")["jobs"][2]["start_s"] == 15);
    CHECK(holds(error_of(folder, "machine queue --room 3 " + jobs), "job climate needs 4 nodes"));
    const std::string half = write(folder, "h.csv", "job,submitted_s,nodes,seconds\na,0,1.5,1\n");
    CHECK(holds(error_of(folder, "machine queue --room 3 " + half), "h.csv:2: column nodes: not a whole number"));
}

TEST_CASE("bad input: one line with file, line and name; exit status 1") {
    const TemporaryFolder folder;
    const auto loops = [&](const std::string &text) {
        return error_of(folder, "machine project --machine xeon_e5_2697v3 " + write(folder, "l.csv", text));
    };
    CHECK(holds(loops("loop,GBytes,V,X,Y,Z\na,1,1,0,0,0\n"), "l.csv:1: column bytes: missing; there is GBytes"));
    CHECK(holds(loops("loop,bytes,V,X,Y,Z\n\na,1,0,0,0,0\n"), "l.csv:3: column V: V, X, Y and Z are zero"));
    CHECK(holds(loops("loop,bytes,flops,U,V,X,Y,Z\na,1,1,,1,0,0,0\n"), "l.csv:2: column U: empty, and a computes"));
    CHECK(holds(loops("loop,bytes,V,X,Y,Z\na,1,-1,0,0,0\n"), "l.csv:2: column V: must not be negative"));
    CHECK(holds(error_of(folder, "machine project " + tco639 + " --machine no_such"), "no_such"));
    CHECK(holds(error_of(folder, "machine project --clock 9.9 --machine xeon_e5_2697v3 " + tco639),
                "loop ledir_dgemm_327: "));
    const auto energy = [&](const std::string &text) {
        return error_of(folder, "machine power " + write(folder, "e.csv", text));
    };
    CHECK(holds(energy("threads,package_W,measured_package_W\n1,20,10\n"),
                "e.csv: no row with 0 threads, so the idle power of the package is not known"));
    CHECK(holds(energy("threads,package_W,measured_package_W\n0,50,\n1,40,30\n2,60,45\n"),
                "e.csv: the package draws 40 W under full load, less than idle (50 W)"));
    CHECK(holds(energy("threads,package_W\n0,5\n1,0\n"), "e.csv:3: column package_W: zero power"));
    CHECK(holds(energy("threads,package_W\n0,5\n1,2000000\n"),
                "e.csv:3: column package_W: more than 1e5; was it given in mW?"));
    CHECK(holds(energy("threads,seconds\n1,2\n"), "nothing to fit to"));
    CHECK(holds(energy("threads,package_W,measured_package_W\n0,5,\n1,20,10\n"),
                "e.csv: 1 measured row cannot tell the part of full load"));
    const std::string two = write(folder, "two.csv", "flops,bytes,seconds,joules\n1e9,0,1,51\n0,1e9,1,52\n");
    CHECK(holds(error_of(folder, "machine joules " + two), "two.csv: 2 measured rows cannot tell joules of an"));
    const std::string one = write(folder, "one.csv", "loop,threads,seconds,flops,bytes\nk,1,2,,1e12\n");
    CHECK(holds(error_of(folder, "machine fit " + one + " --machine xeon_e5_2697v3"),
                "one.csv: loop k: 1 run with bytes cannot tell the coefficients"));
    const auto workflow = [&](const std::string &text) {
        return error_of(folder, "machine workflow " + write(folder, "w.toml", text));
    };
    const std::string code = "[[code]]\nname='a'\nmachine='k20m'\n";
    CHECK(holds(workflow("order='a'\n" + code), "w.toml:2: code: one of loops, kernels, seconds"));
    CHECK(holds(workflow("order='a'\n" + code + "seconds=1\nwatts=3\n"), "w.toml:6: code.watts: no such name"));
    CHECK(holds(workflow("order='a+b'\n" + code + "seconds=1\n"), "w.toml:1: order: "));
    CHECK(holds(workflow("order='a'\n" + code + "seconds='1 s'\n"), "w.toml:5: code.seconds: a number belongs here"));
    CHECK(holds(workflow("order=\n"), "w.toml:1"));
    error_of(folder, "machine project", 2);
    error_of(folder, "machine gpu k20m", 2);
    CHECK(holds(error_of(folder, "machine --json power t.csv", 2),
                "'power' must stand right behind machine: cpl-lb machine power"));
}
