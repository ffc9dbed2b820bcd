// Recordings up to the memory bound, each as hard for terminate as it can be: what the library held at most is said.
#include "scenarios.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>

namespace scenario {
namespace {

double peak_MiB() {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("VmHWM:", 0) == 0) return std::strtod(line.c_str() + std::strlen("VmHWM:"), nullptr) / 1024.0;
    return 0;
}

// Prints the growth of the process that grew most.
int end_of(double before) {
    const int code = cpl_lb_terminate(100);
    const double mine = peak_MiB() - before;
    double most = 0;
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) say("grown", most);
    return code;
}

// What each process records of so many events, in two fields.
using Recording = std::function<void(long events, int f, int g)>;
int record(const Recording &what, const std::string &component = "ocean") {
    MPI_Barrier(MPI_COMM_WORLD);
    const double before = peak_MiB();
    cpl_lb_init(MPI_COMM_WORLD, component.c_str());
    const int f = cpl_lb_field("F", "x");
    const int g = cpl_lb_field("G", "x");
    what(number("EVENTS", 0), f, g);
    return end_of(before);
}

// A name that is made up anew each time, as by a model that puts the time step into it.
template <class Use>
Recording made_up(Use use) {
    return [use](long n, int, int) {
        for (long i = 0; i < n; ++i)
            use(("made up in step " + std::to_string(i)).c_str());
    };
}

int field_of_own() {
    return cpl_lb_field(("F" + std::to_string(rank)).c_str(), "x");
}

const std::map<std::string, Recording> recordings = {
    {"memory_whole",
     [](long n, int f, int) {
         for (long i = 0; i < n; ++i)
             mark(CPL_LB_GET, f);
     }},
    {"memory_in_turn",
     [](long n, int f, int g) {
         for (long i = 0; i < n; i += 2) {
             mark(CPL_LB_PUT, f);
             mark(CPL_LB_GET, g);
         }
     }},
    {"memory_regions", made_up([](const char *name) {
         const int region = cpl_lb_region(name);
         cpl_lb_region_begin(region);
         cpl_lb_region_end(region);
     })},
    {"memory_components", made_up([](const char *name) {
         cpl_lb_component_begin(name);
         cpl_lb_component_end();
     })},
    {"memory_fields", made_up([](const char *name) { mark(CPL_LB_PUT, cpl_lb_field(name, "x")); })},
    {"memory_begins",
     [](long n, int f, int) {
         for (long i = 0; i < n; ++i)
             cpl_lb_begin(CPL_LB_GET, f);
     }},
    {"memory_deep",
     [](long n, int f, int) {
         for (long i = 0; i < n; ++i)
             cpl_lb_begin(CPL_LB_PUT, f);
         for (long i = 0; i < n; ++i)
             cpl_lb_end(CPL_LB_PUT, f);
     }},
    // The first of two ends before the second.
    {"memory_interleaved",
     [](long n, int f, int g) {
         for (long i = 0; i < n; i += 2) {
             cpl_lb_begin(CPL_LB_PUT, f);
             cpl_lb_begin(CPL_LB_GET, g);
             cpl_lb_end(CPL_LB_PUT, f);
             cpl_lb_end(CPL_LB_GET, g);
         }
     }},
    // The last process has one event more than the others.
    {"memory_unequal",
     [](long n, int f, int g) {
         if (rank == size - 1) mark(CPL_LB_MAP, g);
         for (long i = 0; i < n; ++i)
             mark(CPL_LB_GET, f);
     }},
    // The last process has one more of the same event: their times are compared.
    {"memory_more",
     [](long n, int f, int) {
         for (long i = rank == size - 1 ? -1 : 0; i < n; ++i)
             mark(CPL_LB_GET, f);
     }},
    // No event of a process is one of another: fields of its own.
    {"memory_all_different",
     [](long n, int, int) {
         const int mine = field_of_own();
         for (long i = 0; i < n; ++i) {
             cpl_lb_date(i);
             mark(CPL_LB_GET, mine);
         }
     }},
    // As that, with begins only: more events for the same memory.
    {"memory_different_begins", [](long n, int, int) {
         const int mine = field_of_own();
         for (long i = 0; i < n; ++i)
             cpl_lb_begin(CPL_LB_GET, mine);
     }}};

// Each process is a component of its own and exchanges with the next: the root finds who waited for whom in all of
// their events.
int memory_coupled() {
    const auto name = [](int of) { return "model" + std::to_string((of + size) % size); };
    return record(
        [&](long n, int, int) {
            const int sent = cpl_lb_field(("F" + std::to_string(rank)).c_str(), name(rank + 1).c_str());
            const int taken =
                cpl_lb_field(("F" + std::to_string((rank + size - 1) % size)).c_str(), name(rank - 1).c_str());
            for (long i = 0; i < n; i += 2) {
                mark(CPL_LB_PUT, sent);
                mark(CPL_LB_GET, taken);
            }
        },
        name(rank));
}

} // namespace

Scenarios memory_scenarios() {
    Scenarios all = {{"memory_coupled", memory_coupled}};
    for (const auto &[name, what] : recordings)
        all[name] = [&recording = what] { return record(recording); };
    return all;
}

} // namespace scenario
