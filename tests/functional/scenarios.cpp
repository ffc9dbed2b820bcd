// A model of a few lines for each case that the tests ask for: `mpirun -np N scenarios NAME`. It uses the public C
// interface only. What it knows by itself (its own clock around its sleeps, return codes) it prints as
// "name value" lines for functional_test.cpp, which knows the answers.
#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace {

int rank = 0;
int size = 1;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double slept = 0;
// Sleeps at least so long and adds what it really took.
void work(double seconds) {
    const double start = now();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    slept += now() - start;
}

void say(const char *name, double value) {
    std::printf("%s %.9g\n", name, value);
    std::fflush(stdout);
}

void event(int kind, int field, double seconds) {
    cpl_lb_begin(kind, field);
    work(seconds);
    cpl_lb_end(kind, field);
}

// A receive that really waits for the message of `from`.
void receive(int field, int from) {
    cpl_lb_begin(CPL_LB_GET, field);
    char c = 0;
    MPI_Recv(&c, 1, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cpl_lb_end(CPL_LB_GET, field);
}
void send(int field, int to) {
    cpl_lb_begin(CPL_LB_PUT, field);
    const char c = 0;
    MPI_Send(&c, 1, MPI_CHAR, to, 1, MPI_COMM_WORLD);
    cpl_lb_end(CPL_LB_PUT, field);
}

// Rank 0 computes 40 ms a step, rank 1 100 ms; both exchange at the end of each. The steps before the window
// (the first) and after it do not count: the sleeps of steps 3 to 12 are those of the loop (the window runs from
// the second put to the last).
int imbalance() {
    const bool fast = rank == 0;
    cpl_lb_init(MPI_COMM_WORLD, fast ? "ocean" : "atmosphere");
    const int mine = cpl_lb_field(fast ? "SST" : "heat", fast ? "atmosphere" : "ocean");
    const int theirs = cpl_lb_field(fast ? "heat" : "SST", fast ? "atmosphere" : "ocean");
    double in_loop = 0;
    double waited = 0; // in the exchanges of the window: from the second put to before the last
    for (int step = 0; step < 12; ++step) {
        slept = 0;
        work(fast ? 0.04 : 0.1);
        if (step >= 2) in_loop += slept;
        const double start = now();
        send(mine, 1 - rank);
        receive(theirs, 1 - rank);
        if (step >= 1 && step < 11) waited += now() - start;
    }
    say(fast ? "slept_ocean" : "slept_atmosphere", in_loop);
    say(fast ? "waited_ocean" : "waited_atmosphere", waited);
    return cpl_lb_terminate(86400.0);
}

// Components on alternating ranks; nobody exchanges anything but empty events.
int interleaved() {
    const bool even = rank % 2 == 0;
    cpl_lb_init(MPI_COMM_WORLD, even ? "even" : "odd");
    const int f = cpl_lb_field("F", even ? "odd" : "even");
    for (int i = 0; i < 5; ++i)
        event(even ? CPL_LB_PUT : CPL_LB_GET, f, 0.001);
    return cpl_lb_terminate(0);
}

// 8 events on one process, 10 on another, none on a third; two partitions on each.
int unequal() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "");
    const int g = cpl_lb_field("G", "elsewhere");
    if (rank < 2) {
        for (int i = 0; i < 2; ++i)
            event(CPL_LB_PART, 0, 0.0);
        event(CPL_LB_ENDF, 0, 0.0);
        for (int i = 0; i < (rank == 0 ? 5 : 6); ++i)
            event(CPL_LB_GET, rank == 0 ? f : g, 0.001);
        if (rank == 1) event(CPL_LB_GET, f, 0.001);
    }
    return cpl_lb_terminate(0);
}

// The process that makes everything wrong.
int wrong_calls() {
    say("init_null", cpl_lb_init(MPI_COMM_NULL, "x"));
    say("field_before", cpl_lb_field("F", "x"));
    cpl_lb_begin(CPL_LB_PUT, 1);
    say("terminate_before", cpl_lb_terminate(1.0));
    say("init_unnamed", cpl_lb_init(MPI_COMM_WORLD, ""));
    say("init_twice", cpl_lb_init(MPI_COMM_WORLD, "x"));
    const int f = cpl_lb_field("F", "other");
    say("field", f);
    say("field_again", cpl_lb_field("F", "other"));
    say("field_other", cpl_lb_field("F", "another"));
    say("field_set_unknown", cpl_lb_field_set(99, "a", "b"));
    for (int i = 0; i < 4; ++i)
        event(CPL_LB_PUT, f, 0.001);
    for (int i = 0; i < 3; ++i)
        cpl_lb_begin(77, f);
    cpl_lb_begin(-1, f);
    cpl_lb_begin(CPL_LB_PUT, 1234);
    cpl_lb_end(CPL_LB_PUT, -5);
    cpl_lb_end(CPL_LB_GET, f);
    cpl_lb_begin(CPL_LB_MAP, f);
    cpl_lb_region_begin(3);
    cpl_lb_region_end(1);
    say("region_null", cpl_lb_region(nullptr));
    say("component_end", cpl_lb_component_end());
    say("component_null", cpl_lb_component_begin(nullptr));
    cpl_lb_component_end();
    say("grid", cpl_lb_set_grid(-1, 3));
    say("cell", cpl_lb_set_cell_size(0, 1));
    say("complexity", cpl_lb_set_complexity(std::nan("")));
    say("state", cpl_lb_set_state_bytes(-1));
    say("output", cpl_lb_add_output_bytes(-1));
    say("length", cpl_lb_set_length(0));
    const int code = cpl_lb_terminate(-3.0);
    say("terminate", code);
    say("terminate_twice", cpl_lb_terminate(1.0));
    say("field_after", cpl_lb_field("F", "x"));
    cpl_lb_begin(CPL_LB_PUT, 1);
    return 0;
}

// The whole interface while switched off.
int switched_off() {
    say("init", cpl_lb_init(MPI_COMM_WORLD, "x"));
    say("field", cpl_lb_field("F", "other"));
    say("field_null", cpl_lb_field(nullptr, nullptr));
    say("region", cpl_lb_region("r"));
    event(CPL_LB_PUT, 1, 0.0);
    event(99, -1, 0.0);
    cpl_lb_date(1);
    cpl_lb_region_begin(1);
    cpl_lb_region_end(1);
    say("enabled", cpl_lb_enabled());
    say("component_end", cpl_lb_component_end());
    say("grid", cpl_lb_set_grid(-1, 3));
    say("terminate", cpl_lb_terminate(1.0));
    return 0;
}

// Events nest, interleave, and belong to fields whose names become known late.
int nesting() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field(nullptr, nullptr);
    const int g = cpl_lb_field("", "");
    for (int i = 0; i < 4; ++i) {
        work(0.01);
        cpl_lb_begin(CPL_LB_PUT, f);
        cpl_lb_begin(CPL_LB_MAP, f);
        work(0.01);
        cpl_lb_end(CPL_LB_MAP, f);
        cpl_lb_begin(CPL_LB_OUT, g);
        cpl_lb_end(CPL_LB_PUT, f); // interleaved with OUT
        cpl_lb_end(CPL_LB_OUT, g);
    }
    say("set", cpl_lb_field_set(f, "late", "nobody"));
    cpl_lb_field_set(g, "later", nullptr);
    return cpl_lb_terminate(0);
}

// 101 components in turn on one process, each with four exchanges and then away.
int many_components() {
    cpl_lb_init(MPI_COMM_WORLD, "driver");
    for (int step = 0; step < 4; ++step) {
        for (int c = 0; c < 101; ++c) {
            cpl_lb_component_begin(("component " + std::to_string(c)).c_str());
            event(CPL_LB_GET, cpl_lb_field("F", "driver"), 0.0);
            cpl_lb_component_end();
        }
    }
    return cpl_lb_terminate(0);
}

// Two components in turn on every process: 10 ms in a, 30 ms in b, five times.
int in_turn() {
    cpl_lb_init(MPI_COMM_WORLD, "a");
    const int f = cpl_lb_field("F", "b");
    double away = 0;
    for (int step = 0; step < 5; ++step) {
        MPI_Barrier(MPI_COMM_WORLD); // together, or the window cuts off what one does early
        event(CPL_LB_PUT, f, 0.01);
        cpl_lb_component_begin("b");
        slept = 0;
        event(CPL_LB_GET, f, 0.03);
        if (step >= 1 && step < 4) away += slept;
        cpl_lb_component_end();
    }
    double sum = 0;
    MPI_Reduce(&away, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) say("away", sum / size); // the mean over the processes, as the library gives it
    return cpl_lb_terminate(0);
}

// Dates 0, 10, 20, ..., 90; four exchanges at each of them.
int dated() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    for (int date = 0; date < 100; date += 10) {
        cpl_lb_date(date);
        for (int i = 0; i < 4; ++i)
            event(CPL_LB_GET, f, 0.001);
    }
    return cpl_lb_terminate(100);
}

// As dated, but no file may grow beyond a kilobyte from before terminate on.
int file_limit() {
    const rlimit limit{1024, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    return dated();
}

// As dated, but the model never tells its date.
int undated() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    for (int i = 0; i < 4; ++i)
        event(CPL_LB_GET, cpl_lb_field("F", "x"), 0.001);
    return cpl_lb_terminate(100);
}

// More events than the bound holds: CPL_LB_MAX_MB=1 is two chunks of 65,536 words.
int overflow() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    const char *text = std::getenv("EVENTS");
    const long events = text != nullptr ? std::atol(text) : 200000;
    for (long i = 0; i < events; ++i) {
        cpl_lb_begin(CPL_LB_GET, f);
        cpl_lb_end(CPL_LB_GET, f);
    }
    return cpl_lb_terminate(100);
}

// Other threads call; nothing of theirs is recorded.
int threads() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    std::vector<std::thread> others;
    for (int t = 0; t < 3; ++t) {
        others.emplace_back([f] {
            for (int i = 0; i < 100; ++i)
                event(CPL_LB_GET, f, 0.0);
        });
    }
    for (int i = 0; i < 100; ++i)
        event(CPL_LB_GET, f, 0.0);
    for (std::thread &t : others)
        t.join();
    return cpl_lb_terminate(0);
}

// Rank 1 is not in the communicator: an uninstrumented I/O server.
int subset() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 1, rank, &comm);
    int code = 0;
    if (rank != 1) {
        cpl_lb_init(comm, rank == 0 ? "ocean" : "atmosphere");
        for (int i = 0; i < 4; ++i)
            event(CPL_LB_PUT, cpl_lb_field("F", "x"), 0.001);
        code = cpl_lb_terminate(0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return code;
}

// The last rank (or with MISSING, that one) never comes to terminate.
int missing() {
    const char *text = std::getenv("MISSING");
    const int who = text != nullptr ? std::atoi(text) : size - 1;
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "first" : rank == size - 1 ? "last" : "middle");
    for (int i = 0; i < 4; ++i)
        event(CPL_LB_PUT, cpl_lb_field("F", "x"), 0.001);
    const double start = now();
    const int code = rank == who ? 0 : cpl_lb_terminate(0);
    if (rank == (who == 0 ? 1 : 0)) {
        say("terminate", code);
        say("waited", now() - start);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

// The last rank comes two seconds after the time limit.
int too_late() {
    cpl_lb_init(MPI_COMM_WORLD, rank == size - 1 ? "late" : "ocean");
    for (int i = 0; i < 4; ++i)
        event(CPL_LB_PUT, cpl_lb_field("F", "x"), 0.001);
    if (rank == size - 1) work(3.5);
    const int code = cpl_lb_terminate(0);
    if (rank == size - 1) say("late", code);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

// The last rank never comes to init.
int no_init() {
    int code = 0;
    if (rank != size - 1) code = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    if (rank == 0) {
        say("init", code);
        say("enabled", cpl_lb_enabled());
        say("terminate", cpl_lb_terminate(0));
    }
    if (rank == size - 1) work(3.0); // the others' broadcast needs it to be alive
    std::fflush(nullptr);
    _exit(0); // its communicator is in the middle of a duplication: MPI_Finalize is the model's to fail
}

int names() {
    const std::string lengthy(10000, 'n');
    const char *names[] = {"a/b", "a b", "\"quoted\"", "<script>", "\xc3\xa9t\xc3\xa9", "a,b%c", lengthy.c_str()};
    cpl_lb_init(MPI_COMM_WORLD, "driver");
    for (const char *name : names) {
        cpl_lb_component_begin(name);
        for (int i = 0; i < 4; ++i)
            event(CPL_LB_PUT, cpl_lb_field(name, name), 0.0);
        cpl_lb_component_end();
    }
    return cpl_lb_terminate(0);
}

// The three components of the paper's script: pam_ and pim_ exchange, poum does not.
int paper() {
    const char *names[] = {"pam_", "pim_", "poum"};
    const int me = rank % 3;
    cpl_lb_init(MPI_COMM_WORLD, names[me]);
    event(CPL_LB_PART, 0, 0.01);
    event(CPL_LB_ENDF, 0, 0.02);
    const int f = cpl_lb_field("F", names[1 - me % 2]);
    for (int i = 0; i < 6 && me < 2; ++i) {
        work(me == 0 ? 0.02 : 0.01);
        event(me == 0 ? CPL_LB_PUT : CPL_LB_GET, f, me == 0 ? 0.005 : 0.01);
        event(CPL_LB_MAP, f, 0.005);
    }
    return cpl_lb_terminate(86400.0);
}

// CLOCK_MONOTONIC past any library that bends it for cpl_lb, and, in its time namespace, the same for all processes
// up to SHIFT_<rank> seconds.
double true_time() {
    timespec t{};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    const char *shift = std::getenv(("SHIFT_" + std::to_string(rank)).c_str());
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec) -
           (shift != nullptr ? std::atof(shift) : 0.0);
}

// Two processes of one component, 22 GETs of random length that begin at random. What is true is known from a clock
// that nobody bends: jitter and waiting of the 20 GETs of the window, and the slack in which the scheduler may have
// put the library's reading beside ours.
int skewed() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    std::srand(static_cast<unsigned>(rank) + 7);
    double jitter = 0;
    double waiting = 0;
    double slack = 0;
    for (int i = 0; i < 22; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        work(1e-4 * (std::rand() % 100));
        const double before = true_time();
        cpl_lb_begin(CPL_LB_GET, f);
        const double start = true_time();
        work(0.02 + 1e-4 * (std::rand() % 100));
        const double stop = true_time();
        cpl_lb_end(CPL_LB_GET, f);
        double mine[] = {start, -start, stop, true_time() - stop + start - before};
        double all[4];
        MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (i < 1 || i == 21) continue;
        jitter += all[0] + all[1];
        waiting += all[2] - all[0];
        slack += all[3];
    }
    if (rank == 0) {
        say("jitter", jitter);
        say("waiting", waiting);
        say("slack", slack);
    }
    return cpl_lb_terminate(0);
}

// One partition and no field at all; and a component that stops early.
int no_field() {
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "lonely" : "early");
    event(CPL_LB_PART, 0, 0.001);
    if (rank == 0) work(0.3);
    return cpl_lb_terminate(0);
}

// Only the component's first process couples: 4 exchanges of 20 ms, 20 ms of work between.
int master_alone() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    if (rank == 0) {
        double waited = 0;
        for (int i = 0; i < 6; ++i) {
            work(0.02);
            slept = 0;
            event(CPL_LB_GET, f, 0.02);
            if (i >= 1 && i < 5) waited += slept;
        }
        say("waited", waited);
    }
    return cpl_lb_terminate(0);
}

} // namespace

int main(int argc, char **argv) {
    const std::map<std::string, int (*)()> scenarios = {{"imbalance", imbalance},
                                                        {"interleaved", interleaved},
                                                        {"unequal", unequal},
                                                        {"wrong_calls", wrong_calls},
                                                        {"switched_off", switched_off},
                                                        {"nesting", nesting},
                                                        {"many_components", many_components},
                                                        {"in_turn", in_turn},
                                                        {"dated", dated},
                                                        {"undated", undated},
                                                        {"overflow", overflow},
                                                        {"threads", threads},
                                                        {"subset", subset},
                                                        {"missing", missing},
                                                        {"too_late", too_late},
                                                        {"no_init", no_init},
                                                        {"names", names},
                                                        {"paper", paper},
                                                        {"no_field", no_field},
                                                        {"skewed", skewed},
                                                        {"file_limit", file_limit},
                                                        {"master_alone", master_alone}};
    const auto scenario = scenarios.find(argc > 1 ? argv[1] : "");
    if (scenario == scenarios.end()) return 2;
    if (scenario->first == "wrong_calls") {
        say("before_mpi", cpl_lb_init(MPI_COMM_WORLD, "x"));
    }
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int code = scenario->second();
    if (code != 0) std::printf("code %d\n", code);
    MPI_Finalize();
    if (scenario->first == "wrong_calls") {
        say("after_finalize", cpl_lb_init(MPI_COMM_WORLD, "x"));
        say("terminate_after_finalize", cpl_lb_terminate(0));
    }
    return 0;
}
