// What cpl-lb-record costs a call of MPI that is no exchange: the program calls MPI_X, which is recorded, and PMPI_X,
// which is not, turn about in the same process. The floor is two clock reads in the same run. Both processes are one
// component. To be run as
//   mpirun -np 2 cpl-lb-record record_mpi_cost            what a call costs
//   mpirun -np 1 cpl-lb-record record_mpi_cost SECONDS    a million calls in each second: what memory they take
// Figures, no verdict: it never fails on one, because machines are noisy.
#include "stopwatch.hpp"
#include "support/clock.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <mpi.h>
#include <string>
#include <vector>

namespace {

using namespace cpl_lb::bench;
// What others do on the processor is not in it: for what does not wait.
double processor_ns() {
    return 1e9 * seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double two_reads_ns(cpl_lb::ClockSource clock) {
    constexpr int count = 20'000;
    volatile std::uint64_t read = 0;
    const double start = processor_ns();
    for (int i = 0; i < count; ++i) {
        read = cpl_lb::read_ticks(clock);
        read = cpl_lb::read_ticks(clock);
    }
    static_cast<void>(read);
    return (processor_ns() - start) / count;
}

// MPI as the model sees it, and the same without the recorder.
struct Recorded {
    static constexpr auto iprobe = MPI_Iprobe;
    static constexpr auto test = MPI_Test;
    static constexpr auto sendrecv = MPI_Sendrecv;
    static constexpr auto isend = MPI_Isend;
    static constexpr auto irecv = MPI_Irecv;
    static constexpr auto waitall = MPI_Waitall;
    static constexpr auto send = MPI_Send;
    static constexpr auto recv = MPI_Recv;
    static constexpr auto allreduce = MPI_Allreduce;
};
struct Bare {
    static constexpr auto iprobe = PMPI_Iprobe;
    static constexpr auto test = PMPI_Test;
    static constexpr auto sendrecv = PMPI_Sendrecv;
    static constexpr auto isend = PMPI_Isend;
    static constexpr auto irecv = PMPI_Irecv;
    static constexpr auto waitall = PMPI_Waitall;
    static constexpr auto send = PMPI_Send;
    static constexpr auto recv = PMPI_Recv;
    static constexpr auto allreduce = PMPI_Allreduce;
};

double sent = 1, got = 0;
MPI_Request pending = MPI_REQUEST_NULL; // a receive that nothing comes for
int rank_here = 0, other = 0;

template <class Mpi>
void poll() {
    int flag = 0;
    Mpi::iprobe(0, 7, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}
template <class Mpi>
void poll_in_turn() {
    static bool first = false;
    int flag = 0;
    first = !first;
    Mpi::iprobe(first ? 0 : rank_here, 7, first ? MPI_COMM_SELF : MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}
template <class Mpi>
void test_in_vain() {
    int flag = 0;
    Mpi::test(&pending, &flag, MPI_STATUS_IGNORE);
}
template <class Mpi>
void message_to_itself() {
    Mpi::sendrecv(&sent, 1, MPI_DOUBLE, 0, 1, &got, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}
template <class Mpi>
void requests_to_itself() {
    std::array<MPI_Request, 2> requests{};
    Mpi::irecv(&got, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, requests.data());
    Mpi::isend(&sent, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, &requests[1]);
    Mpi::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
}
template <class Mpi>
void there_and_back() {
    if (rank_here == 0) Mpi::send(&sent, 1, MPI_DOUBLE, other, 3, MPI_COMM_WORLD);
    Mpi::recv(&got, 1, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank_here != 0) Mpi::send(&sent, 1, MPI_DOUBLE, other, 3, MPI_COMM_WORLD);
}
template <class Mpi>
void sum() {
    Mpi::allreduce(&sent, &got, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

struct Operation {
    const char *name;
    void (*recorded)();
    void (*bare)();
    int calls;   // in one
    int repeats; // in a round
    bool of_two; // processes, which wait for each other
};

constexpr std::array operations = {
    Operation{"Iprobe, nothing there", poll<Recorded>, poll<Bare>, 1, 20'000, false},
    Operation{"Iprobe, 2 comms in turn", poll_in_turn<Recorded>, poll_in_turn<Bare>, 1, 20'000, false},
    Operation{"Test, not complete", test_in_vain<Recorded>, test_in_vain<Bare>, 1, 20'000, false},
    Operation{"Sendrecv with itself", message_to_itself<Recorded>, message_to_itself<Bare>, 1, 10'000, false},
    Operation{"Irecv, Isend, Waitall", requests_to_itself<Recorded>, requests_to_itself<Bare>, 3, 10'000, false},
    Operation{"Send, Recv of two", there_and_back<Recorded>, there_and_back<Bare>, 2, 100, true},
    Operation{"Allreduce of two", sum<Recorded>, sum<Bare>, 1, 100, true},
};

double ns_of_a_call(void (*what)(), const Operation &op) {
    const double start = op.of_two ? now_ns() : processor_ns();
    for (int i = 0; i < op.repeats; ++i)
        what();
    const double end = op.of_two ? now_ns() : processor_ns();
    return (end - start) / (static_cast<double>(op.repeats) * op.calls);
}

// Time in which one of two has lost its processor is in some rounds of both, so for two the fastest tenth counts.
void measure(const Operation &op, cpl_lb::ClockSource clock) {
    const int rounds = op.of_two ? 1001 : 101;
    const double part = op.of_two ? 0.1 : 0.5;
    std::vector<double> recorded, bare, floors;
    for (int round = 0; round < rounds; ++round) {
        // Turn about which of the two comes first.
        const bool recorded_first = round % 2 == 0;
        if (op.of_two) PMPI_Barrier(MPI_COMM_WORLD);
        if (recorded_first) recorded.push_back(ns_of_a_call(op.recorded, op));
        bare.push_back(ns_of_a_call(op.bare, op));
        if (!recorded_first) recorded.push_back(ns_of_a_call(op.recorded, op));
        if (round % 10 == 0) floors.push_back(two_reads_ns(clock));
    }
    if (rank_here != 0) return;
    const double more = quantile(recorded, part) - quantile(bare, part);
    const double floor = quantile(floors, 0.5);
    std::printf(
        "%-23s %7.1f ns a call, recorded %7.1f: %6.1f ns more, two clock reads %5.1f, ratio %.2f (%s of %d)\n",
        op.name, quantile(bare, part), quantile(recorded, part), more, floor, more / floor,
        op.of_two ? "fastest tenth" : "medians", rounds);
}

// Polls, tests and messages to itself, a thousand in each millisecond as far as the processor allows.
void many(double seconds) {
    constexpr double ns_of_a_batch = 1e6;
    const auto batch = [] {
        for (int i = 0; i < 100; ++i) {
            for (int k = 0; k < 4; ++k) {
                poll<Recorded>();
                test_in_vain<Recorded>();
            }
            message_to_itself<Recorded>();
            message_to_itself<Recorded>();
        }
    };
    for (int i = 0; i < 100; ++i)
        batch(); // what MPI itself keeps
    const double before_MiB = status_MiB("VmHWM:");
    const double start = now_ns();
    long batches = 0;
    while (now_ns() - start < seconds * 1e9) {
        batch();
        ++batches;
        while (now_ns() - start < static_cast<double>(batches) * ns_of_a_batch) {
        }
    }
    const double passed_s = 1e-9 * (now_ns() - start);
    std::printf("%ld calls in %.1f s, %.0f in a second: %.0f KiB more at the most\n", 1000 * batches, passed_s,
                1000.0 * static_cast<double>(batches) / passed_s, 1024 * (status_MiB("VmHWM:") - before_MiB));
}

} // namespace

int main(int argc, char **argv) {
    setenv("CPL_LB_TIMELINE", "0", 1);
    setenv("CPL_LB_PRINT", "0", 1);
    setenv("CPL_LB_REPORT", "0", 1);
    MPI_Init(&argc, &argv);
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_here);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    other = 1 - rank_here;
    if (dlsym(RTLD_DEFAULT, "cpl_lb_ticks") == nullptr && rank_here == 0)
        std::printf("not recorded: run it behind cpl-lb-record\n");
    double never = 0;
    MPI_Irecv(&never, 1, MPI_DOUBLE, 0, 9, MPI_COMM_SELF, &pending);
    if (argc > 1) {
        PMPI_Barrier(MPI_COMM_WORLD);
        many(std::atof(argv[1]));
    } else {
        const cpl_lb::ClockSource clock = cpl_lb::choose_clock(std::getenv("CPL_LB_CLOCK"));
        for (const Operation &op : operations)
            if (size == 2 || !op.of_two) measure(op, clock);
    }
    MPI_Cancel(&pending);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
