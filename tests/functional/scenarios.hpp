// What the scenarios have in common: a model of a few lines that knows, by its own clock, what it did.
#pragma once

#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace scenario {

using Scenarios = std::map<std::string, std::function<int()>>;
Scenarios balance_scenarios();
Scenarios adversity_scenarios();
Scenarios fault_scenarios();
Scenarios memory_scenarios();
Scenarios verdict_scenarios();
Scenarios map_scenarios();

inline int rank = 0;
inline int size = 1;

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline thread_local double slept = 0;
// Sleeps at least so long and adds what it really took.
inline void work(double seconds) {
    const double start = now();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    slept += now() - start;
}

inline void say(const char *name, double value) {
    std::printf("%s %.9g\n", name, value);
    std::fflush(stdout);
}

// A number from the environment.
inline long number(const char *name, long otherwise) {
    const char *text = std::getenv(name);
    return text != nullptr ? std::atol(text) : otherwise;
}

// An event that takes no time.
inline void mark(int kind, int field) {
    cpl_lb_begin(kind, field);
    cpl_lb_end(kind, field);
}
inline void event(int kind, int field, double seconds) {
    cpl_lb_begin(kind, field);
    work(seconds);
    cpl_lb_end(kind, field);
}

// A receive that really waits for the message of `from`.
inline void receive(int field, int from) {
    cpl_lb_begin(CPL_LB_GET, field);
    char c = 0;
    MPI_Recv(&c, 1, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cpl_lb_end(CPL_LB_GET, field);
}
inline void send(int field, int to) {
    cpl_lb_begin(CPL_LB_PUT, field);
    const char c = 0;
    MPI_Send(&c, 1, MPI_CHAR, to, 1, MPI_COMM_WORLD);
    cpl_lb_end(CPL_LB_PUT, field);
}

} // namespace scenario
