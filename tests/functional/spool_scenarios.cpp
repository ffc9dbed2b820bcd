// Runs that die, each in its own way: `mpirun -np N spool_scenarios NAME`. Half of the processes are the ocean, half
// the atmosphere; in each of 20 steps (see `steps_done`) every process sends a field to its partner and gets one, so
// it leaves 20 PUTs and 20 GETs. What each knows by itself it prints as "name value" lines.
#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

int rank = 0;
int size = 1;
constexpr int steps = 20;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void say(const std::string &name, double value) {
    std::printf("%s %.9f\n", name.c_str(), value);
    std::fflush(stdout);
}

struct Model {
    bool ocean = false;
    int partner = 0;
    int mine = 0;
    int theirs = 0;
};

Model start() {
    Model m;
    m.ocean = rank < size / 2;
    m.partner = (rank + size / 2) % size;
    cpl_lb_init(MPI_COMM_WORLD, m.ocean ? "ocean" : "atmosphere");
    m.mine = cpl_lb_field(m.ocean ? "SST" : "heat", m.ocean ? "atmosphere" : "ocean");
    m.theirs = cpl_lb_field("", ""); // its name comes late
    cpl_lb_field_set(m.theirs, m.ocean ? "heat" : "SST", m.ocean ? "atmosphere" : "ocean");
    return m;
}

// The ocean computes 10 ms a step, the atmosphere 20.
void step(const Model &m) {
    std::this_thread::sleep_for(std::chrono::milliseconds(m.ocean ? 10 : 20));
    char c = 0;
    cpl_lb_begin(CPL_LB_PUT, m.mine);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(&c, 1, MPI_CHAR, m.partner, 1, MPI_COMM_WORLD, &request);
    cpl_lb_end(CPL_LB_PUT, m.mine);
    cpl_lb_begin(CPL_LB_GET, m.theirs);
    char d = 0;
    MPI_Recv(&d, 1, MPI_CHAR, m.partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cpl_lb_end(CPL_LB_GET, m.theirs);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void all_steps(const Model &m) {
    for (int i = 0; i < steps; ++i)
        step(m);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Rank 0 has two exchanges more at set-up than the other process of the ocean. 3 s later come the steps, each of
// which all begin together: by their times events of different steps, or of a step and of set-up, are never nearer to
// each other than those that belong together, unless the 20 steps of 20 ms take seconds.
void all_steps_after_set_up(const Model &m) {
    for (int i = 0; i < 2 && rank == 0; ++i) {
        cpl_lb_begin(CPL_LB_GET, m.theirs);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        cpl_lb_end(CPL_LB_GET, m.theirs);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    std::this_thread::sleep_for(std::chrono::seconds(3));
    for (int i = 0; i < steps; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        step(m);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// A place in the code where nothing is written any more, so that the counts are known.
void wait_to_be_killed() {
    std::this_thread::sleep_for(std::chrono::seconds(60));
}

volatile int *volatile nowhere = nullptr;

void end_as(const std::string &how, const Model &m) {
    if (how == "kill_all" || how == "more") kill(getpid(), SIGKILL);
    if (how == "kill_one" && rank == 1) kill(getpid(), SIGKILL);
    if (how == "abort" && rank == 0) std::abort();
    if (how == "mpi_abort" && rank == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (how == "segfault" && rank == 0) *nowhere = 1;
    if (how == "exit" && rank == 0) std::exit(5);
    if (how == "open" && rank == 0) { // dies inside a GET
        cpl_lb_begin(CPL_LB_GET, m.theirs);
        cpl_lb_begin(CPL_LB_MAP, m.theirs);
        kill(getpid(), SIGKILL);
    }
    if (how == "open_all") { // all die inside a GET, rank 0 last
        if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
        cpl_lb_begin(CPL_LB_GET, m.theirs);
        if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
        if (rank == 0) kill(getpid(), SIGKILL);
    }
    // Goes on, after the others have stopped recording. A second later: by their times, on a busy machine too, no
    // event of this stretch is nearer to one of the others' than those that belong together.
    if (how == "silent" && rank == 0) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        for (int i = 0; i < 5; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            cpl_lb_begin(CPL_LB_PUT, m.mine);
            cpl_lb_end(CPL_LB_PUT, m.mine);
        }
        kill(getpid(), SIGKILL);
    }
    wait_to_be_killed();
}

// Two events 3 s apart, by the model's own clock: read before and after each, so that the time between their starts
// lies between `least` and `most`, whatever the scheduler does.
void timed(const Model &m) {
    double before[2] = {}, after[2] = {};
    for (const int event : {0, 1}) {
        if (event == 1) std::this_thread::sleep_for(std::chrono::seconds(3));
        before[event] = now();
        cpl_lb_begin(CPL_LB_OUT, m.mine);
        after[event] = now();
        cpl_lb_end(CPL_LB_OUT, m.mine);
    }
    say("least_" + std::to_string(rank), before[1] - after[0]);
    say("most_" + std::to_string(rank), after[1] - before[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    kill(getpid(), SIGKILL);
}

// 100,000 pairs on each process: 2.6 chunks and some marks. All have their files before the first one grows.
void many(const Model &m) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 100'000; ++i) {
        if (i % 1000 == 0) cpl_lb_date(i);
        cpl_lb_begin(CPL_LB_PUT, m.mine);
        cpl_lb_end(CPL_LB_PUT, m.mine);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

} // namespace

int main(int argc, char **argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rlimit files{};
    getrlimit(RLIMIT_FSIZE, &files);
    const rlimit small{65536, files.rlim_max};
    if (name == "limited") setrlimit(RLIMIT_FSIZE, &small);
    const Model m = start();
    setrlimit(RLIMIT_FSIZE, &files);
    if (name == "timed") timed(m);
    if (name == "many" || name == "many_killed") many(m);
    if (name == "many_killed") kill(getpid(), SIGKILL);
    if (name == "more")
        all_steps_after_set_up(m);
    else if (name != "many")
        all_steps(m);
    if (name != "clean" && name != "limited" && name != "many") end_as(name, m);
    const int code = cpl_lb_terminate(0);
    if (code != 0) say("code", code);
    MPI_Finalize();
    return 0;
}
