// Who is slow: coupled runs in which the order of arrivals is certain, however busy the machine is.
#include "scenarios.hpp"

#include <string>

namespace scenario {
namespace {

constexpr int steps = 12;

// Beside the coupling, and not recorded: the one who shall come last starts its last bit of work when the other is
// done.
void tell_done(int to) {
    const char c = 0;
    MPI_Send(&c, 1, MPI_CHAR, to, 2, MPI_COMM_WORLD);
}
void work_on_after(int other, double seconds) {
    char c = 0;
    MPI_Recv(&c, 1, MPI_CHAR, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work(seconds);
}

// Ranks: 0 ocean, 1 atmosphere, 2 coupler, which receives from the ocean, then from the atmosphere, then sends to
// both. In a step the ocean computes 0.13 s, the atmosphere 0.15 s.
int hub() {
    const char *const names[] = {"ocean", "atmosphere", "coupler"};
    cpl_lb_init(MPI_COMM_WORLD, names[rank]);
    if (rank == 2) {
        const int sst = cpl_lb_field("SST", "ocean"), heat = cpl_lb_field("heat", "atmosphere");
        const int to_ocean = cpl_lb_field("forcing", "ocean"), to_air = cpl_lb_field("surface", "atmosphere");
        for (int step = 0; step < steps; ++step) {
            receive(sst, 0);
            receive(heat, 1);
            send(to_ocean, 0);
            send(to_air, 1);
        }
    } else {
        const int mine = cpl_lb_field(rank == 0 ? "SST" : "heat", "coupler");
        const int theirs = cpl_lb_field(rank == 0 ? "forcing" : "surface", "coupler");
        for (int step = 0; step < steps; ++step) {
            work(0.13);
            if (rank == 0)
                tell_done(1);
            else
                work_on_after(0, 0.02);
            send(mine, 2);
            receive(theirs, 2);
        }
    }
    return cpl_lb_terminate(86400.0);
}

// Ranks: 0 ocean, 1 atmosphere, 2 I/O server, which writes for 0.03 s. The ocean gives it two messages in a step,
// each until it is received: the second waits for the first to be written. Then the atmosphere computes 0.02 s more.
int served() {
    const char *const names[] = {"ocean", "atmosphere", "ioserver"};
    cpl_lb_init(MPI_COMM_WORLD, names[rank]);
    if (rank == 2) {
        cpl_lb_set_io_server(1);
        const int output = cpl_lb_field("output", "ocean");
        for (int n = 0; n < 2 * steps; ++n) {
            receive(output, 0);
            event(CPL_LB_OUT, output, 0.03);
        }
    } else {
        const int mine = cpl_lb_field(rank == 0 ? "SST" : "heat", names[1 - rank]);
        const int theirs = cpl_lb_field(rank == 0 ? "heat" : "SST", names[1 - rank]);
        const int output = cpl_lb_field("output", "ioserver");
        for (int step = 0; step < steps; ++step) {
            work(rank == 0 ? 0.03 : 0.06);
            for (int n = 0; n < 2 && rank == 0; ++n) {
                const char c = 0;
                cpl_lb_begin(CPL_LB_PUT, output);
                MPI_Ssend(&c, 1, MPI_CHAR, 2, 1, MPI_COMM_WORLD);
                cpl_lb_end(CPL_LB_PUT, output);
            }
            if (rank == 0)
                tell_done(1);
            else
                work_on_after(0, 0.02);
            send(mine, 1 - rank);
            receive(theirs, 1 - rank);
        }
    }
    return cpl_lb_terminate(86400.0);
}

} // namespace

Scenarios verdict_scenarios() {
    return {{"hub", hub}, {"served", served}};
}

} // namespace scenario
