// Counts in the form of launchers and in templates, as cpl-lb balance prints them. Expected lines are worked out by
// hand from counts that --allowed leaves no choice about.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"

#include <algorithm>
#include <fstream>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// atm and ocn side by side with these counts.
std::string two_with(const TemporaryFolder &folder, int atm, int ocn, const std::string &more) {
    const std::string curves = write_curves(folder, "atm,1,60\natm,2,30\nocn,1,40\nocn,2,20\n");
    return "balance table --curves " + curves +
           " --layout 'max(atm,ocn)' --total 64 --allowed atm=" + std::to_string(atm) +
           ",ocn=" + std::to_string(ocn) + " " + more;
}

// What stands behind the answer: from the last empty line on.
std::string lines_of(const Result &r) {
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return r.output.substr(r.output.rfind("\n\n") + 2);
}

} // namespace

TEST_CASE("launch: mpirun and srun by default, one of them if asked, each once") {
    const TemporaryFolder folder;
    // 6 and 4 processes: ranks 0 to 5 and 6 to 9.
    const std::string mpirun = "mpirun -np 6 ./atm : -np 4 ./ocn\n";
    const std::string srun = "salloc -n 6 : -n 4   # Slurm, a heterogeneous job:\n"
                             "srun --het-group=0 -n 6 ./atm : --het-group=1 -n 4 ./ocn\n"
                             "srun -n 10 --multi-prog programs.conf   # Slurm, one job; programs.conf:\n"
                             "  0-5 ./atm\n  6-9 ./ocn\n";
    CHECK(lines_of(command(folder, two_with(folder, 6, 4, ""))) == mpirun + srun);
    CHECK(lines_of(command(folder, two_with(folder, 6, 4, "--launch mpirun"))) == mpirun);
    CHECK(lines_of(command(folder, two_with(folder, 6, 4, "--launch srun"))) == srun);
    CHECK(lines_of(command(folder, two_with(folder, 6, 4, "--launch srun,mpirun"))) == mpirun + srun);
    CHECK(lines_of(command(folder, two_with(folder, 6, 4, "--launch mpirun --launch srun"))) == mpirun + srun);
    // 3 of 4 cores of a node: mpirun would put the ocean onto it, too.
    CHECK(
        lines_of(command(folder, two_with(folder, 3, 4, "--cores-per-node 4 --launch mpirun"))) ==
        "# No lines for mpirun: it fills node after node, and components would share one, although each was to have "
        "whole nodes.\n");
    for (const std::string other : {"torque", "pbs", "lsf", "cime", "ufs", "coawst"}) {
        const auto wrong = command(folder, two_with(folder, 6, 4, "--launch " + other));
        CHECK(wrong.status == 2);
        CHECK(says(wrong.errors, other));
    }
}

TEST_CASE("launch: a template of the user's own") {
    const TemporaryFolder folder;
    const std::string pattern = folder / "job.in";
    const auto with = [&](const std::string &text, const std::string &more = "") {
        std::ofstream(pattern, std::ios::binary) << text;
        return command(folder, two_with(folder, 7, 4, "--template " + pattern + " " + more));
    };
    // 7 processes of atm are ranks 0 to 6, 4 of ocn ranks 7 to 10. Only the text is printed.
    CHECK(with("run {atm} {ocn}").output == "run 7 4");
    CHECK(with("{atm.processes} {atm.threads} {atm.cores} {atm.first}-{atm.last} {ocn.first}-{ocn.last}\r\n{total} "
               "{cores}\n")
              .output == "7 1 7 0-6 7-10\r\n11 11\n");
    // Nodes of 4 cores: two for atm, one for ocn.
    CHECK(with("{atm.nodes} {ocn.nodes} {nodes}", "--cores-per-node 4").output == "2 1 3");
    // Braces, and what belongs to the shell.
    CHECK(with("f() {{ echo ${HOME} ${OUT:-${HOME}/{atm}} {atm}; }}").output ==
          "f() { echo ${HOME} ${OUT:-${HOME}/{atm}} 7; }");
    CHECK(with("").output.empty());
    const auto wrong = [&](const std::string &text) { return error_of(with(text)); };
    CHECK(says(
        wrong("a\nb {ocaen}\n"),
        pattern + ":2: there is no name {ocaen}: write {{ and }} for braces of the file's own; there are {atm}, "
                  "{ocn}, each also with .processes, .threads, .cores, .nodes, .first, .last, .tiles_i and .tiles_j, "
                  "and {total}, {cores}, {nodes}"));
    // Braces of the shell and awk: some stay as they are, others have to be doubled.
    CHECK(with("awk '{{print $1}}' ${FILE}").output == "awk '{print $1}' ${FILE}");
    CHECK(says(wrong("a\nawk '{print $1}' list\n"),
               pattern + ":2: there is no name {print $1}: write {{ and }} for braces of the file's own"));
    CHECK(says(wrong("awk '{\n  print $1\n}'"),
               pattern + ":1: a '{' without its '}'; write {{ for a brace of the file's own"));
    CHECK(says(wrong("\n\n{atm"), pattern + ":3: a '{' without its '}'; write {{ for a brace"));
    CHECK(says(wrong("{atm\n}"), pattern + ":1: a '{' without its '}'"));
    CHECK(says(wrong("a }"), pattern + ":1: a '}' without its '{'; write }} for a brace"));
    CHECK(says(wrong("${HOME"), pattern + ":1: '${' without its '}'"));
    CHECK(says(wrong("{}"), pattern + ":1: there is no name {}"));
    CHECK(says(wrong("{atm.ranks}"), pattern + ":1: there is no name {atm.ranks}"));
    CHECK(says(wrong("{atm.nodes}"), pattern + ":1: the number of nodes needs --cores-per-node"));
    CHECK(says(error_of(command(folder, two_with(folder, 7, 4, "--template " + folder.path() + "/none"))), "none"));
    CHECK(says(with("x", "--launch srun").errors, "--template is a form of its own"));
    CHECK(command(folder, two_with(folder, 7, 4, "--launch " + pattern)).output == with("x").output);
    // A file whose name has a comma in it, and one that is called as a form.
    for (const std::string &path : {folder / "job,old.in", folder / "mpirun,srun"}) {
        std::ofstream(path) << "run {atm}";
        CHECK(command(folder, two_with(folder, 7, 4, "--launch " + path)).output == "run 7");
    }
}

TEST_CASE("launch: a template with the tiles of a component") {
    const TemporaryFolder folder;
    const std::string pattern = folder / "SIZE.h.in";
    std::ofstream(pattern) << "nPx={ocn.tiles_i},nPy={ocn.tiles_j},sNx=120/{ocn.tiles_i} {atm.tiles_i}x{atm.tiles_j}";
    const auto with = [&](int ocn, const std::string &more) {
        const Result r = command(folder, two_with(folder, 7, ocn, "--template " + pattern + " " + more));
        INFO(r.errors);
        CHECK(r.status == 0);
        return r.output;
    };
    // The most square split, with fewer tiles in I: 12 = 3 x 4, 9 = 3 x 3; of a prime number 1 x 7.
    CHECK(with(12, "") == "nPx=3,nPy=4,sNx=120/3 1x7");
    CHECK(with(9, "") == "nPx=3,nPy=3,sNx=120/3 1x7");
}

// CESM's layout: ice beside land, then the atmosphere on the same cores, and the ocean behind them.
TEST_CASE("launch: the template for CIME's xmlchange") {
    const TemporaryFolder folder;
    const auto filled = [&](const std::string &counts, const std::string &curves, const std::string &columns) {
        const Result r = command(folder, "balance table --curves " + write_curves(folder, curves, columns) +
                                             " --layout 'max(max(ice,lnd)+atm,ocn)' --total 64 --allowed " + counts +
                                             " --template " CPL_LB_TEMPLATES "/cime.in");
        INFO(r.errors);
        CHECK(r.status == 0);
        return r.output.substr(r.output.find("./xmlchange"));
    };
    // Tasks 0 to 7 for the atmosphere, of which 0 to 5 are the ice's and 6 and 7 the land's; 8 to 11 for the ocean.
    CHECK(filled("ice=6,lnd=2,atm=8,ocn=4",
                 "atm,1,60\natm,2,30\nocn,1,40\nocn,2,20\nice,1,8\nice,2,4\nlnd,1,6\nlnd,2,3\n",
                 "component,processes,seconds") == "./xmlchange NTASKS_ATM=8,NTHRDS_ATM=1,ROOTPE_ATM=0\n"
                                                   "./xmlchange NTASKS_LND=2,NTHRDS_LND=1,ROOTPE_LND=6\n"
                                                   "./xmlchange NTASKS_ICE=6,NTHRDS_ICE=1,ROOTPE_ICE=0\n"
                                                   "./xmlchange NTASKS_OCN=4,NTHRDS_OCN=1,ROOTPE_OCN=8\n"
                                                   "./case.setup --reset\n");
    // 8 cores of the ocean with two threads are 4 tasks.
    CHECK(filled("ice=6,lnd=2,atm=8,ocn=8",
                 "atm,1,1,60\natm,2,1,30\nocn,1,2,40\nocn,2,2,20\nice,1,1,8\nice,2,1,4\nlnd,1,1,6\nlnd,2,1,3\n",
                 "component,processes,threads,seconds") == "./xmlchange NTASKS_ATM=8,NTHRDS_ATM=1,ROOTPE_ATM=0\n"
                                                           "./xmlchange NTASKS_LND=2,NTHRDS_LND=1,ROOTPE_LND=6\n"
                                                           "./xmlchange NTASKS_ICE=6,NTHRDS_ICE=1,ROOTPE_ICE=0\n"
                                                           "./xmlchange NTASKS_OCN=4,NTHRDS_OCN=2,ROOTPE_OCN=8\n"
                                                           "./case.setup --reset\n");
}

TEST_CASE("launch: the template for PBS") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers());
    const Result r =
        command(folder, "balance " + folder.path() +
                            " --total 6 --allowed ocean=2,atmosphere=4 --template " CPL_LB_TEMPLATES "/pbs.in");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    CHECK(says(r.output, "\n#PBS -l select=2:ncpus=1:mpiprocs=1:ompthreads=1+4:ncpus=1:mpiprocs=1:ompthreads=1\n"));
    CHECK(says(r.output, " -np 2 ./ocean : -np 4 ./atmosphere\n"));
    CHECK(says(r.output, "whole nodes of 128 cores are {ocean.nodes}:ncpus=128:mpiprocs=128 with"));
    // It is a script of bash, and its variables are the shell's.
    write(folder, "job.sh", r.output);
    CHECK(shell(folder, "bash -n " + (folder / "job.sh")).status == 0);
    CHECK(says(r.output, "\ncd \"$PBS_O_WORKDIR\" || exit 1\n"));
}

TEST_CASE("launch: the template for UFS") {
    const TemporaryFolder folder;
    const std::string curves =
        write_curves(folder, "FV3,1,60\nFV3,2,30\nMOM6,1,40\nMOM6,2,20\nCICE6,1,8\nCICE6,2,4\n");
    const Result r =
        command(folder, "balance table --curves " + curves + " --layout 'max(FV3,MOM6,CICE6)' --total 64 --allowed " +
                            "FV3=15,MOM6=6,CICE6=3 --template " CPL_LB_TEMPLATES "/ufs.configure.in");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    // By name: CICE6 has PETs 0 to 2, FV3 the next 15, MOM6 the last 6.
    CHECK(says(r.output, "\nATM_petlist_bounds: 3 17\nOCN_petlist_bounds: 18 23\nICE_petlist_bounds: 0 2\n"));
}

TEST_CASE("launch: nothing of a component's name comes into a template") {
    const TemporaryFolder folder;
    std::vector<TimelineLiteral> run = sleepers();
    run[0].name = "$(touch PWN)";
    run[1].name = "`touch PWN2`;'";
    for (const TimelineLiteral &component : run)
        write_timeline(folder.path(), component, {run[0].name, run[1].name});
    const std::string pattern = folder / "job.in";
    std::ofstream(pattern) << "{$(touch PWN)} {`touch PWN2`;'.first}-{`touch PWN2`;'.last} {total}\n";
    const Result r = command(folder, "balance " + folder.path() + " --total 6 --template " + pattern);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    CHECK(r.output.find_first_not_of("0123456789 -\n") == std::string::npos);
}

TEST_CASE("launch: lines for programs") {
    const TemporaryFolder folder;
    const json answer =
        json::parse(command(folder, two_with(folder, 3, 4, "--cores-per-node 4 --launch mpirun,srun --json")).output);
    CHECK(answer.at("launch").at("mpirun").is_null()); // 3 of 4 cores
    CHECK(answer.at("launch").at("srun") == "salloc -N 1 -n 3 : -N 1 -n 4   # Slurm, a heterogeneous job:\n"
                                            "srun --het-group=0 -n 3 ./atm : --het-group=1 -n 4 ./ocn\n");
    CHECK_FALSE(json::parse(command(folder, two_with(folder, 6, 4, "--json")).output).contains("launch"));
}

TEST_CASE("launch: cpl-lb-record stands before the programs whose MPI was recorded") {
    const TemporaryFolder folder;
    const std::vector<TimelineLiteral> run = sleepers();
    write_run(folder.path(), run);
    CoupledRun told = told_run(run);
    for (std::size_t p = 0; p < run[1].ranks.size(); ++p) // of the atmosphere only
        told.components[1].inside.useful_s.add(100);
    const std::string arguments = "balance " + folder.path() + " --total 6 --allowed ocean=2,atmosphere=4 ";
    CHECK(says(lines_of(command(folder, arguments)), "mpirun -np 2 ./ocean : -np 4 ./atmosphere\n"));
    write_told(folder.path(), told);
    const std::string lines = lines_of(command(folder, arguments));
    CHECK(says(lines, "mpirun -np 2 ./ocean : -np 4 cpl-lb-record ./atmosphere\n"));
    CHECK(says(lines, "srun --het-group=0 -n 2 ./ocean : --het-group=1 -n 4 cpl-lb-record ./atmosphere\n"));
    CHECK(says(lines, "  2-5 cpl-lb-record ./atmosphere\n"));
}
