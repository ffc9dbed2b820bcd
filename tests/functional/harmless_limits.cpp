// Models with little: descriptors, memory, stack, closed standard files, a reader of their output that has gone.
#include "harmless.hpp"

#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
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

} // namespace

Scenarios limit_scenarios() {
    return {{"no_descriptors", no_descriptors}, {"no_memory", no_memory},       {"small_stack", small_stack},
            {"closed_files", closed_files},     {"free_numbers", free_numbers}, {"broken_pipe", broken_pipe}};
}

} // namespace scenario
