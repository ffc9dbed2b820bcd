// Two components of which one changes: the ocean computes 0.4 s (on one core) in each of its first steps and 0.02 s
// after, the atmosphere 0.2 s, all of it sleep. changing_model OCEAN SLOW STEPS: processes of the ocean, the others
// are the atmosphere. Each process prints, by its own clock, when it came to each exchange and when it left it.
#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Every process sends to every process of the other component, and then receives.
void exchange(int put, int get, int first, int count, int tag) {
    char c = 0;
    cpl_lb_begin(CPL_LB_PUT, put);
    for (int i = 0; i < count; ++i)
        MPI_Send(&c, 1, MPI_CHAR, first + i, tag, MPI_COMM_WORLD);
    cpl_lb_end(CPL_LB_PUT, put);
    cpl_lb_begin(CPL_LB_GET, get);
    for (int i = 0; i < count; ++i)
        MPI_Recv(&c, 1, MPI_CHAR, first + i, 1 - tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cpl_lb_end(CPL_LB_GET, get);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int oceans = std::atoi(argv[1]), slow = std::atoi(argv[2]), steps = std::atoi(argv[3]);
    const bool is_ocean = rank < oceans;
    const int mine = is_ocean ? oceans : size - oceans;
    cpl_lb_init(MPI_COMM_WORLD, is_ocean ? "ocean" : "atmosphere");
    const int put = cpl_lb_field(is_ocean ? "SST" : "QNET", is_ocean ? "atmosphere" : "ocean");
    const int get = cpl_lb_field(is_ocean ? "QNET" : "SST", is_ocean ? "atmosphere" : "ocean");
    std::string clocks;
    for (int step = 0; step < steps; ++step) {
        cpl_lb_date(step * 3600LL);
        const double one_core_s = is_ocean ? (step < slow ? 0.4 : 0.02) : 0.2;
        std::this_thread::sleep_for(std::chrono::duration<double>(one_core_s / mine));
        const double came = now();
        exchange(put, get, is_ocean ? oceans : 0, size - mine, is_ocean ? 0 : 1);
        char line[64];
        std::snprintf(line, sizeof line, "%.6f %.6f\n", came, now());
        clocks += line;
    }
    const std::string name = std::string(is_ocean ? "ocean" : "atmosphere") + "_" + std::to_string(rank) + ".clock";
    if (std::FILE *file = std::fopen(name.c_str(), "w"); file != nullptr) {
        std::fputs(clocks.c_str(), file);
        std::fclose(file);
    }
    cpl_lb_terminate(steps * 3600.0);
    MPI_Finalize();
    return 0;
}
