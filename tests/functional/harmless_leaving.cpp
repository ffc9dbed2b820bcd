// Models that fork, or that leave in the middle of their run, each in its own way.
#include "harmless.hpp"

#include <cpl_lb/cpl_lb_manager.h>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace scenario {
namespace {

// What the library answers in a child: it is as if switched off, and says nothing. 0: as it should be.
int call_everything() {
    int wrong = 0;
    const auto expect = [&](int got, int wanted) { wrong += got == wanted ? 0 : 1; };
    expect(cpl_lb_init(MPI_COMM_WORLD, "child"), CPL_LB_EORDER);
    expect(cpl_lb_enabled(), 0);
    expect(cpl_lb_field("F", "y"), 1);
    expect(cpl_lb_field_set(1, "F", "y"), CPL_LB_OK);
    expect(cpl_lb_region("r"), 1);
    for (int i = 0; i < 100000; ++i) {
        cpl_lb_begin(CPL_LB_PUT, 1);
        cpl_lb_end(CPL_LB_PUT, 1);
    }
    cpl_lb_date(5);
    cpl_lb_region_begin(1);
    cpl_lb_region_end(1);
    expect(cpl_lb_component_begin("c"), CPL_LB_OK);
    expect(cpl_lb_component_end(), CPL_LB_OK);
    expect(cpl_lb_set_grid(-1, -1), CPL_LB_OK);
    expect(cpl_lb_watch_start(0), CPL_LB_EARGUMENT);
    expect(cpl_lb_terminate(10), CPL_LB_OK);
    expect(cpl_lb_terminate(10), CPL_LB_OK);
    return wrong;
}

int in_child(const std::string &what) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    alarm(20); // a child that hangs is ended by SIGALRM
    if (what == "calls") std::exit(call_everything());
    if (what == "exec") {
        const char *const arguments[] = {"nothing", nullptr};
        execv("/nowhere/nothing", const_cast<char *const *>(arguments));
        std::exit(127);
    }
    if (what == "exit") std::exit(5);
    if (what == "quick_exit") std::quick_exit(5);
    if (what == "_exit") _exit(5);
    if (what == "thread_exit") {
        std::thread([] { std::exit(5); }).join();
    }
    if (what == "grandchild") {
        const pid_t grandchild = in_child("calls");
        int status = 0;
        waitpid(grandchild, &status, 0);
        std::exit(status == 0 ? 5 : 6);
    }
    if (what == "signal") raise(SIGSEGV);
    _exit(99);
}

// Its exit status; 1000 and the signal when it was ended by one.
double status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// WHEN: before (cpl_lb_init), recording, after (cpl_lb_terminate).
int forks() {
    const std::string when = setting("WHEN", "recording");
    const std::string what = setting("WHAT", "calls");
    double status = -1;
    if (when == "before") status = status_of(in_child(what));
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(10);
    if (when == "recording") status = status_of(in_child(what));
    exchange(10);
    const int ended = cpl_lb_terminate(10);
    if (when == "after") status = status_of(in_child(what));
    double worst = 0;
    MPI_Reduce(&status, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        say("child", status);
        say("worst", worst);
    }
    return begun != 0 ? begun : ended;
}

// Other programs, started while the library records: none has a file of its own open.
int programs() {
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(10);
    const auto foreign = [] {
        FILE *pipe = popen("ls -l /proc/self/fd", "r");
        char line[512];
        double n = 0;
        while (std::fgets(line, sizeof line, pipe) != nullptr) {
            const std::string text = line;
            for (const char *ours : {"spool", "statm", "meminfo", "energy_uj", "perf_event", "status"})
                n += text.find(ours) != std::string::npos ? 1 : 0;
        }
        pclose(pipe);
        return n;
    };
    const double open = foreign();
    const int status = std::system("exit 3");
    exchange(10);
    const int ended = cpl_lb_terminate(10);
    if (rank == 0) {
        say("inherited", open);
        say("system", WEXITSTATUS(status));
    }
    return begun != 0 ? begun : ended;
}

// The processes of a run start another program of MPI, which records, too: two runs, each with its own results.
int spawns() {
    char self[1024] = {};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(10);
    char name[] = "spawned";
    char *arguments[] = {name, nullptr};
    MPI_Comm children = MPI_COMM_NULL;
    MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    exchange(10);
    int code = 1;
    MPI_Bcast(&code, 1, MPI_INT, 0, children);
    const int ended = cpl_lb_terminate(10);
    MPI_Comm_disconnect(&children);
    if (rank == 0) say("spawned", code);
    return begun != 0 ? begun : ended;
}

int spawned() {
    MPI_Comm parents = MPI_COMM_NULL;
    MPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL) return 1;
    setenv("CPL_LB_DIR", "spawned", 1);
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "child");
    exchange(5);
    const int ended = cpl_lb_terminate(10);
    int code = begun != 0 ? begun : ended;
    MPI_Bcast(&code, 1, MPI_INT, MPI_ROOT, parents);
    MPI_Comm_disconnect(&parents);
    return code;
}

void end_in_handler() {
    cpl_lb_begin(CPL_LB_PUT, 1);
    std::printf("terminate %d\n", cpl_lb_terminate(10));
    std::fflush(stdout);
    int done = 0;
    MPI_Finalized(&done);
    if (done == 0) MPI_Finalize();
}

void calls_in_handler() {
    call_everything();
}

// HOW a model leaves without cpl_lb_terminate.
int leaves() {
    const std::string how = setting("HOW");
    if (how == "atexit") std::atexit(end_in_handler);
    if (how == "late_calls") std::atexit(calls_in_handler);
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(20);
    if (rank == 0) std::printf("leaving\n");
    std::fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD); // the launcher ends the others when the first has left
    if (how == "abort") {
        if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 42);
        work(20);
    }
    if (how == "finalize" || how == "late_calls") MPI_Finalize();
    if (how == "atexit_thread") {
        MPI_Finalize();
        std::thread([] { std::exit(0); }).join();
    }
    if (how == "_exit") _exit(7);
    if (how == "quick_exit") std::quick_exit(7);
    if (how == "thread") std::thread([] { std::exit(7); }).join();
    if (how == "exit") std::exit(7);
    std::exit(0);
}

} // namespace

Scenarios leaving_scenarios() {
    return {{"forks", forks}, {"programs", programs}, {"leaves", leaves}, {"spawns", spawns}, {"spawned", spawned}};
}

} // namespace scenario
