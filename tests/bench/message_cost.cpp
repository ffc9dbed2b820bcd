// What the messages cost that cpl-lb-record keeps: memory for each while the model runs, and MPI_Finalize, which ends
// the recording, beside cpl_lb_terminate of the same program with calls of its own around the same messages. The
// first half of the processes sends, each to one of the second half. Run one after the other, by hand:
//   mpirun -np P message_cost MESSAGES own                        calls of its own, not recorded
//   mpirun -np P message_cost MESSAGES bare                       neither: what MPI_Finalize itself takes
//   mpirun -np P cpl-lb-record --components a:0-H,b:H+1-P-1 message_cost MESSAGES recorded
//   mpirun -np 2 cpl-lb-record --components a:0,b:1 message_cost COMMUNICATORS communicators
// The last one makes communicators over both components, with a message and an Allreduce in each, by MPI_X, which is
// recorded, and by PMPI_X, which is not, turn about in the same process. Figures, no verdict.
#include "stopwatch.hpp"

#include <cpl_lb/cpl_lb.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace cpl_lb::bench;
int rank = 0, size = 1;

// What each process writes after MPI_Finalize, in a file that all have in their memory.
class Told {
public:
    Told() {
        const int file = open("message_cost.told", O_RDWR | O_CREAT, 0600);
        const auto bytes = static_cast<std::size_t>(size) * sizeof(double);
        if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) std::abort();
        values_ = static_cast<volatile double *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        close(file);
        values_[rank] = 0;
    }
    void tell(double value) { values_[rank] = value; }
    [[nodiscard]] double sum_of_all() const {
        double sum = 0;
        for (int r = 0; r < size; ++r) {
            while (values_[r] <= 0)
                usleep(1000);
            sum += values_[r];
        }
        std::remove("message_cost.told");
        return sum;
    }

private:
    volatile double *values_ = nullptr;
};

// Calls of the program's own. The library is opened only for these: cpl-lb-record leaves a program alone that has it.
struct Own {
    int field = -1; // none: without calls of its own
    decltype(&cpl_lb_begin) begin_call = nullptr;
    decltype(&cpl_lb_end) end_call = nullptr;
    decltype(&cpl_lb_terminate) terminate = nullptr;

    void open(const char *component, const char *counterpart) {
        void *library = dlopen(CPL_LB_LIBRARY, RTLD_NOW);
        if (library == nullptr) std::abort();
        const auto init = reinterpret_cast<decltype(&cpl_lb_init)>(dlsym(library, "cpl_lb_init"));
        const auto field_call = reinterpret_cast<decltype(&cpl_lb_field)>(dlsym(library, "cpl_lb_field"));
        begin_call = reinterpret_cast<decltype(&cpl_lb_begin)>(dlsym(library, "cpl_lb_begin"));
        end_call = reinterpret_cast<decltype(&cpl_lb_end)>(dlsym(library, "cpl_lb_end"));
        terminate = reinterpret_cast<decltype(&cpl_lb_terminate)>(dlsym(library, "cpl_lb_terminate"));
        init(MPI_COMM_WORLD, component);
        field = field_call("tag 1", counterpart);
    }
    void begin(int kind) const {
        if (field >= 0) begin_call(kind, field);
    }
    void end(int kind) const {
        if (field >= 0) end_call(kind, field);
    }
};

// Every thousandth waits for its receiver: else the senders would fill the receivers' memory.
void pass(long messages, const Own &own) {
    const int half = size / 2;
    const bool sends = rank < half;
    double value = 0;
    for (long n = 0; n < messages; ++n) {
        const int kind = sends ? CPL_LB_PUT : CPL_LB_GET;
        own.begin(kind);
        if (!sends)
            MPI_Recv(&value, 1, MPI_DOUBLE, rank - half, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (n % 1000 == 0)
            MPI_Ssend(&value, 1, MPI_DOUBLE, rank + half, 1, MPI_COMM_WORLD);
        else
            MPI_Send(&value, 1, MPI_DOUBLE, rank + half, 1, MPI_COMM_WORLD);
        own.end(kind);
    }
}

void measure_end(long messages, const std::string &how) {
    Own own;
    const bool first_half = rank < size / 2;
    if (how == "own") own.open(first_half ? "a" : "b", first_half ? "b" : "a");
    pass(1000, Own{}); // buffers of MPI itself
    PMPI_Barrier(MPI_COMM_WORLD);
    const double before_MiB = status_MiB("VmRSS:");
    pass(messages, own);
    double of_message_B = (status_MiB("VmRSS:") - before_MiB) * 1048576 / static_cast<double>(messages);
    PMPI_Allreduce(MPI_IN_PLACE, &of_message_B, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    Told told;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start_s = now(), start_processor_s = cpu_now();
    if (how == "own")
        own.terminate(86400.0);
    else
        MPI_Finalize();
    const double passed_s = now() - start_s;
    told.tell(std::max(cpu_now() - start_processor_s, 1e-9));
    if (rank == 0) {
        std::printf("%-8s %3d processes x %ld messages: %7.3f s, processor time of all %7.3f s, at most %5.1f bytes "
                    "more for each\n",
                    how.c_str(), size, messages, passed_s, told.sum_of_all(), of_message_B);
    }
    if (how == "own") MPI_Finalize();
}

// The seconds that one kind of calls takes.
template <class Split, class Sendrecv, class Allreduce, class Free>
double communicators(int count, Split split, Sendrecv sendrecv, Allreduce allreduce, Free free_one) {
    std::vector<MPI_Comm> all(static_cast<std::size_t>(count));
    double mine = 0, other = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start_s = now();
    for (MPI_Comm &c : all) {
        split(MPI_COMM_WORLD, 0, rank, &c);
        sendrecv(&mine, 1, MPI_DOUBLE, 1 - rank, 1, &other, 1, MPI_DOUBLE, 1 - rank, 1, c, MPI_STATUS_IGNORE);
        allreduce(&mine, &other, 1, MPI_DOUBLE, MPI_SUM, c);
    }
    for (MPI_Comm &c : all)
        free_one(&c);
    return now() - start_s;
}

void measure_communicators(int count) {
    constexpr int rounds = 11;
    std::vector<double> recorded, bare;
    for (int round = 0; round < rounds; ++round) {
        recorded.push_back(communicators(count, MPI_Comm_split, MPI_Sendrecv, MPI_Allreduce, MPI_Comm_free));
        bare.push_back(communicators(count, PMPI_Comm_split, PMPI_Sendrecv, PMPI_Allreduce, PMPI_Comm_free));
    }
    for (std::vector<double> *times : {&recorded, &bare})
        std::sort(times->begin(), times->end());
    if (rank == 0) {
        std::printf(
            "%d communicators, fastest of %d rounds: %.2f ms, not recorded %.2f ms, %.2f times; %.2f microseconds "
            "more for each\n",
            count, rounds, 1e3 * recorded.front(), 1e3 * bare.front(), recorded.front() / bare.front(),
            1e6 * (recorded.front() - bare.front()) / count);
    }
    MPI_Finalize();
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    for (const auto &[name, value] :
         {std::pair("CPL_LB_MAX_MB", "1024"), {"CPL_LB_PRINT", "0"}, {"CPL_LB_REPORT", "0"}})
        setenv(name, value, 1);
    if (std::string(argv[2]) == "own") setenv("CPL_LB_ENABLED", "1", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (std::string(argv[2]) == "communicators")
        measure_communicators(std::atoi(argv[1]));
    else
        measure_end(std::atol(argv[1]), argv[2]);
    return 0;
}
