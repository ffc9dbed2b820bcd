// Two components with known sleeps, for tests on made-up nodes. Even ranks are the ocean, or with "half" the first
// half of the ranks; in each step a pair exchanges a value each way. The truth about each event, by the system's
// clock, which all nodes share, goes to FILE.<rank>: four times for an event, before and after its begin, before and
// after its end [ns].
//   nodes_model mixed|half STEPS OCEAN_MS ATMOSPHERE_MS [FILE|-] [says]
// With "says" each process prints when a step begins and when all are done, then rests for a second, and says how
// long cpl_lb_terminate took.
#include <array>
#include <cpl_lb/cpl_lb.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

// Makes the clock of tests/stubs/skewed_clock.c step; null if it is not preloaded.
extern "C" void skewed_clock_step(void) __attribute__((weak));

namespace {

std::int64_t truth_ns() {
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

struct Truth {
    std::vector<std::array<std::int64_t, 4>> events;

    template <class Exchange>
    void event(int kind, int field, const Exchange &exchange) {
        std::array<std::int64_t, 4> t{};
        t[0] = truth_ns();
        cpl_lb_begin(kind, field);
        t[1] = truth_ns();
        exchange();
        t[2] = truth_ns();
        cpl_lb_end(kind, field);
        t[3] = truth_ns();
        events.push_back(t);
    }
    void write(const std::string &path) const {
        std::ofstream out(path);
        for (const auto &t : events)
            out << t[0] << ' ' << t[1] << ' ' << t[2] << ' ' << t[3] << '\n';
    }
};

void send(int partner) {
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
}

void receive(int partner) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void say(int rank, const std::string &what) {
    std::printf("process %d, %s\n", rank, what.c_str());
    std::fflush(stdout); // the rig waits for it
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc < 5) MPI_Abort(MPI_COMM_WORLD, 2);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const bool half = std::string(argv[1]) == "half";
    const bool ocean = half ? 2 * rank < size : rank % 2 == 0;
    const int away = half ? size / 2 : 1;
    const int partner = ocean ? rank + away : rank - away;
    const int code = cpl_lb_init(MPI_COMM_WORLD, ocean ? "ocean" : "atmosphere");
    const int sst = cpl_lb_field("SST", ocean ? "atmosphere" : "ocean");
    const int flux = cpl_lb_field("flux", ocean ? "atmosphere" : "ocean");
    const int steps = std::atoi(argv[2]);
    const int sleep_ms = std::atoi(argv[ocean ? 3 : 4]);
    const bool says = argc > 6;
    Truth truth;
    for (int step = 0; step < steps; ++step) {
        if (says) say(rank, "step " + std::to_string(step) + " begins");
        cpl_lb_date(3600LL * step);
        if (2 * step == steps && skewed_clock_step != nullptr) skewed_clock_step();
        if (sleep_ms > 0) usleep(static_cast<useconds_t>(sleep_ms) * 1000);
        if (ocean) {
            truth.event(CPL_LB_PUT, sst, [&] { send(partner); });
            truth.event(CPL_LB_GET, flux, [&] { receive(partner); });
        } else {
            truth.event(CPL_LB_PUT, flux, [&] { send(partner); });
            truth.event(CPL_LB_GET, sst, [&] { receive(partner); });
        }
    }
    if (says) {
        say(rank, "all steps done");
        sleep(1); // the rig changes the cable now
        say(rank, "to terminate");
    }
    const std::int64_t came = truth_ns();
    const int end = cpl_lb_terminate(3600.0 * steps);
    if (says) say(rank, "terminate took " + std::to_string(1e-9 * static_cast<double>(truth_ns() - came)) + " s");
    if (argc > 5 && std::string(argv[5]) != "-") truth.write(std::string(argv[5]) + "." + std::to_string(rank));
    std::printf("process %d: init %d, terminate %d\n", rank, code, end);
    std::fflush(stdout);
    return MPI_Finalize();
}
