// Models with little: descriptors, memory, stack, closed standard files, a reader of their output that has gone.
#include "harmless.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace scenario {
namespace {

int recorded_run() {
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(20);
    const int ended = cpl_lb_terminate(10);
    return begun != 0 ? begun : ended;
}

// As many files as the system gives stay open until the end: from before cpl_lb_init, or from before terminate.
void open_all(std::vector<int> &files) {
    const rlimit few{64, 64};
    setrlimit(RLIMIT_NOFILE, &few);
    for (int file = open("/dev/null", O_RDONLY); file >= 0; file = open("/dev/null", O_RDONLY))
        files.push_back(file);
}

int no_descriptors() {
    const bool from_start = setting("WHEN") == "init";
    std::vector<int> files;
    MPI_Barrier(MPI_COMM_WORLD);
    if (from_start) open_all(files);
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(20);
    if (!from_start) open_all(files);
    const int ended = cpl_lb_terminate(10);
    const auto opened = static_cast<double>(files.size());
    for (const int file : files)
        close(file);
    if (rank == 0) say("opened", opened);
    return begun != 0 ? begun : ended;
}

// From the middle of the run on no more address space than is in use, and KB of it. (Before, MPI itself may need
// more, and ends the model by its own error handler.)
int no_memory() {
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(20);
    long pages = 0;
    if (FILE *file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    const auto room = static_cast<rlim_t>(std::atol(setting("KB", "0").c_str())) * 1024U;
    const rlim_t most = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + room;
    const rlimit limit{most, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
    const int ended = cpl_lb_terminate(10);
    const rlimit free{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &free);
    return begun != 0 ? begun : ended;
}

// Already before cpl_lb_init there is no more memory than is in use, on all processes or on the last one (WHO): 8 MB
// of data are less than MPI has taken by then. Half of rn_timeout (60 s here) is more than any step takes.
int no_memory_at_init() {
    char out = 0, in = 0; // so that MPI has what the model's own messages need
    MPI_Sendrecv(&out, 1, MPI_CHAR, (rank + 1) % size, 1, &in, 1, MPI_CHAR, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const rlimit few{8U << 20U, RLIM_INFINITY};
    if (setting("WHO") == "all" || rank == size - 1) setrlimit(RLIMIT_DATA, &few);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(20);
    const int ended = cpl_lb_terminate(10);
    const double seconds = MPI_Wtime() - begin;
    const rlimit free{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &free);
    say(("begun" + std::to_string(rank)).c_str(), begun);
    say(("ended" + std::to_string(rank)).c_str(), ended);
    say(("slow" + std::to_string(rank)).c_str(), seconds > 30 ? 1 : 0);
    return 0;
}

// All of the library on a thread with a stack of KB.
int small_stack() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, static_cast<std::size_t>(std::atol(setting("KB", "128").c_str())) * 1024U);
    pthread_t thread{};
    static int code = 1;
    const auto run = [](void *) -> void * {
        code = recorded_run();
        return nullptr;
    };
    if (pthread_create(&thread, &attributes, run, nullptr) != 0) return 2;
    pthread_join(thread, nullptr);
    return code;
}

// A model without standard files: started without (the test's wrapper), or, with WHEN=late, closed now. What is
// opened next gets their numbers: here three data files of the model, which must stay as they are.
int closed_files() {
    if (setting("WHEN") == "late")
        for (const int number : {0, 1, 2})
            close(number);
    std::vector<int> data;
    for (const char *name : {"a", "b", "c"}) {
        data.push_back(open((std::string("data_") + name + std::to_string(rank)).c_str(), O_RDWR | O_CREAT, 0644));
        if (write(data.back(), "data", 4) != 4) return 1;
    }
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    cpl_lb_set_complexity(-1.0); // a message
    exchange(20);
    const int ended = cpl_lb_terminate(-1.0); // another
    if (FILE *report = std::fopen(("report_" + std::to_string(rank)).c_str(), "w")) {
        std::fprintf(report, "number %d\nbegun %d\nended %d\n", data.back(), begun, ended);
        std::fclose(report);
    }
    return 0;
}

// Their numbers are free: a file that the library keeps open while it records must not take one of them.
int free_numbers() {
    const int out = dup(STDOUT_FILENO);
    for (const int number : {0, 1, 2})
        close(number);
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    int taken = 0;
    for (const int number : {0, 1, 2})
        taken += fcntl(number, F_GETFD) != -1 ? 1 : 0;
    exchange(20);
    const int ended = cpl_lb_terminate(10);
    for (const int number : {0, 1, 2})
        taken += fcntl(number, F_GETFD) != -1 ? 1 : 0;
    for (const int number : {0, 1, 2})
        dup2(out, number);
    if (rank == 0) say("taken", taken);
    return begun != 0 ? begun : ended;
}

// Nobody reads what the model writes: standard output and standard error are a pipe without a reader.
int broken_pipe() {
    int ends[2] = {};
    if (pipe(ends) != 0) return 1;
    const int out = dup(STDOUT_FILENO);
    const int err = dup(STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    const int code = recorded_run();
    cpl_lb_begin(CPL_LB_PUT, 1); // after the end: a message
    sigset_t pending;
    sigpending(&pending);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (rank == 0) say("pending", sigismember(&pending, SIGPIPE));
    return code;
}

// Two ends: what is written to the second one is read from the first one.
bool open_ends(const std::string &kind, int *ends) {
    if (kind == "socket") return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
    if (kind != "terminal") return pipe(ends) == 0;
    ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
    if (ends[0] < 0 || grantpt(ends[0]) != 0 || unlockpt(ends[0]) != 0) return false;
    std::array<char, 64> name{};
    if (ptsname_r(ends[0], name.data(), name.size()) != 0) return false;
    ends[1] = open(name.data(), O_RDWR | O_NOCTTY);
    return ends[1] >= 0;
}

// A reader of standard output that has paused: all that waits for it is full when cpl_lb_terminate prints.
int full_output() {
    int ends[2] = {};
    if (!open_ends(setting("KIND"), ends)) return 1;
    fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK);
    // The kernel takes what was written to a terminal further in the background, and there is room again: full is
    // what takes nothing for a fifth of a second.
    for (int refused = 0; refused < 20;) {
        if (write(ends[1], "x", 1) > 0) {
            refused = 0;
        } else {
            ++refused;
            usleep(10'000);
        }
    }
    fcntl(ends[1], F_SETFL,
          fcntl(ends[1], F_GETFL) & ~O_NONBLOCK); // waits for its reader, as the model's output does
    const int out = dup(STDOUT_FILENO);
    if (rank == 0) dup2(ends[1], STDOUT_FILENO);
    const int code = recorded_run();
    dup2(out, STDOUT_FILENO);
    if (rank == 0) say("waits", (fcntl(ends[1], F_GETFL) & O_NONBLOCK) == 0 ? 1 : 0);
    return code;
}

// A second close of numbers that were the model's before cpl_lb_init (HOW=double), or all files closed (HOW=all);
// then its own files have the numbers.
int closed_numbers() {
    constexpr int files = 12;
    std::vector<int> stale, mine;
    for (int i = 0; i < files; ++i)
        stale.push_back(open("/dev/null", O_RDONLY));
    for (const int number : stale)
        close(number);
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    struct stat is {};
    for (int number = 3; setting("HOW") == "all" && number < 256; ++number) // but for MPI's sockets
        if (fstat(number, &is) == 0 && S_ISREG(is.st_mode)) close(number);
    for (const int number : stale)
        if (setting("HOW") == "double") close(number);
    const std::string name = "restart_" + std::to_string(rank) + "_";
    for (int i = 0; i < files; ++i) {
        mine.push_back(open((name + std::to_string(i)).c_str(), O_RDWR | O_CREAT, 0644));
        if (write(mine.back(), "precious\n", 9) != 9) return 1;
    }
    exchange(40'000); // 160,000 marks: more than a chunk of the spool
    const int ended = cpl_lb_terminate(10);
    int closed = 0, changed = 0;
    for (int i = 0; i < files; ++i) {
        closed += fcntl(mine[static_cast<std::size_t>(i)], F_GETFD) < 0 ? 1 : 0;
        changed += stat((name + std::to_string(i)).c_str(), &is) != 0 || is.st_size != 9 ? 1 : 0;
    }
    if (rank == 0) say("closed", closed);
    if (rank == 0) say("changed", changed);
    return begun != 0 ? begun : ended;
}

} // namespace

Scenarios limit_scenarios() {
    return {
        {"no_descriptors", no_descriptors}, {"no_memory", no_memory},       {"no_memory_at_init", no_memory_at_init},
        {"small_stack", small_stack},       {"closed_files", closed_files}, {"free_numbers", free_numbers},
        {"broken_pipe", broken_pipe},       {"full_output", full_output},   {"closed_numbers", closed_numbers}};
}

} // namespace scenario
