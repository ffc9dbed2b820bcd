// Counts in the form of launchers, schedulers and workflows, as cpl-lb balance prints them. Expected lines are worked
// out by hand from counts that --allowed leaves no choice about.
#include "io/json/info_json.hpp"
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
    return "balance --curves " + curves + " --layout 'max(atm,ocn)' --total 64 --allowed atm=" + std::to_string(atm) +
           ",ocn=" + std::to_string(ocn) + " " + more;
}

// CESM's layout: ice beside land, then the atmosphere on the same cores, and the ocean on others.
std::string cesm_with(const TemporaryFolder &folder, const std::string &counts, const std::string &more) {
    const std::string curves =
        write_curves(folder, "atm,1,60\natm,2,30\nocn,1,40\nocn,2,20\nice,1,8\nice,2,4\nlnd,1,6\nlnd,2,3\n");
    return "balance --curves " + curves + " --layout 'max(max(ice,lnd)+atm,ocn)' --total 64 --allowed " + counts +
           " " + more;
}

// What stands behind the answer: from the last empty line on.
std::string lines_of(const Result &r) {
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return r.output.substr(r.output.rfind("\n\n") + 2);
}

std::string error_of(const Result &r) {
    CHECK(r.status == 1);
    CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    return r.errors;
}

bool holds(const std::string &text, const std::string &part) {
    if (text.find(part) != std::string::npos) return true;
    UNSCOPED_INFO(text);
    return false;
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
    const auto wrong = command(folder, two_with(folder, 6, 4, "--launch torque"));
    CHECK(wrong.status == 2);
    CHECK(holds(wrong.errors, "torque"));
}

TEST_CASE("launch: PBS select, a chunk group for each component") {
    const TemporaryFolder folder;
    // Without nodes each process is a chunk.
    CHECK(lines_of(command(folder, two_with(folder, 6, 4, "--launch pbs"))) ==
          "#PBS -l select=6:ncpus=1:mpiprocs=1:ompthreads=1+4:ncpus=1:mpiprocs=1:ompthreads=1\n");
    // Nodes of 4 cores: 7 = 4 + 3 processes of atm on two nodes, 8 = 4 + 4 of ocn on two.
    CHECK(lines_of(command(folder, two_with(folder, 7, 8, "--cores-per-node 4 --launch pbs"))) ==
          "#PBS -l select=1:ncpus=4:mpiprocs=4:ompthreads=1+1:ncpus=4:mpiprocs=3:ompthreads=1+"
          "2:ncpus=4:mpiprocs=4:ompthreads=1\n");
    // 8 cores of atm with 2 threads: 4 processes, two on each node.
    const std::string curves = write_curves(folder, "atm,1,2,60\natm,2,2,30\nocn,1,1,40\nocn,2,1,20\n",
                                            "component,processes,threads,seconds");
    const std::string threads =
        "balance --curves " + curves + " --layout 'max(atm,ocn)' --total 16 --allowed atm=8,ocn=4 ";
    CHECK(lines_of(command(folder, threads + "--cores-per-node 4 --launch pbs")) ==
          "#PBS -l select=2:ncpus=4:mpiprocs=2:ompthreads=2+1:ncpus=4:mpiprocs=4:ompthreads=1\n");
    CHECK(lines_of(command(folder, threads + "--launch pbs")) ==
          "#PBS -l select=4:ncpus=2:mpiprocs=1:ompthreads=2+4:ncpus=1:mpiprocs=1:ompthreads=1\n");
    // In turn on the same 8 cores: max(6 + 2, 8) processes of one executable.
    CHECK(lines_of(command(folder, cesm_with(folder, "ice=6,lnd=2,atm=8,ocn=4", "--launch pbs"))) ==
          "#PBS -l select=8:ncpus=1:mpiprocs=1:ompthreads=1+4:ncpus=1:mpiprocs=1:ompthreads=1\n");
}

TEST_CASE("launch: LSF's slots, and what each component asks of its hosts") {
    const TemporaryFolder folder;
    CHECK(lines_of(command(folder, two_with(folder, 6, 4, "--launch lsf"))) == "#BSUB -n 10\n");
    // Nodes of 4: 7 processes by four on a host, 3 on one.
    CHECK(lines_of(command(folder, two_with(folder, 7, 3, "--cores-per-node 4 --launch lsf"))) ==
          "#BSUB -n 10\n#BSUB -R \"7*{span[ptile=4]} + 3*{span[ptile=3]}\"\n#BSUB -x\n");
    // 4 processes with 2 threads, and 4 with one; two of the first fit on a node.
    const std::string curves = write_curves(folder, "atm,1,2,60\natm,2,2,30\nocn,1,1,40\nocn,2,1,20\n",
                                            "component,processes,threads,seconds");
    const std::string threads =
        "balance --curves " + curves + " --layout 'max(atm,ocn)' --total 16 --allowed atm=8,ocn=4 ";
    CHECK(lines_of(command(folder, threads + "--cores-per-node 4 --launch lsf")) ==
          "#BSUB -n 8\n#BSUB -R \"4*{span[ptile=2] affinity[core(2)]} + 4*{span[ptile=4]}\"\n#BSUB -x\n");
    CHECK(lines_of(command(folder, threads + "--launch lsf")) ==
          "#BSUB -n 8\n#BSUB -R \"4*{affinity[core(2)]} + 4*{select[type==any]}\"\n");
}

TEST_CASE("launch: CIME's tasks and root tasks, for layouts side by side and in turn") {
    const TemporaryFolder folder;
    // The atmosphere and, in turn with it, ice and land beside each other on tasks 0 to 7; the ocean behind them.
    CHECK(lines_of(command(folder, cesm_with(folder, "ice=6,lnd=2,atm=8,ocn=4", "--launch cime"))) ==
          "./xmlchange NTASKS_ATM=8,NTHRDS_ATM=1,ROOTPE_ATM=0\n"
          "./xmlchange NTASKS_ICE=6,NTHRDS_ICE=1,ROOTPE_ICE=0\n"
          "./xmlchange NTASKS_LND=2,NTHRDS_LND=1,ROOTPE_LND=6\n"
          "./xmlchange NTASKS_OCN=4,NTHRDS_OCN=1,ROOTPE_OCN=8\n"
          "./case.setup --reset\n");
    // Nodes of 4 cores: 8 tasks are -2; land begins on the second node, the ocean with 3 of 4 cores on the third.
    CHECK(
        lines_of(command(folder, cesm_with(folder, "ice=4,lnd=4,atm=8,ocn=3", "--cores-per-node 4 --launch cime"))) ==
        "# Negative: whole nodes; MAX_MPITASKS_PER_NODE must be 4.\n"
        "./xmlchange NTASKS_ATM=-2,NTHRDS_ATM=1,ROOTPE_ATM=0\n"
        "./xmlchange NTASKS_ICE=-1,NTHRDS_ICE=1,ROOTPE_ICE=0\n"
        "./xmlchange NTASKS_LND=-1,NTHRDS_LND=1,ROOTPE_LND=-1\n"
        "./xmlchange NTASKS_OCN=3,NTHRDS_OCN=1,ROOTPE_OCN=-2\n"
        "./case.setup --reset\n");
    // Tasks with two threads: 4 tasks fill 8 cores, two nodes; CIME's negative numbers would count 4 tasks a node.
    const std::string curves = write_curves(folder, "atm,1,2,60\natm,2,2,30\nocn,1,1,40\nocn,2,1,20\n",
                                            "component,processes,threads,seconds");
    const std::string threads =
        "balance --curves " + curves + " --layout 'max(atm,ocn)' --total 16 --allowed atm=8,ocn=4 ";
    CHECK(lines_of(command(folder, threads + "--launch cime")) ==
          "# CIME gives each of the 8 tasks 2 cores, the most threads of a component: 16 cores.\n"
          "./xmlchange NTASKS_ATM=4,NTHRDS_ATM=2,ROOTPE_ATM=0\n"
          "./xmlchange NTASKS_OCN=4,NTHRDS_OCN=1,ROOTPE_OCN=4\n"
          "./case.setup --reset\n");
}

TEST_CASE("launch: names of a form come from the user, or are those of the component") {
    const TemporaryFolder folder;
    write_run(folder.path(), sleepers());
    const std::string arguments =
        "balance " + folder.path() + " --total 6 --allowed ocean=2,atmosphere=4 --launch cime ";
    CHECK(holds(
        error_of(command(folder, arguments)),
        "--launch cime: none of the components (ocean, atmosphere) has one of its names (ATM, LND, ICE, OCN, ROF, "
        "GLC, WAV, CPL, ESP); give them: --form-name ocean=ATM"));
    CHECK(lines_of(command(folder, arguments + "--form-name atmosphere=ATM,ocean=OCN")) ==
          "./xmlchange NTASKS_OCN=2,NTHRDS_OCN=1,ROOTPE_OCN=0\n"
          "./xmlchange NTASKS_ATM=4,NTHRDS_ATM=1,ROOTPE_ATM=2\n"
          "./case.setup --reset\n");
    CHECK(lines_of(command(folder, arguments + "--form-name ocean=river")) ==
          "# Without a name here, and so in no line (processes x threads): atmosphere (4 x 1).\n"
          "./xmlchange NTASKS_ROF=2,NTHRDS_ROF=1,ROOTPE_ROF=0\n"
          "./case.setup --reset\n");
    CHECK(holds(error_of(command(folder, arguments + "--form-name ocean=OCE")),
                "--form-name: cime has no name 'OCE'; its names are ATM, LND, ICE, OCN, ROF, GLC, WAV, CPL, ESP"));
    CHECK(holds(error_of(command(folder, arguments + "--form-name ocean=OCN,atmosphere=ocn")),
                "--launch cime: 'ocean' and 'atmosphere' are both OCN; say which with --form-name"));
    CHECK(holds(error_of(command(folder, arguments + "--form-name sea=OCN")),
                "--form-name: there is no component 'sea'; there are ocean, atmosphere"));
    CHECK(holds(error_of(command(folder, arguments + "--form-name ocean")),
                "--form-name: not COMPONENT=NAME: 'ocean'"));
    CHECK(
        holds(error_of(command(folder, arguments + "--form-name 'ocean=O N'")), "not a name of at most 20 letters"));
}

TEST_CASE("launch: UFS's petlist bounds, PETs that are tasks or cores") {
    const TemporaryFolder folder;
    CHECK(lines_of(command(folder, two_with(folder, 15, 6, "--launch ufs"))) ==
          "ATM_petlist_bounds: 0 14\nOCN_petlist_bounds: 15 20\n");
    // Nodes of 4: 7 PETs of atm on two nodes leave one idle.
    CHECK(lines_of(command(folder, two_with(folder, 7, 3, "--cores-per-node 4 --launch ufs"))) ==
          "# 11 PETs, 1 of them idle, so that each component begins on a node of its own.\n"
          "ATM_petlist_bounds: 0 6\nOCN_petlist_bounds: 8 10\n");
    // 8 cores of atm with 2 threads: ESMF counts cores.
    const std::string curves = write_curves(folder, "atm,1,2,60\natm,2,2,30\nocn,1,1,40\nocn,2,1,20\n",
                                            "component,processes,threads,seconds");
    CHECK(lines_of(command(folder, "balance --curves " + curves +
                                       " --layout 'max(atm,ocn)' --total 16 --allowed atm=8,ocn=4 --launch ufs")) ==
          "# A PET is a core: threads are managed by ESMF (globalResourceControl: true).\n"
          "ATM_petlist_bounds: 0 7\nATM_omp_num_threads: 2\nOCN_petlist_bounds: 8 11\nOCN_omp_num_threads: 1\n");
    // A name that UFS does not have by itself.
    CHECK(lines_of(command(folder, two_with(folder, 15, 6, "--launch ufs --form-name atm=GOCART"))) ==
          "GOCART_petlist_bounds: 0 14\nOCN_petlist_bounds: 15 20\n");
    // The mediator in turn with the atmosphere, as in UFS.
    CHECK(
        lines_of(command(folder, cesm_with(folder, "ice=6,lnd=2,atm=8,ocn=4", "--launch ufs --form-name lnd=MED"))) ==
        "ATM_petlist_bounds: 0 7\nICE_petlist_bounds: 0 5\nMED_petlist_bounds: 6 7\nOCN_petlist_bounds: 8 11\n");
}

TEST_CASE("launch: COAWST's Nnodes, and ROMS's tiles") {
    const TemporaryFolder folder;
    // 12 = 3 x 4 is the most square split.
    CHECK(lines_of(command(folder, two_with(folder, 6, 12, "--launch coawst"))) ==
          "! coupling.in:\n   NnodesATM = 6\n   NnodesOCN = 12\n"
          "! ROMS's own file; with nested grids once for each grid:\n   NtileI == 3\n   NtileJ == 4\n");
    CHECK(holds(lines_of(command(folder, two_with(folder, 6, 12, "--launch coawst --tiles ocn=6x2"))),
                "   NtileI == 6\n   NtileJ == 2\n"));
    CHECK(holds(lines_of(command(folder, two_with(folder, 6, 7, "--launch coawst"))),
                "   NtileI == 1\n   NtileJ == 7\n")); // a prime number
    // By --allowed: at most 2 in I.
    CHECK(holds(lines_of(command(folder, "balance --curves " + folder.path() +
                                             "/curves.csv --layout 'max(atm,ocn)' --total 18 --allowed "
                                             "atm=6,ocn=tiles-to-2x6 --min ocn=12 --launch coawst")),
                "   NtileI == 2\n   NtileJ == 6\n"));
    CHECK(holds(error_of(command(folder, two_with(folder, 6, 12, "--launch coawst --tiles ocn=6x3"))),
                "--tiles: ocn has 12 processes, and 6 x 3 are 18"));
    for (const char *wrong : {"ocn=6", "ocn=6x", "ocn=x2", "ocn=0x12", "ocn=6x2x1", "ocn=-6x-2"}) {
        CHECK(
            holds(error_of(command(folder, two_with(folder, 6, 12, std::string("--launch coawst --tiles ") + wrong))),
                  "--tiles: not COMPONENT=IxJ"));
    }
}

TEST_CASE("launch: a template of the user's own") {
    const TemporaryFolder folder;
    const std::string pattern = folder / "job.in", made = folder / "job.sh";
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
    // The template itself is not replaced by what is made of it.
    CHECK(holds(error_of(with("{atm}", "-o " + folder.path() + "/./job.in")), "-o and --template are one file"));
    CHECK(contents(pattern) == "{atm}");
    const auto wrong = [&](const std::string &text) { return error_of(with(text)); };
    CHECK(holds(
        wrong("a\nb {ocaen}\n"),
        pattern + ":2: there is no name {ocaen}: write {{ and }} for braces of the file's own; there are {atm}, "
                  "{ocn}, each also with .processes, .threads, .cores, .nodes, .first, .last, .tiles_i and .tiles_j, "
                  "and {total}, {cores}, {nodes}"));
    // Braces of the shell and awk: some stay as they are, others have to be doubled.
    CHECK(with("awk '{{print $1}}' ${FILE}").output == "awk '{print $1}' ${FILE}");
    CHECK(holds(wrong("a\nawk '{print $1}' list\n"),
                pattern + ":2: there is no name {print $1}: write {{ and }} for braces of the file's own"));
    CHECK(holds(wrong("awk '{\n  print $1\n}'"),
                pattern + ":1: a '{' without its '}'; write {{ for a brace of the file's own"));
    CHECK(holds(wrong("\n\n{atm"), pattern + ":3: a '{' without its '}'; write {{ for a brace"));
    CHECK(holds(wrong("{atm\n}"), pattern + ":1: a '{' without its '}'"));
    CHECK(holds(wrong("a }"), pattern + ":1: a '}' without its '{'; write }} for a brace"));
    CHECK(holds(wrong("${HOME"), pattern + ":1: '${' without its '}'"));
    CHECK(holds(wrong("{}"), pattern + ":1: there is no name {}"));
    CHECK(holds(wrong("{atm.ranks}"), pattern + ":1: there is no name {atm.ranks}"));
    CHECK(holds(wrong("{atm.nodes}"), pattern + ":1: the number of nodes needs --cores-per-node"));
    // Into a file: the answer is printed, and a template that is wrong leaves the file as it was.
    const auto written = with("{total}\n", "-o " + made);
    CHECK(written.status == 0);
    CHECK(holds(written.output, "proven: no other counts are better"));
    CHECK(test::contents(made) == "11\n");
    CHECK(with("{tota}\n", "-o " + made).status == 1);
    CHECK(test::contents(made) == "11\n");
    CHECK(holds(error_of(command(folder, two_with(folder, 7, 4, "--template " + folder.path() + "/none"))), "none"));
    CHECK(holds(error_of(with("x", "--launch pbs")), "--template is a form of its own"));
    CHECK(holds(error_of(command(folder, two_with(folder, 7, 4, "-o " + made))), "-o is for the lines of --launch"));
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
    CHECK(with(12, "--tiles ocn=6x2") == "nPx=6,nPy=2,sNx=120/6 1x7");
    // At most 2 in I by --allowed: 2 x 6 and not 3 x 4.
    const Result rule = command(folder, "balance --curves " + folder.path() +
                                            "/curves.csv --layout 'max(atm,ocn)' --total 19 --allowed "
                                            "atm=7,ocn=tiles-to-2x6 --min ocn=12 --template " +
                                            pattern);
    CHECK(rule.output == "nPx=2,nPy=6,sNx=120/2 1x7");
}

TEST_CASE("launch: lines into a file, and for programs") {
    const TemporaryFolder folder;
    const std::string made = folder / "select";
    const auto r = command(folder, two_with(folder, 6, 4, "--launch pbs -o " + made));
    CHECK(r.status == 0);
    CHECK(r.output.find("#PBS") == std::string::npos);
    CHECK(test::contents(made) ==
          "#PBS -l select=6:ncpus=1:mpiprocs=1:ompthreads=1+4:ncpus=1:mpiprocs=1:ompthreads=1\n");
    const json answer =
        json::parse(command(folder, two_with(folder, 3, 4, "--cores-per-node 4 --launch mpirun,lsf --json")).output);
    CHECK(answer.at("launch").at("mpirun").is_null()); // 3 of 4 cores
    CHECK(answer.at("launch").at("lsf") ==
          "#BSUB -n 7\n#BSUB -R \"3*{span[ptile=3]} + 4*{span[ptile=4]}\"\n#BSUB -x\n");
    CHECK_FALSE(json::parse(command(folder, two_with(folder, 6, 4, "--json")).output).contains("launch"));
}

TEST_CASE("launch: cpl-lb-record stands before the programs whose MPI was recorded") {
    const TemporaryFolder folder;
    const std::vector<TimelineLiteral> run = sleepers();
    write_run(folder.path(), run);
    CoupledRun told;
    told.run.id = "literal";
    told.component_names = {"ocean", "atmosphere"};
    for (const TimelineLiteral &literal : run) {
        Component c;
        c.name = literal.name;
        c.id = literal.id;
        c.ranks = literal.ranks;
        for (std::size_t p = 0; p < c.ranks.size() && c.id == 2; ++p) // of the atmosphere only
            c.inside.useful_s.add(100);
        told.components.push_back(c);
    }
    const std::string arguments = "balance " + folder.path() + " --total 6 --allowed ocean=2,atmosphere=4 ";
    CHECK(holds(lines_of(command(folder, arguments)), "mpirun -np 2 ./ocean : -np 4 ./atmosphere\n"));
    std::ofstream(folder / "load_balancing_info.json") << info_json(told);
    const std::string lines = lines_of(command(folder, arguments));
    CHECK(holds(lines, "mpirun -np 2 ./ocean : -np 4 cpl-lb-record ./atmosphere\n"));
    CHECK(holds(lines, "srun --het-group=0 -n 2 ./ocean : --het-group=1 -n 4 cpl-lb-record ./atmosphere\n"));
    CHECK(holds(lines, "  2-5 cpl-lb-record ./atmosphere\n"));
}
