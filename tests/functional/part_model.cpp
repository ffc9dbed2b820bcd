// One component of a system whose components are started by an mpirun each; they exchange through files.
//   part_model NAME OTHER first|last SLEEP_MS STEPS FOLDER
// In each step "first" sleeps, sends, and receives the other's answer; "last" receives, sleeps, and sends. Prints
// between which times of CLOCK_MONOTONIC the earliest cpl_lb_init of its processes was entered [ns], and how long at
// most a process was between sending and receiving, all steps together ("away"): what the other sleeps meanwhile, it
// need not wait for.
#include <cpl_lb/cpl_lb.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <unistd.h>

namespace {

std::int64_t now_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

struct Part {
    std::string name, other, folder;
    int rank = 0, put = 0, get = 0;
    std::int64_t began_to_send = 0, away = 0;

    void send(int step) {
        began_to_send = now_ns();
        cpl_lb_begin(CPL_LB_PUT, put);
        const std::string file = folder + "/" + name + "." + std::to_string(step);
        MPI_Barrier(MPI_COMM_WORLD);
        std::FILE *message = rank == 0 ? std::fopen(file.c_str(), "w") : nullptr;
        if (message != nullptr) std::fclose(message);
        cpl_lb_end(CPL_LB_PUT, put);
    }
    void receive(int step) {
        cpl_lb_begin(CPL_LB_GET, get);
        if (began_to_send > 0) away += now_ns() - began_to_send;
        const std::string file = folder + "/" + other + "." + std::to_string(step);
        for (int waited_ms = 0; rank == 0 && waited_ms < 60'000 && access(file.c_str(), F_OK) != 0; ++waited_ms)
            usleep(1000);
        MPI_Barrier(MPI_COMM_WORLD);
        cpl_lb_end(CPL_LB_GET, get);
    }
};

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 7) return MPI_Abort(MPI_COMM_WORLD, 1);
    Part part{argv[1], argv[2], argv[6]};
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    const bool first = std::string(argv[3]) == "first";
    const auto sleep_us = static_cast<useconds_t>(1000 * std::atoi(argv[4]));
    std::int64_t before = now_ns();
    cpl_lb_init(MPI_COMM_WORLD, part.name.c_str());
    std::int64_t after = now_ns();
    part.put = cpl_lb_field(("of_" + part.name).c_str(), part.other.c_str());
    part.get = cpl_lb_field(("of_" + part.other).c_str(), part.other.c_str());
    for (int step = 0; step < std::atoi(argv[5]); ++step) {
        if (!first) part.receive(step);
        usleep(sleep_us);
        part.send(step);
        if (first) part.receive(step);
    }
    const int code = cpl_lb_terminate(86400.0);
    for (std::int64_t *t : {&before, &after})
        MPI_Allreduce(MPI_IN_PLACE, t, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &part.away, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (part.rank == 0)
        std::printf("init %lld %lld terminate %d away %lld\n", static_cast<long long>(before),
                    static_cast<long long>(after), code, static_cast<long long>(part.away));
    return MPI_Finalize();
}
