// CPMIP rows that need the platform, other jobs or other runs (Balaji et al. 2017, sections 3.2 and 3.3).
#include "analysis/batch_system.hpp"
#include "analysis/cpmip.hpp"
#include "analysis/job_log.hpp"
#include "analysis/model_rows.hpp"

#include "tests/report/example_run.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

using namespace cpl_lb;

namespace {

using test::contents;
using Variables = std::map<std::string, std::string>;

// The variables outlive it.
GetVariable from(const Variables &variables) {
    return [&variables](const char *name) {
        const auto at = variables.find(name);
        return at == variables.end() ? nullptr : at->second.c_str();
    };
}

// "NAME=value" lines as a batch job's environment.
Variables environment(const std::string &name) {
    Variables variables;
    std::istringstream text(contents(CPL_LB_TEST_DATA "/batch/" + name));
    for (std::string line; std::getline(text, line);)
        if (const auto equals = line.find('='); equals != std::string::npos && line.front() != '#')
            variables[line.substr(0, equals)] = line.substr(equals + 1);
    REQUIRE_FALSE(variables.empty());
    return variables;
}

CoupledRun job(double years, double wall_days, double cores, double ajpsy_J) {
    CoupledRun run;
    run.run.simulated_s = years * 365 * 86400;
    run.run.wall_s = wall_days * 86400;
    run.run.cores = static_cast<std::int64_t>(cores);
    run.cpmip = cpmip_of(run);
    run.cpmip.ajpsy = ajpsy_J;
    run.cpmip.coupling_cost = 0.1;
    return run;
}

Component component(std::int32_t id, std::int32_t first, std::int32_t processes, bool server) {
    Component c = test::component("", id, first, processes, 0);
    c.properties.is_io_server = server;
    return c;
}

} // namespace

TEST_CASE("Slurm's cores of one node") {
    Variables variables = {{"SLURM_JOB_NODELIST", "gpu[01-02],cpu[1-3]"},
                           {"SLURM_JOB_CPUS_PER_NODE", "72(x2),256(x3)"}};
    const GetVariable get = from(variables);
    CHECK(slurm_cores_on("gpu02", get) == 72);
    CHECK(slurm_cores_on("cpu1", get) == 256);
    CHECK(slurm_cores_on("cpu3.site.org", get) == 256);
    CHECK(slurm_cores_on("cpu3", get, {256, 2}) == 128); // hardware threads
    CHECK(slurm_cores_on("cpu4", get) == 0);
    variables["SLURM_JOB_CPUS_PER_NODE"] = "72(x2),128"; // fewer numbers than nodes
    CHECK(slurm_cores_on("cpu2", get) == 0);
    variables["SLURM_JOB_CPUS_PER_NODE"] = "72(y2)";
    CHECK(slurm_cores_on("gpu01", get) == 0);
    variables = {{"SLURM_HET_SIZE", "2"},
                 {"SLURM_JOB_NODELIST_HET_GROUP_0", "gpu[01-02]"},
                 {"SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0", "72(x2)"},
                 {"SLURM_JOB_NODELIST_HET_GROUP_1", "cpu1"},
                 {"SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1", "128"}};
    CHECK(slurm_cores_on("cpu1", get) == 128);
    CHECK(slurm_cores_on("gpu01", get) == 72);
    CHECK(slurm_cores_on("gpu03", get) == 0);
    CHECK(slurm_cores_on("gpu01", [](const char *) -> const char * { return nullptr; }) == 0);
}

TEST_CASE("Torque's cores by node") {
    using Cores = std::vector<std::int64_t>;
    Variables variables = {{"PBS_NP", "7"}};
    const GetVariable get = from(variables);
    const std::string file = "n1\nn1\nn10\nn10\nn10\nn10\nn2.site.org\n"; // 2 + 4 + 1 = 7 processors
    CHECK(torque_cores({"n1", "n10", "n2"}, get, file) == Cores{2, 4, 1});
    CHECK(torque_cores({"n1.site.org", "n2.site.org"}, get, file) == Cores{2, 1});
    // Other names, two nodes of one name, fewer lines than processors: a line for each process, as PBS Pro writes it.
    CHECK(torque_cores({"n1", "login"}, get, file).empty());
    CHECK(torque_cores({"n1", "n2.elsewhere.org"}, get, file).empty());
    CHECK(torque_cores({"n"}, get, "n.a\nn.a\nn.a\nn.b\nn.b\nn.b\nn.b\n").empty());
    CHECK(torque_cores({"n1"}, get, "n1\nn10\nn2\n").empty());
    variables["SLURM_JOB_ID"] = "1";
    CHECK(torque_cores({"n1"}, get, file).empty());
    variables = {};
    CHECK(torque_cores({"n1"}, get, file).empty());
    // Without the file: of one node only. Requests of 8, 4 and 12 are 3 x 8 = 24, too, and no node but one has 8.
    variables = {{"PBS_NP", "24"}, {"PBS_NUM_NODES", "3"}, {"PBS_NUM_PPN", "8"}};
    CHECK(torque_cores({"n1", "n2", "n3"}, get, "").empty());
    CHECK(torque_cores({"n1"}, get, "").empty());
    variables = {{"PBS_NP", "8"}, {"PBS_NUM_NODES", "1"}, {"PBS_NUM_PPN", "8"}};
    CHECK(torque_cores({"n1"}, get, "") == Cores{8});
    variables["PBS_NUM_PPN"] = "1"; // procs=8
    CHECK(torque_cores({"n1"}, get, "").empty());
    // PBS Professional: its NCPUS are threads.
    variables = {{"NCPUS", "8"}, {"OMP_NUM_THREADS", "8"}};
    CHECK(torque_cores({"n1"}, get, "n1\nn1\n").empty());
}

TEST_CASE("table 2: JPSY from CHSY, E and A") {
    std::istringstream table(contents(CPL_LB_TEST_DATA "/../../data/balaji2017_table2.csv"));
    std::string line;
    int rows = 0;
    while (std::getline(table, line)) {
        if (line.front() == '#' || line.starts_with("model")) continue;
        std::istringstream fields(line);
        std::string model, text;
        std::getline(fields, model, ',');
        std::vector<double> numbers;
        for (int i = 0; i < 4 && std::getline(fields, text, ','); ++i)
            numbers.push_back(std::stod(text));
        INFO(model);
        REQUIRE(numbers.size() == 4);
        // All four are printed with three digits, half a unit of which is up to 0.5 %. The largest difference is that
        // of CM2.6 S, 0.88 %, where roundings may make 0.5 (1/212 + 1/314 + 1/564 + 1/117) = 0.91 %.
        CHECK(jpsy(numbers[0], numbers[1], numbers[2]) == Approx(numbers[3]).epsilon(0.0092));
        ++rows;
    }
    CHECK(rows == 18);
    // One of them by hand: IPSL-CM6-LR, 2166 x 5.92e12 / 5.88e7 = 2.18073e8.
    CHECK(jpsy(2166, 5.92e12, 5.88e7) == Approx(2.18073e8).epsilon(1e-5));
    CHECK_FALSE(is_known(jpsy(2166, unknown, 5.88e7)));
    CHECK_FALSE(is_known(jpsy(2166, 5.92e12, 0)));
}

TEST_CASE("equations 5, 10 and 11, and whole nodes") {
    // 100 years in 50 days from the first submission to the last result.
    CHECK(asypd(100, 1e9, 1e9 + 50 * 86400.0) == Approx(2));
    CHECK_FALSE(is_known(asypd(100, unknown, 1e9)));
    CHECK_FALSE(is_known(asypd(100, 1e9, 1e9))); // submitted when it ended: somebody's clock is wrong
    CHECK(data_output_cost(1250, 1000) == Approx(0.2));
    CHECK_FALSE(is_known(data_output_cost(1250, unknown)));
    // The sentence, not the formula that is printed: 10 of 100 cores serve I/O, so 0.1 and not 0.9.
    CoupledRun run;
    run.components = {component(1, 0, 90, false), component(2, 90, 10, true)};
    CHECK(io_server_cost(run) == Approx(0.1));
    // On nodes of 32 cores ranks 64 to 95 share the third: 6 servers beside 26 others. 96 to 99 have the fourth to
    // themselves: (6 + 32) of 4 x 32.
    CHECK(io_server_cost(run, 32) == Approx(38. / 128));
    // All on one node of 128 cores: the servers' 10 cores of its 128, not the node of its node.
    CHECK(io_server_cost(run, 128) == Approx(10. / 128));
    // 96 others fill three nodes, so that the 4 servers have the fourth: 32 of 128.
    run.components = {component(1, 0, 96, false), component(2, 96, 4, true)};
    CHECK(io_server_cost(run, 32) == Approx(0.25));
    // The run had 8 nodes, not 4: where its processes were is not known, so the servers cost their cores.
    run.clock.nodes = 8;
    CHECK(io_server_cost(run, 32) == Approx(4. / 128));
    run.components.pop_back();
    CHECK_FALSE(is_known(io_server_cost(run)));
    CHECK(in_whole_nodes(129, 128) == 256);
    CHECK(in_whole_nodes(128, 128) == 128);
    CHECK(in_whole_nodes(129, 0) == 129);
    CHECK_FALSE(is_known(in_whole_nodes(unknown, 128)));
}

TEST_CASE("a submission that cannot be has a reason, and no ASYPD") {
    CoupledRun run;
    run.run.simulated_s = 365 * 86400.0;
    run.run.submitted = "S";
    run.run.started = "B";
    run.run.ended = "E";
    enter_asypd(run, {1000, 2000, 1000 + 86400});
    CHECK(run.cpmip.asypd == Approx(1));
    CHECK(run.cpmip.why_no_asypd.empty());
    enter_asypd(run, {2050, 2000, 4000}); // clocks of two machines, a minute apart at most
    CHECK(is_known(run.cpmip.asypd));
    enter_asypd(run, {3000, 2000, 4000});
    CHECK_FALSE(is_known(run.cpmip.asypd));
    CHECK(run.cpmip.why_no_asypd == "the time of submission, S, lies after the start of the run, B");
    enter_asypd(run, {5000, 2000, 4000});
    CHECK(run.cpmip.why_no_asypd == "the time of submission, S, lies after the end of the run, E");
    enter_asypd(run, {unknown, 2000, 4000}); // not given: nothing is wrong with it
    CHECK_FALSE(is_known(run.cpmip.asypd));
    CHECK(run.cpmip.why_no_asypd.empty());
}

TEST_CASE("a chain of two jobs") {
    // 1 year in half a day on 96 cores: 2 SYPD, 96 x 12 = 1152 CHSY. 3 years in 1.5 days on 192 cores: 2 SYPD,
    // 192 x 36 / 3 = 2304 CHSY.
    const CoupledRun first = job(1, 0.5, 96, 100), second = job(3, 1.5, 192, 200);
    CHECK(first.cpmip.chsy == Approx(1152));
    CHECK(second.cpmip.chsy == Approx(2304));
    const CoupledRun chain = chain_of({first, second});
    // 4 years in 2 days; 1152 + 6912 = 8064 core hours / 4 years = 2016; NP = 2016 x 2 / 24 = 168.
    CHECK(chain.cpmip.sypd == Approx(2));
    CHECK(chain.cpmip.chsy == Approx(2016));
    CHECK(chain.cpmip.parallelization == Approx(168));
    CHECK(chain.cpmip.ajpsy == Approx((100 + 600) / 4.));
    CHECK(chain.cpmip.coupling_cost == Approx(0.1));
    CHECK_FALSE(is_known(chain.cpmip.memory_bloat));
    CHECK_FALSE(is_known(chain_of({first, job(3, 1.5, 192, unknown)}).cpmip.ajpsy));
    CHECK(chain_of({first}).cpmip.chsy == first.cpmip.chsy);
}

TEST_CASE("NP = CHSY SYPD / 24 for every row of a run") {
    for (const double cores : {1., 96., 10001.}) {
        for (const double years : {0.01, 1., 250.}) {
            const Cpmip c = job(years, 0.7, cores, unknown).cpmip;
            CHECK(c.chsy * c.sypd / 24 == Approx(cores).epsilon(1e-12));
            CHECK(c.parallelization == cores);
        }
    }
}

TEST_CASE("cores from the environment of a batch job") {
    CHECK(allocated_cores(from(environment("slurm.env"))).cores == 180);
    CHECK(allocated_cores(from(environment("slurm.env"))).from == "SLURM_JOB_CPUS_PER_NODE");
    CHECK(allocated_cores(from(environment("pbs.env"))).cores == 128);
    CHECK(allocated_cores(from(environment("lsf.env"))).cores == 96);
    CHECK(allocated_cores([](const char *) { return nullptr; }).cores == 0);
}

TEST_CASE("hardware threads of a batch system are no cores") {
    // A node of 64 cores with 128 processors: 128 CPUs are 64 cores. 32 CPUs are taken as they are: a job of 32 cores
    // where Slurm counts cores.
    const NodeProcessors node{128, 2};
    CHECK(slurm_cpus("128(x2),32", node) == 64 + 64 + 32);
    CHECK(slurm_cpus("127", node) == 64);
    CHECK(slurm_cpus("128(x2)") == 256); // nothing is known of the node
    CHECK(slurm_cpus("128", {128, 1}) == 128);
    CHECK(allocated_cores(from(environment("slurm.env")), {72, 2}).cores == 36 + 36 + 36); // 72 / 2 twice, 36 fit
}

TEST_CASE("cores of a heterogeneous job are those of all its groups") {
    CHECK(allocated_cores(from(environment("slurm_het.env"))).cores == 2 * 48 + 3 * 64); // 288
    CHECK(allocated_cores(from(environment("slurm_het.env"))).from == "SLURM_JOB_CPUS_PER_NODE of all groups");
}

TEST_CASE("processes with different threads") {
    // Three processes with 1, 2 and 4 threads: 7 cores; the first runs another component, too, and counts once.
    CoupledRun run;
    run.components.resize(2);
    run.components[0].ranks = {0, 1, 2};
    run.components[0].own_cores = 7;
    run.components[1].ranks = {0};
    run.components[1].threads = 1;
    CHECK(run.components[0].cores() == 7);
    CHECK(component_cores(run) == Approx(7));
    run.components[1].threads = 4; // 7 / 3 for each of the first, on average, and 4 here: 4 + 14 / 3
    CHECK(component_cores(run) == Approx(4 + 14.0 / 3));
}

TEST_CASE("table 1 is read, and written in the same form") {
    const std::vector<ModelRow> rows =
        read_model_rows(contents(CPL_LB_TEST_DATA "/../../data/balaji2017_table1.csv"));
    REQUIRE(rows.size() == 18);
    CHECK(rows[0].model == "CM2.6");
    CHECK(rows[0].mode == 'S');
    CHECK(rows[0].coupling_cost == Approx(0.26));
    CHECK_FALSE(is_known(rows[0].data_output_cost));
    CHECK(rows[15].model == "NorESM1");
    CHECK_FALSE(is_known(rows[15].complexity));
    CHECK(csv_of(rows[6]) == "ESM2G T,3.9e+06,63,26.4,235,25,6.5,0.028,42,11.4,gaea/c1\n");
    CHECK(read_model_rows(csv_names() + csv_of(rows[6]))[0].chsy == 235);
    ModelRow odd;
    odd.model = "a,b\nc";
    CHECK(csv_of(odd) == "a b c,,,,,,,,,,\n");
    for (const char *bad :
         {"", "names only\n", "names\nA,1,2\n", "names\nA,x,2,3,4,5,6,7,8,9,p\n", "names\nA,-1,2,3,4,5,6,7,8,9,p\n"})
        CHECK_THROWS_AS(read_model_rows(bad), std::invalid_argument);
}

TEST_CASE("where a run stands") {
    // Three models on a straight line: ten times the points, a tenth of the speed.
    std::vector<ModelRow> rows(4);
    for (std::size_t i = 0; i < 3; ++i) {
        rows[i].mode = 'T';
        rows[i].resolution = std::pow(10, 6 + static_cast<double>(i));
        rows[i].sypd = std::pow(10, 2 - static_cast<double>(i));
        rows[i].complexity = 10;
        rows[i].chsy = 100;
    }
    rows[3].mode = 'S'; // another mode: not in the line
    rows[3].resolution = 1e7;
    rows[3].sypd = 1000;
    ModelRow run;
    run.mode = 'T';
    run.resolution = 1e7;
    run.complexity = 20;
    run.sypd = 5;
    run.chsy = 1000;
    const Standing s = standing(run, rows);
    CHECK(s.rows_in_line == 3);
    CHECK(s.usual_sypd == Approx(10)); // of the line at 1e7
    CHECK(s.sypd_ratio == Approx(0.5));
    CHECK_FALSE(s.extrapolated);
    // Core hours for a degree of freedom: 1e-5, 1e-6, 1e-7; this run 1000 / (1e7 20) = 5e-6: third of four.
    CHECK(s.cost_rank == 3);
    CHECK(s.cost_of == 4);
    CHECK(s.nearest.front() == 1);
    CHECK(s.nearest.size() == 3); // the one without complexity cannot be placed
    run.resolution = 1e9;
    CHECK(standing(run, rows).extrapolated);
    CHECK(standing(run, rows).usual_sypd == Approx(0.1));
    run.resolution = unknown;
    CHECK_FALSE(is_known(standing(run, rows).sypd_ratio));
    CHECK(standing(run, rows).nearest.empty());
}
