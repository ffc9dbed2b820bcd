// Reads signals, masks, environment, descriptors, limits and so on of this process.
#include "process_state.hpp"

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <locale>
#include <mpi.h>
#include <new>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ; // NOLINT(readability-redundant-declaration): not everywhere declared

namespace scenario {
namespace {

std::string text_of(const sigset_t &set) {
    std::string text;
    for (int s = 1; s <= SIGRTMAX; ++s)
        if (sigismember(&set, s) == 1) text += std::to_string(s) + " ";
    return text;
}

void signals_into(ProcessState &state) {
    std::string &handlers = state["signal handlers"];
    for (int s = 1; s <= SIGRTMAX; ++s) {
        struct sigaction now {};
        if (sigaction(s, nullptr, &now) != 0) continue;
        handlers += std::to_string(reinterpret_cast<std::uintptr_t>(now.sa_handler)) + " " +
                    std::to_string(now.sa_flags) + " " + text_of(now.sa_mask) + "\n";
    }
    sigset_t set;
    pthread_sigmask(SIG_SETMASK, nullptr, &set);
    state["signal mask"] = text_of(set);
    sigpending(&set);
    state["pending signals"] = text_of(set);
    for (const int which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
        itimerval timer{};
        getitimer(static_cast<__itimer_which_t>(which), &timer);
        state["timers"] += std::to_string(timer.it_value.tv_sec + timer.it_interval.tv_usec) + " ";
    }
}

void limits_into(ProcessState &state) {
    for (int r = 0; r < RLIMIT_NLIMITS; ++r) {
        rlimit limit{};
        getrlimit(static_cast<__rlimit_resource_t>(r), &limit);
        state["limits"] += std::to_string(limit.rlim_cur) + " " + std::to_string(limit.rlim_max) + " ";
    }
    state["priority"] = std::to_string(getpriority(PRIO_PROCESS, 0)) + " " + std::to_string(sched_getscheduler(0));
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    sched_getaffinity(0, sizeof cpus, &cpus);
    for (int c = 0; c < CPU_SETSIZE; ++c)
        if (CPU_ISSET(c, &cpus)) state["cores"] += std::to_string(c) + " ";
}

void files_into(ProcessState &state) {
    std::error_code ignored;
    for (const auto &file : std::filesystem::directory_iterator("/proc/self/fd")) {
        const std::string target = std::filesystem::read_symlink(file.path(), ignored).string();
        if (target.find("/proc/") == std::string::npos || target.find("/fd") == std::string::npos)
            state["descriptors"] += file.path().filename().string() + " " + target + "\n";
    }
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task"))
        state["threads"] += task.path().filename().string() + " ";
    state["working directory"] = std::filesystem::current_path(ignored).string();
    const mode_t mask = umask(0);
    umask(mask);
    state["umask"] = std::to_string(mask);
}

void language_into(ProcessState &state) {
    state["locale"] = std::string(setlocale(LC_ALL, nullptr)) + " " + std::locale().name();
    state["handlers of C++"] = std::to_string(reinterpret_cast<std::uintptr_t>(std::get_terminate())) + " " +
                               std::to_string(reinterpret_cast<std::uintptr_t>(std::get_new_handler()));
    state["floating point"] = std::to_string(fegetround()) + " " + std::to_string(fegetexcept()) + " " +
                              std::to_string(fetestexcept(FE_ALL_EXCEPT));
    char name[16] = {};
    prctl(PR_GET_NAME, name);
    state["name of the thread"] = name;
}

void mpi_into(ProcessState &state) {
    for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_Comm_get_errhandler(comm, &handler);
        state["error handlers of MPI"] += std::to_string(MPI_Errhandler_c2f(handler)) + " ";
        char name[MPI_MAX_OBJECT_NAME] = {};
        int length = 0;
        MPI_Comm_get_name(comm, name, &length);
        state["names of communicators"] += name;
    }
}

} // namespace

ProcessState process_state() {
    ProcessState state;
    signals_into(state);
    limits_into(state);
    files_into(state);
    language_into(state);
    mpi_into(state);
    for (char **e = environ; *e != nullptr; ++e)
        state["environment"] += std::string(*e) + "\n";
    return state;
}

int say_changes(const ProcessState &before, const ProcessState &after, const std::string &spared) {
    int changed = 0;
    for (const auto &[name, text] : before) {
        const auto now = after.find(name);
        if (spared.find(name) != std::string::npos || (now != after.end() && now->second == text)) continue;
        ++changed;
        std::printf("changed %s\n", name.c_str());
        std::fprintf(stderr, "%s before:\n%s\nafter:\n%s\n", name.c_str(), text.c_str(),
                     now == after.end() ? "" : now->second.c_str());
    }
    return changed;
}

} // namespace scenario
