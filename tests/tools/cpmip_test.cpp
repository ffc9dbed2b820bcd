// cpl-lb cpmip as a user runs it, on results written from literals.
#include "analysis/cpmip.hpp"
#include "io/files/file_handle.hpp"
#include "tests/report/example_run.hpp"
#include "tests/tools/told.hpp"

#include <regex>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

// One year in half a day on 96 cores: 2 SYPD, 96 x 12 = 1152 CHSY. The first of the chain is submitted on the 1st.
std::string write_job(const TemporaryFolder &folder, const std::string &name, const std::string &started,
                      const std::string &ended, std::int64_t cores = 96) {
    CoupledRun run = appendix3();
    run.components[2].properties.is_io_server = false; // or its cores would be the output cost of one run alone
    run.run.id = name;
    run.run.simulated_s = 365 * 86400.0;
    run.run.wall_s = 43200;
    run.run.cores = cores;
    run.run.submitted = name == "first" ? "2026-03-01T00:00:00Z" : "";
    run.run.started = started;
    run.run.ended = ended;
    run.components[0].properties.horizontal_points = 100'000;
    run.components[0].properties.levels = 50; // 5e6 points
    run.components[0].properties.complexity = 40;
    run.cpmip = cpmip_of(run);
    return written(folder, name, run);
}

json cpmip(const TemporaryFolder &folder, const std::string &arguments) {
    return told(folder, "cpmip " + arguments);
}

} // namespace

TEST_CASE("one run, a chain of jobs, a run without output") {
    const TemporaryFolder folder;
    const std::string first = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const std::string second = write_job(folder, "second", "2026-03-04T12:00:00Z", "2026-03-05T00:00:00Z");
    const json one = cpmip(folder, first);
    CHECK(one.at("cpmip").at("chsy").get<double>() == Approx(1152));
    CHECK(one.at("cpmip").at("sypd").get<double>() == Approx(2));
    // One year in a day and a half since the submission.
    CHECK(one.at("cpmip").at("asypd").get<double>() == Approx(2. / 3));
    CHECK(one.at("cpmip").at("jpsy").is_null());
    // Two years in the four days from the 1st to the 5th, whatever the order of the folders.
    for (const std::string &order : {first + " " + second, second + " " + first}) {
        const json chain = cpmip(folder, order);
        CHECK(chain.at("jobs") == 2);
        CHECK(chain.at("cpmip").at("asypd").get<double>() == Approx(0.5));
        CHECK(chain.at("cpmip").at("sypd").get<double>() == Approx(2));
    }
    // Without a submission there is none, and given by hand there is.
    CHECK(cpmip(folder, second).at("cpmip").at("asypd").is_null());
    CHECK(cpmip(folder, second + " --submitted 2026-03-04T00:00:00Z").at("cpmip").at("asypd").get<double>() ==
          Approx(1));
    // On 96 cores with output and on 80 without: (1152 - 960) / 1152 = 1 / 6.
    const std::string quiet = write_job(folder, "quiet", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z", 80);
    CHECK(cpmip(folder, first + " --without-output " + quiet).at("cpmip").at("data_output_cost").get<double>() ==
          Approx(1. / 6));
    CHECK(cpmip(folder, first).at("cpmip").at("data_output_cost").is_null());
}

TEST_CASE("the same job twice is an error, whatever its folder is called; a chain under one name is none") {
    const TemporaryFolder folder;
    const std::string first = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const auto error_of = [&](const std::string &arguments) { return refused(folder, "cpmip " + arguments); };
    CHECK(error_of(first + " " + first + "/.") == "cpl-lb: " + first + "/.: the same folder is given twice\n");
    std::filesystem::copy(first, folder / "copy");
    CHECK(error_of(first + " " + (folder / "copy")) ==
          "cpl-lb: " + (folder / "copy") + ": holds the same job as " + first + ": first\n");
    shows(error_of(first + " --without-output " + first), "the same folder");
    // cn_run names all jobs of an experiment alike; they do not start at the same time.
    const TemporaryFolder other;
    const std::string second = write_job(other, "first", "2026-03-03T00:00:00Z", "2026-03-03T12:00:00Z");
    CHECK(cpmip(folder, first + " " + second).at("jobs") == 2);
}

TEST_CASE("a submission after the end is said to be that, not missing") {
    const TemporaryFolder folder;
    const std::string run = write_job(folder, "second", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const json late = cpmip(folder, run + " --submitted 2026-04-01T00:00:00Z");
    CHECK(late.at("cpmip").at("asypd").is_null());
    CHECK(late.at("why_not").at("Actual speed ASYPD") ==
          "the time of submission, 2026-04-01T00:00:00Z, lies after the end of the run, 2026-03-02T12:00:00Z");
    CHECK_THAT(cpmip(folder, run).at("why_not").at("Actual speed ASYPD").get<std::string>(),
               Catch::StartsWith("needs the time"));
}

TEST_CASE("an I/O server on a shared node costs its cores; units of D, B, F; the two coupling costs have two names") {
    const TemporaryFolder folder;
    CoupledRun run = appendix3();
    run.run.simulated_s = 365 * 86400.0;
    run.run.wall_s = 43200;
    run.run.cores = 7;
    run.components.resize(2);
    run.components[0].ranks = {0, 1, 2, 3, 4, 5};
    run.components[1].ranks = {6};
    run.components[0].threads = run.components[1].threads = 1;
    run.components[1].properties.is_io_server = true;
    run.components[0].properties.horizontal_points = 1000;
    run.components[0].properties.levels = 10;
    run.components[0].properties.complexity = 3; // F = 30000
    run.cpmip = cpmip_of(run);
    run.cpmip.coupling_cost = 0.182;
    run.cpmip.coupling_cost_with_operations = 0.196;
    run.cpmip.memory_bloat = 12;
    const std::string directory = written(folder, "run", run);
    // 1 of 7 cores; on a node of 128 that it shares with the others 1 of 128, not all.
    CHECK(cpmip(folder, directory).at("cpmip").at("data_output_cost").get<double>() == Approx(1. / 7));
    CHECK(cpmip(folder, directory + " --cores-per-node 128").at("cpmip").at("data_output_cost").get<double>() ==
          Approx(1. / 128));
    const std::string text = command(folder, "cpmip " + directory).output;
    INFO(text);
    for (const char *row :
         {"Data output cost D +14.286 +% of the cost", "Memory bloat B +12.000 +times the model's state",
          "Degrees of freedom F +30000 +grid points x variables", "Coupling cost C +18.200 +% of the core time",
          "Coupling cost C including operations +19.600 +% of the core time"})
        CHECK(std::regex_search(text, std::regex(row)));
    // Table 1 counts the operations: its column says so.
    const std::string csv = command(folder, "cpmip " + directory + " --csv").output;
    shows(csv, ",coupling_with_operations_pct,", ",19.6,");
    shows(command(folder, "cpmip models " + directory).output, "coupling cost C including operations");
}

TEST_CASE("platform: energy, whole nodes, description") {
    const TemporaryFolder folder;
    const std::string run = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const json c = cpmip(folder, run + " --platform energy=5.92e12 --platform core-hours=5.88e7");
    CHECK(c.at("cpmip").at("jpsy").get<double>() == Approx(1152 * 5.92e12 / 5.88e7));
    // 96 cores on nodes of 64 are 128: CHSY x 4 / 3.
    const json nodes = cpmip(folder, run + " --cores-per-node 64");
    CHECK(nodes.at("cpmip").at("parallelization") == 128);
    CHECK(nodes.at("cpmip").at("chsy").get<double>() == Approx(1536));
    const json named = cpmip(folder, run + " --platform machine=gaea --platform chip=Haswell --platform cores=48128 "
                                           "--platform clock=2.3 --platform flop-per-cycle=16");
    CHECK(named.at("cpmip").at("platform") == "gaea, Haswell, 48128 cores, 2.3 GHz, 16 operations per cycle");
    CHECK(named.at("platform").at("flop_per_cycle") == 16);
}

// Columns as in the manual of sacct; the steps of a job count the same nodes again, as on ARCHER2 (archer2-docs 463).
TEST_CASE("the energy of jobs by Slurm") {
    const TemporaryFolder folder;
    const std::string first = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const std::string second = write_job(folder, "second", "2026-03-04T12:00:00Z", "2026-03-05T00:00:00Z");
    const std::string sacct = folder / "sacct.txt";
    const auto with = [&](const std::string &text, const std::string &runs) {
        write_result_file(sacct, text);
        return command(folder, "cpmip " + runs + " --json --log " + sacct);
    };
    const auto ajpsy = [](const Result &result) { return json::parse(result.output).at("cpmip").at("ajpsy"); };
    // One year: 4580000 J, and not 4 times that with the steps.
    const std::string one =
        "JobID|Elapsed|ConsumedEnergyRaw\n2658300|02:19:48|4580000\n2658300.batch|02:19:48|4580000\n"
        "2658300.extern|02:19:48|4580000\n2658300.0|02:19:09|4570000\n";
    CHECK(ajpsy(with(one, first)).get<double>() == Approx(4.58e6));
    // Two jobs of a year each: (4e6 + 6e6) / 2.
    CHECK(ajpsy(with("ConsumedEnergyRaw|JobID\n4000000|11\n9|11.0\n6000000|12\n", first + " " + second))
              .get<double>() == Approx(5e6));
    // Nothing, 0 and Slurm's number for "not known" are no energy; one job without it leaves no sum.
    for (const char *none : {"", "0", "18446744073709551614"}) {
        const auto r =
            with("JobID|ConsumedEnergyRaw\n11|4000000\n12|" + std::string(none) + "\n", first + " " + second);
        CHECK(ajpsy(r).is_null());
        CHECK(json::parse(r.output).at("remarks").at(0) ==
              "Slurm has no energy of job 12, so AJPSY is not taken from it");
    }
    const auto by_log = [&](const std::string &text) {
        return "cpmip " + first + " --json --log " + write(folder, "sacct.txt", text);
    };
    each_refused(
        folder, by_log, 1,
        {{"JobID|ConsumedEnergy\n11|4.58M\n", "sacct.txt:1: column ConsumedEnergyRaw: missing"},
         {"", "sacct.txt: an empty table"},
         {"JobID|ConsumedEnergyRaw\n11|4.58M\n", "sacct.txt:2: column ConsumedEnergyRaw: not a number: 4.58M"},
         {"JobID|ConsumedEnergyRaw\n11|-5\n", "column ConsumedEnergyRaw: job 11: negative energy: -5 J"},
         {"JobID|ConsumedEnergyRaw\n11\n", "sacct.txt:2: 1 cell where the header has 2"},
         {"JobID|ConsumedEnergyRaw\n11|5\n11|6\n", "sacct.txt:3: column JobID: job 11 is there twice"},
         {"JobID|ConsumedEnergyRaw\n11.batch|5\n", "no line of a job"},
         {"JobID|ConsumedEnergyRaw\n11|5\n12|6\n", "2 jobs, but 1 folder is given"}});
    CHECK(command(folder, "cpmip " + first + " --log " + (folder / "nowhere")).status == 1);
}

TEST_CASE("the times of a job log beside results: its ASYPD, and a log of other jobs") {
    const TemporaryFolder folder;
    const std::string runs = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z") + " " +
                             write_job(folder, "second", "2026-03-04T12:00:00Z", "2026-03-05T00:00:00Z");
    const auto with = [&](const std::string &month, const std::string &last_hour) {
        const std::string head = "JobID|Submit|Start|End|State|ConsumedEnergyRaw\n";
        const auto at = [&](const char *day_and_hour) { return "2026-" + month + "-" + day_and_hour + ":00:00|"; };
        write_result_file(folder / "sacct.txt", head + "11|" + at("01T00") + at("02T00") + at("02T12") +
                                                    "COMPLETED|5\n" + "12|" + at("02T12") + at("04T12") + "2026-" +
                                                    month + "-05T" + last_hour + ":00:00|COMPLETED|5\n");
        return command(folder, "cpmip " + runs + " --json --log " + (folder / "sacct.txt"));
    };
    // Two years from the submission on the 1st, 00:00, to the 5th, 00:00: four days.
    const auto own = with("03", "00");
    INFO(own.errors);
    REQUIRE(own.status == 0);
    CHECK(json::parse(own.output).at("cpmip").at("asypd").get<double>() == Approx(0.5));
    CHECK(with("03", "09").status == 0); // local time: 9 hours ahead
    for (const char *month : {"02", "04"}) {
        const auto other = with(month, "00");
        CHECK(other.status == 1);
        CHECK(other.output.empty());
        shows(other.errors, "sacct.txt: its jobs did not run when these results were made (2026-03-02T00:00:00Z to "
                            "2026-03-05T00:00:00Z): is it the log of other jobs?");
    }
}

TEST_CASE("the time between SYPD and ASYPD by results alone, and with the log of their jobs") {
    const TemporaryFolder folder;
    const std::string runs = write_job(folder, "second", "2026-03-04T12:00:00Z", "2026-03-05T00:00:00Z") + " " +
                             write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const auto hours = [](const json &time, const char *name) { return time.at(name).get<double>() / 3600; };
    const json results = cpmip(folder, runs).at("actual_time");
    CHECK(hours(results, "whole_s") == Approx(96));
    CHECK(hours(results, "in_model_s") == Approx(24));
    CHECK(hours(results, "queue_or_pauses_s") == Approx(72)); // 24 before the first, 48 before the second
    for (const char *not_told : {"queue_s", "pauses_s", "outside_model_s", "failed_jobs_s", "completed_jobs_s"})
        CHECK(results.at(not_told).is_null());
    CHECK(results.at("why_not").at("pauses") == "it is not known when " + (folder / "second") +
                                                    " was submitted: CPL_LB_SUBMITTED in each job, or a job log, "
                                                    "tells it");
    // The jobs ran from an hour before their models to half an hour after them: 2 x 1.5 h outside.
    write_result_file(folder / "sacct.txt",
                      "JobID|Submit|Start|End|State|ConsumedEnergyRaw\n"
                      "11|2026-03-01T00:00:00|2026-03-01T23:00:00|2026-03-02T12:30:00|COMPLETED|5\n"
                      "12|2026-03-04T01:00:00|2026-03-04T11:00:00|2026-03-05T00:30:00|COMPLETED|5\n");
    const json log = cpmip(folder, runs + " --log " + (folder / "sacct.txt")).at("actual_time");
    CHECK(hours(log, "whole_s") == Approx(96.5));
    CHECK(hours(log, "in_model_s") == Approx(24));
    CHECK(hours(log, "outside_model_s") == Approx(3));
    CHECK(hours(log, "queue_s") == Approx(33));    // 23 and 10
    CHECK(hours(log, "pauses_s") == Approx(36.5)); // 24 + 3 + 33 + 36.5 = 96.5
    CHECK(log.at("longest_pause_after") == "11");
}

TEST_CASE("energy that the run and Slurm tell differently") {
    const TemporaryFolder folder;
    const std::string path = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    json info = json::parse(contents(path + "/load_balancing_info.json"));
    info["cpmip"]["ajpsy"] = 4e6; // one year
    info["meters"]["energy_J"] = 4e6;
    write_result_file(path + "/load_balancing_info.json", info.dump());
    // (4.4e6 - 4e6) / 4.4e6 = 9.1 % is said by nobody; (5e6 - 4e6) / 5e6 = 20 % is.
    for (const auto &[slurm_J, remarks] :
         std::vector<std::pair<std::string, std::size_t>>{{"4400000", 1}, {"5000000", 2}}) {
        write_result_file(folder / "sacct.txt", "JobID|ConsumedEnergyRaw\n11|" + slurm_J + "\n");
        const json c = cpmip(folder, path + " --log " + (folder / "sacct.txt"));
        CHECK(c.at("cpmip").at("ajpsy").get<double>() == Approx(std::stod(slurm_J)));
        REQUIRE(c.at("remarks").size() == remarks);
        if (remarks == 2) shows(c.at("remarks").at(1).get<std::string>(), "4e+06 J themselves, 20 % apart");
    }
}

TEST_CASE("a row of table 1, the names of ES-DOC, and the run among the models") {
    const TemporaryFolder folder;
    const std::string run = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const auto csv = command(folder, "cpmip " + run + " --csv --mode T --name 'MY-ESM'");
    shows(csv.output, "\nMY-ESM T,5e+06,40,2,1152,");
    const json es_doc = json::parse(command(folder, "cpmip es-doc " + run + " --cores-per-node 48").output);
    CHECK(es_doc.at("chsy").get<double>() == Approx(1152));
    CHECK(es_doc.at("total_nodes_used") == 2);
    CHECK(es_doc.at("memory_bloat").is_null());
    const auto text = command(folder, "cpmip models " + run + " --mode T --name MY-ESM --svg " + (folder / "x.svg"));
    CHECK(text.status == 0);
    for (const char *words : {"* MY-ESM T", "HadGEM3-GC2 T", "times that", "from the"})
        shows(text.output, words);
    const std::string svg = contents(folder / "x.svg");
    CHECK_THAT(svg, Catch::StartsWith("<svg xmlns"));
    shows(svg, "MY-ESM T");
    CHECK(svg.find("http", 30) == std::string::npos); // nothing from elsewhere
    // 5e6 points and 40 variables; ESM2G has two rows of 3.9e6 points and 63 variables, for speed and for throughput.
    // log10: 0.11 and 0.20 away; FLOR T 0.29 and 0.35; IPSL-CM6-LR S 0.30 and 0.56; MPI-ESM1 T 0.60 and 0.26.
    shows(command(folder, "cpmip models " + run).output,
          "Nearest in resolution and\ncomplexity: ESM2G S, ESM2G T, FLOR T (S: run for speed, T: "
          "for throughput).\n");
    CHECK(cpmip(folder, "models " + run).at("standing").at("nearest") == json{"ESM2G S", "ESM2G T", "FLOR T"});
    const json standing = cpmip(folder, "models " + run + " --mode T").at("standing");
    CHECK(standing.at("models") == 18);
    CHECK(standing.at("models_in_line") == 13); // the T rows of table 1
    CHECK(standing.at("cost_of") == 18);        // 17 with complexity, and this one
}

TEST_CASE("what others wrote is shown, and neither obeyed nor run") {
    const TemporaryFolder folder;
    const std::string hostile = "\x1b[31m=red\xc2\x9b" // CSI
                                "2J";
    const std::string run = write_job(folder, "=1+1", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const std::string json_file = run + "/load_balancing_info.json";
    std::string text = contents(json_file);
    text.replace(text.find("atmosphere"), 10, "\\u001b[31m\\u009b2J");
    write_result_file(json_file, text);
    for (const std::string words : {"", "--json ", "--csv ", "es-doc ", "models "}) {
        const auto r = command(folder, "cpmip " + words + "'" + run + "' --name '" + hostile + "'");
        INFO(words);
        CHECK(r.status == 0);
        CHECK(r.output.find('\x1b') == std::string::npos);
        CHECK(r.output.find('\xc2') == std::string::npos);
    }
    CHECK(command(folder, "cpmip '" + hostile + "'").errors.find('\x1b') == std::string::npos);
    CHECK(command(folder, "cpmip '" + run + "' --mode '" + hostile + "'").errors.find('\x1b') == std::string::npos);

    const std::string row = command(folder, "cpmip '" + run + "' --csv").output;
    shows(row, "\n'=1+1,");
    write_result_file(folder / "rows.csv", row);
    const auto compared = command(folder, "cpmip models '" + run + "' --models " + (folder / "rows.csv"));
    CHECK(compared.status == 0);
    shows(compared.output, "\n  =1+1 ");

    write_result_file(folder / "bad.csv", "cores,SYPD\n1," + std::string(100'000, 'x') + "\n");
    const auto bad = command(folder, "cpmip study " + (folder / "bad.csv"));
    CHECK(bad.status == 1);
    CHECK_THAT(bad.errors, Catch::EndsWith("not a number: " + std::string(60, 'x') + "...\n"));
    CHECK(command(folder, "cpmip --name " + std::string(100'000, 'x')).errors.size() < 2100);
}

TEST_CASE("bad input and wrong usage") {
    const TemporaryFolder folder;
    const std::string run = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    CHECK(command(folder, "cpmip").status == 2);
    CHECK(command(folder, "cpmip " + run + " --platform energy=1e12").status == 2); // without core hours
    CHECK(command(folder, "cpmip " + run + " --mode X").status == 2);
    CHECK(command(folder, "cpmip " + run + " --resolution inf").errors ==
          "cpl-lb: --resolution: must be a finite number, not 'inf' (see cpl-lb cpmip --help)\n");
    CHECK(command(folder, "cpmip " + run + " --resolution 1e400").errors ==
          "cpl-lb: --resolution: must be a finite number, not '1e400' (see cpl-lb cpmip --help)\n");
    CHECK(command(folder, "cpmip " + run + " --name ''").errors ==
          "cpl-lb: --name: its value is empty: give one, or leave the option out (see cpl-lb cpmip --help)\n");
    CHECK(command(folder, "cpmip ''").status == 2);
    CHECK_THAT(command(folder, "cpmip study " + run + " " + run + "/.").errors,
               Catch::EndsWith("the same folder is given twice\n"));
    CHECK(command(folder, "cpmip " + run + " --submitted yesterday").status == 2);
    CHECK(command(folder, "cpmip " + (folder / "nowhere")).status == 1);
    write_result_file(folder / "bad.csv", "names\nA,1,2\n");
    const auto bad = command(folder, "cpmip models " + run + " --models " + (folder / "bad.csv"));
    CHECK(bad.status == 1);
    shows(bad.errors, "bad.csv: line 2: 3 fields where 11 belong");
}

// 12 hours on 96 cores of two nodes, of which one, of the kind "fast", has 4 GPUs.
TEST_CASE("what a run costs at the prices of an hour") {
    const TemporaryFolder folder;
    const std::string directory = write_job(folder, "first", "2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z");
    const std::string file = directory + "/load_balancing_info.json";
    CoupledRun run = run_from_json(file, read_text_file(file));
    run.meters.nodes.assign(2, {});
    run.meters.nodes[0].kind = "fast";
    run.meters.nodes[0].gpus.resize(4);
    for (NodeMeters &node : run.meters.nodes)
        node.gpus_known = true;
    for (Component &c : run.components) {
        c.nodes = 1;
        c.on_nodes = {c.id == 1 ? 0 : 1};
        c.processes_on_nodes = {static_cast<std::int32_t>(c.ranks.size())};
    }
    run.cpmip = cpmip_of(run);
    write_result_file(file, info_json(run));
    // 96 x 12 x 2 for cores, 4 x 12 x 1.5 for GPUs, 2 x 12 x 10 for nodes, 12 x 1 for the fast one.
    const json priced = cpmip(folder, directory + " --price cpu=2,gpu=1.5,node=10,fast-node=1");
    CHECK(priced.at("price").at("price").get<double>() == Approx(2304 + 72 + 240 + 12));
    CHECK(priced.at("cpmip").at("node_hours").get<double>() == Approx(24)); // 2 x 12 for one year
    CHECK(priced.at("cpmip").at("gpu_hours").get<double>() == Approx(48));  // 4 x 12
    CHECK(priced.at("cpmip").at("chsy").get<double>() == Approx(1152));     // as without prices
    CHECK_FALSE(cpmip(folder, directory).contains("price"));
    for (const std::string wrong : {"tpu=1", "slow-node=1", "gpu=-1", "gpu"})
        shows(refused(folder, "cpmip " + directory + " --price " + wrong, 2), "--price: ");
}
