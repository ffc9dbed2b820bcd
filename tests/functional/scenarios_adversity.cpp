// Adversity: bounds, missing processes, odd names, bent clocks, signals.
#include "scenarios.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

namespace scenario {
namespace {

void four_puts() {
    for (int i = 0; i < 4; ++i)
        event(CPL_LB_PUT, cpl_lb_field("F", "x"), 0.001);
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

// More events than the bound holds: CPL_LB_MAX_MB=1 is one chunk of 65,536 words.
int overflow() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    const long events = number("EVENTS", 200000);
    for (long i = 0; i < events; ++i)
        mark(CPL_LB_GET, f);
    return cpl_lb_terminate(100);
}

// A model that writes its restart after cpl_lb_terminate, into the folder for results. 200 fields, so that its steps,
// which are in the small results, are 500.
int restart_after() {
    constexpr int fields = 200, steps = 500;
    constexpr std::size_t restart_bytes = 100'000;
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    for (int i = 0; i < fields * steps; ++i)
        mark(CPL_LB_GET, cpl_lb_field(("F" + std::to_string(i % fields)).c_str(), "x"));
    const int code = cpl_lb_terminate(100);
    if (rank != 0) return code;
    std::FILE *const restart = std::fopen((std::string(std::getenv("CPL_LB_DIR")) + "/restart").c_str(), "w");
    const std::string text(restart_bytes, 'r');
    say("restart", static_cast<double>(std::fwrite(text.data(), 1, text.size(), restart)));
    say("closed", std::fclose(restart));
    return code;
}

// Times that no model simulates: of some a speed or a cost would be infinite.
int odd_times() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    for (int i = 0; i < 10; ++i)
        event(CPL_LB_GET, f, 0.0);
    int refused = 0;
    for (const double seconds : {5e-324, 1e-10, 2e18, 1e308, -1.0})
        refused += cpl_lb_set_length(seconds) == CPL_LB_EARGUMENT ? 1 : 0;
    const int ended = cpl_lb_terminate(5e-324);
    if (rank == 0) say("refused", refused);
    if (rank == 0) say("ended", ended);
    return 0;
}

// In each of a hundred steps the same mistakes with other values.
int same_mistakes() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    const int region = cpl_lb_region("dynamics");
    int refused = 0;
    for (int i = 0; i < 100; ++i) {
        const std::string number = std::to_string(i);
        cpl_lb_date(1'700'000'000'000'000'000 + i);
        event(CPL_LB_GET, f, 0.0);
        for (const int code : {cpl_lb_assert_expression(region, "flops", (number + "*").c_str()),
                               cpl_lb_assert_expression(1000 + i, "flops", "1"),
                               cpl_lb_assert_parameter(("residual_" + number).c_str(), std::nan("")),
                               cpl_lb_assert_parameter(("it's " + number).c_str(), 1.0)})
            refused += code == CPL_LB_EARGUMENT ? 1 : 0;
    }
    for (const long date : {9'000'000'000'000'001, -9'000'000'000'000'001})
        cpl_lb_date(date);
    for (const long date : {-9'000'000'000'000'000, 9'000'000'000'000'000, 0L}) {
        cpl_lb_date(date);
        event(CPL_LB_GET, f, 0.0);
    }
    if (rank == 0) say("refused", refused);
    return cpl_lb_terminate(10);
}

// Other threads call; nothing of theirs is recorded.
int threads() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    std::vector<std::thread> others;
    others.reserve(3);
    for (int t = 0; t < 3; ++t) {
        others.emplace_back([f, t] {
            for (int i = 0; i < 100; ++i)
                event(CPL_LB_GET, f, 0.0);
            if (t > 0) return;
            const int codes[] = {cpl_lb_field("G", "y"), cpl_lb_region("r"), cpl_lb_component_begin("ice"),
                                 cpl_lb_set_grid(1, 1), cpl_lb_terminate(1.0)};
            const auto refused = std::count(std::begin(codes), std::end(codes), CPL_LB_ETHREAD);
            if (rank == 0) say("refused", static_cast<double>(refused));
        });
    }
    for (int i = 0; i < 100; ++i)
        event(CPL_LB_GET, f, 0.0);
    for (std::thread &t : others)
        t.join();
    return cpl_lb_terminate(0);
}

// A thread that the model forgot to stop calls until after terminate.
int threads_to_the_end() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    std::atomic<bool> done{false};
    std::thread other([&] {
        while (!done) {
            event(CPL_LB_GET, f, 1e-5);
            cpl_lb_date(1);
            cpl_lb_region_begin(cpl_lb_region("r"));
        }
    });
    for (int i = 0; i < 1000; ++i)
        event(CPL_LB_GET, f, 1e-5);
    const int code = cpl_lb_terminate(0);
    done = true;
    other.join();
    return code;
}

// Rank 1 is not in the communicator: an uninstrumented I/O server.
int subset() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 1, rank, &comm);
    int code = 0;
    if (rank != 1) {
        cpl_lb_init(comm, rank == 0 ? "ocean" : "atmosphere");
        four_puts();
        code = cpl_lb_terminate(0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return code;
}

// The last rank (or with MISSING, that one) never comes to terminate.
int missing() {
    const long who = number("MISSING", size - 1);
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "first" : rank == size - 1 ? "last" : "middle");
    four_puts();
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
    four_puts();
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
    if (rank == 0) say("init", code);
    if (rank == 0) say("enabled", cpl_lb_enabled());
    if (rank != size - 1) code = cpl_lb_terminate(0);
    if (rank == 0) say("terminate", code);
    return 0;
}

// The model forgets terminate.
int no_terminate() {
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "ocean" : "atmosphere");
    event(CPL_LB_PUT, cpl_lb_field("F", "x"), 0.001);
    return 0;
}

// The model goes to a folder of its own before it comes to init.
int elsewhere() {
    if (rank == 0) static_cast<void>(mkdir("elsewhere", 0755));
    MPI_Barrier(MPI_COMM_WORLD);
    if (chdir("elsewhere") != 0) return 1;
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    four_puts();
    return cpl_lb_terminate(0);
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
// put the library's reading beside ours. A preloaded clock that can step does so in the eleventh.
int skewed() {
    const auto step_clock = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "skewed_clock_step"));
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
        if (i == 10 && step_clock != nullptr) step_clock();
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

// COMPONENTS in turn on one process, each with four exchanges and then away.
int many_components() {
    cpl_lb_init(MPI_COMM_WORLD, "driver");
    const long count = number("COMPONENTS", 0);
    for (int step = 0; step < 4; ++step) {
        for (long c = 0; c < count; ++c) {
            cpl_lb_component_begin(("component " + std::to_string(c)).c_str());
            event(CPL_LB_GET, cpl_lb_field("F", "driver"), 0.0);
            cpl_lb_component_end();
        }
    }
    return cpl_lb_terminate(0);
}

// Signals interrupt everything from before terminate to its end, a thousand in a second: the model's handler returns.
int signals() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    for (int i = 0; i < 20000; ++i)
        mark(CPL_LB_GET, f);
    static volatile sig_atomic_t handled = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { handled = handled + 1; }; // no SA_RESTART: calls return EINTR
    sigaction(SIGALRM, &action, nullptr);
    const itimerval often{{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &often, nullptr);
    const int code = cpl_lb_terminate(100);
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    double least = 0;
    const double mine = handled;
    MPI_Reduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0) say("signals", least);
    return code;
}

// The batch system ends rank 0 in the middle of terminate.
int killed_in_terminate() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    for (int i = 0; i < 500000; ++i)
        mark(CPL_LB_GET, f);
    if (rank == 0) {
        const itimerval soon{{0, 0}, {0, 20000}}; // SIGALRM's own action is to end the process
        setitimer(ITIMER_REAL, &soon, nullptr);
    }
    return cpl_lb_terminate(100);
}

// Six GETs that have ended before the first of the six PUTs begins, as no coupler can do it: nothing is received.
int impossible_order() {
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "atmosphere" : "ocean");
    const int f = cpl_lb_field("F", rank == 0 ? "ocean" : "atmosphere");
    if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 6; ++i)
        event(rank == 0 ? CPL_LB_PUT : CPL_LB_GET, f, 0.002);
    if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
    return cpl_lb_terminate(0);
}

} // namespace

Scenarios adversity_scenarios() {
    return {{"dated", dated},
            {"file_limit", file_limit},
            {"overflow", overflow},
            {"restart_after", restart_after},
            {"odd_times", odd_times},
            {"threads", threads},
            {"threads_to_the_end", threads_to_the_end},
            {"same_mistakes", same_mistakes},
            {"subset", subset},
            {"missing", missing},
            {"too_late", too_late},
            {"no_init", no_init},
            {"elsewhere", elsewhere},
            {"no_terminate", no_terminate},
            {"names", names},
            {"skewed", skewed},
            {"many_components", many_components},
            {"signals", signals},
            {"killed_in_terminate", killed_in_terminate},
            {"impossible_order", impossible_order}};
}

} // namespace scenario
