// cpl-lb-pingpong: messages between the first and the last process, to and fro. Prints "hosts A B" and, from short to
// long, "message BYTES SECONDS": half of the fastest round trip. `cpl-lb machine --mpirun` reads it.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mpi.h>
#include <string>
#include <vector>

namespace {

double half_round_trip(int me, int first, int last, std::vector<char> &buffer, int bytes, int repetitions) {
    double best = 1e30;
    for (int i = 0; i < repetitions; ++i) {
        const double start = MPI_Wtime();
        if (me == first) {
            MPI_Send(buffer.data(), bytes, MPI_CHAR, last, 0, MPI_COMM_WORLD);
            MPI_Recv(buffer.data(), bytes, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(buffer.data(), bytes, MPI_CHAR, first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buffer.data(), bytes, MPI_CHAR, first, 0, MPI_COMM_WORLD);
        }
        best = std::min(best, MPI_Wtime() - start);
    }
    return best / 2;
}

std::string host() {
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    MPI_Get_processor_name(name, &length);
    return {name, static_cast<std::size_t>(length)};
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me = 0, processes = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    const int last = processes - 1;
    const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
    if (last > 0 && (me == 0 || me == last)) {
        char other[MPI_MAX_PROCESSOR_NAME + 1] = {};
        const std::string mine = host();
        const int peer = me == 0 ? last : 0;
        MPI_Sendrecv(mine.c_str(), static_cast<int>(mine.size()) + 1, MPI_CHAR, peer, 1, other, sizeof other,
                     MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me == 0) std::printf("hosts %s %s\n", mine.c_str(), other);
        std::vector<char> buffer(std::size_t{1} << 22U);
        for (const int bytes : {8, 1 << 12, 1 << 16, 1 << 20, 1 << 22}) {
            const int repetitions = (bytes < (1 << 16) ? 2000 : 100) / (quick ? 10 : 1);
            const double seconds = half_round_trip(me, 0, last, buffer, bytes, repetitions);
            if (me == 0) std::printf("message %d %.9e\n", bytes, seconds);
        }
    }
    MPI_Finalize();
    return last > 0 ? 0 : 1;
}
