// Two components that record and wait for a file, for tests of the folder of results: the first half of the
// processes, which are even in number, is the ocean with PUTs, the others are the atmosphere with GETs.
//   folder_model STEPS [FILE]      after half of the steps rank 0 makes FILE.here and waits until FILE is there
#include <cpl_lb/cpl_lb.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {

void wait_for(const std::string &file) {
    if (std::FILE *here = std::fopen((file + ".here").c_str(), "w")) std::fclose(here);
    for (int waited_ms = 0; waited_ms < 60'000 && access(file.c_str(), F_OK) != 0; waited_ms += 20)
        usleep(20'000);
}

// So that no GET ends before its PUT began.
void exchange(bool sends, int partner) {
    int value = 0;
    if (sends)
        MPI_Send(&value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const bool ocean = 2 * rank < size;
    const int kind = ocean ? CPL_LB_PUT : CPL_LB_GET;
    cpl_lb_init(MPI_COMM_WORLD, ocean ? "ocean" : "atmosphere");
    const int field = cpl_lb_field("SST", ocean ? "atmosphere" : "ocean");
    const int steps = argc > 1 ? std::atoi(argv[1]) : 10;
    for (int step = 0; step < steps; ++step) {
        if (argc > 2 && step == steps / 2) {
            if (rank == 0) wait_for(argv[2]);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        cpl_lb_begin(kind, field);
        exchange(ocean, ocean ? rank + size / 2 : rank - size / 2);
        cpl_lb_end(kind, field);
    }
    const int code = cpl_lb_terminate(86400.0);
    if (rank == 0) std::printf("terminate %d\n", code);
    return MPI_Finalize();
}
