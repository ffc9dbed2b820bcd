// Recordings up to the memory bound, each as hard for terminate as it can be: what the library held at most is said.
#include "scenarios.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace scenario {
namespace {

double peak_MiB() {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("VmHWM:", 0) == 0) return std::strtod(line.c_str() + std::strlen("VmHWM:"), nullptr) / 1024.0;
    return 0;
}

long events() {
    const char *text = std::getenv("EVENTS");
    return text != nullptr ? std::atol(text) : 0;
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

// What each process records: i from 0 to EVENTS, then it ends what is open.
template <class Event>
int record(Event event, const std::string &component = "ocean") {
    MPI_Barrier(MPI_COMM_WORLD);
    const double before = peak_MiB();
    cpl_lb_init(MPI_COMM_WORLD, component.c_str());
    const int f = cpl_lb_field("F", "x");
    const int g = cpl_lb_field("G", "x");
    event(events(), f, g);
    return end_of(before);
}

int memory_whole() {
    return record([](long n, int f, int) {
        for (long i = 0; i < n; ++i) {
            cpl_lb_begin(CPL_LB_GET, f);
            cpl_lb_end(CPL_LB_GET, f);
        }
    });
}

int memory_in_turn() {
    return record([](long n, int f, int g) {
        for (long i = 0; i < n; i += 2) {
            cpl_lb_begin(CPL_LB_PUT, f);
            cpl_lb_end(CPL_LB_PUT, f);
            cpl_lb_begin(CPL_LB_GET, g);
            cpl_lb_end(CPL_LB_GET, g);
        }
    });
}

// A name that is made up anew each time, as by a model that puts the time step into it.
template <class Use>
int record_names(Use use) {
    return record([use](long n, int, int) {
        for (long i = 0; i < n; ++i)
            use("made up in step " + std::to_string(i));
    });
}

int memory_regions() {
    return record_names([](const std::string &name) {
        const int region = cpl_lb_region(name.c_str());
        cpl_lb_region_begin(region);
        cpl_lb_region_end(region);
    });
}

int memory_components() {
    return record_names([](const std::string &name) {
        cpl_lb_component_begin(name.c_str());
        cpl_lb_component_end();
    });
}

int memory_fields() {
    return record_names([](const std::string &name) {
        const int field = cpl_lb_field(name.c_str(), "x");
        cpl_lb_begin(CPL_LB_PUT, field);
        cpl_lb_end(CPL_LB_PUT, field);
    });
}

int memory_begins() {
    return record([](long n, int f, int) {
        for (long i = 0; i < n; ++i)
            cpl_lb_begin(CPL_LB_GET, f);
    });
}

int memory_deep() {
    return record([](long n, int f, int) {
        for (long i = 0; i < n; ++i)
            cpl_lb_begin(CPL_LB_PUT, f);
        for (long i = 0; i < n; ++i)
            cpl_lb_end(CPL_LB_PUT, f);
    });
}

// The first of two ends before the second.
int memory_interleaved() {
    return record([](long n, int f, int g) {
        for (long i = 0; i < n; i += 2) {
            cpl_lb_begin(CPL_LB_PUT, f);
            cpl_lb_begin(CPL_LB_GET, g);
            cpl_lb_end(CPL_LB_PUT, f);
            cpl_lb_end(CPL_LB_GET, g);
        }
    });
}

// The last process has one event more than the others.
int memory_unequal() {
    return record([](long n, int f, int g) {
        if (rank == size - 1) {
            cpl_lb_begin(CPL_LB_MAP, g);
            cpl_lb_end(CPL_LB_MAP, g);
        }
        for (long i = 0; i < n; ++i) {
            cpl_lb_begin(CPL_LB_GET, f);
            cpl_lb_end(CPL_LB_GET, f);
        }
    });
}

// The last process has one more of the same event: their times are compared.
int memory_more() {
    return record([](long n, int f, int) {
        for (long i = rank == size - 1 ? -1 : 0; i < n; ++i) {
            cpl_lb_begin(CPL_LB_GET, f);
            cpl_lb_end(CPL_LB_GET, f);
        }
    });
}

// No event of a process is one of another: fields of its own.
int memory_all_different() {
    return record([](long n, int, int) {
        const int mine = cpl_lb_field(("F" + std::to_string(rank)).c_str(), "x");
        for (long i = 0; i < n; ++i) {
            cpl_lb_date(i);
            cpl_lb_begin(CPL_LB_GET, mine);
            cpl_lb_end(CPL_LB_GET, mine);
        }
    });
}

// As that, with begins only: more events for the same memory.
int memory_different_begins() {
    return record([](long n, int, int) {
        const int mine = cpl_lb_field(("F" + std::to_string(rank)).c_str(), "x");
        for (long i = 0; i < n; ++i)
            cpl_lb_begin(CPL_LB_GET, mine);
    });
}

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
                cpl_lb_begin(CPL_LB_PUT, sent);
                cpl_lb_end(CPL_LB_PUT, sent);
                cpl_lb_begin(CPL_LB_GET, taken);
                cpl_lb_end(CPL_LB_GET, taken);
            }
        },
        name(rank));
}

} // namespace

Scenarios memory_scenarios() {
    return {{"memory_whole", memory_whole},
            {"memory_in_turn", memory_in_turn},
            {"memory_regions", memory_regions},
            {"memory_components", memory_components},
            {"memory_fields", memory_fields},
            {"memory_begins", memory_begins},
            {"memory_deep", memory_deep},
            {"memory_interleaved", memory_interleaved},
            {"memory_unequal", memory_unequal},
            {"memory_more", memory_more},
            {"memory_all_different", memory_all_different},
            {"memory_different_begins", memory_different_begins},
            {"memory_coupled", memory_coupled}};
}

} // namespace scenario
