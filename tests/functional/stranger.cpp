// A component of a coupled model, built twice: with the library, and without any of it. Ocean, atmosphere and land
// exchange a number in each step, and between MPI_Init and the first exchange they do what couplers do: split and
// duplicate MPI_COMM_WORLD. `stranger NAME [STEPS [SECONDS]]`: SECONDS sleeps before the library is called.
#ifdef WITH_LIBRARY
#include <cpl_lb/cpl_lb.h>
#else
#include <mpi.h>
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

#ifdef WITH_LIBRARY
MPI_Comm for_library = MPI_COMM_NULL; // freed before the end

int begin_run(const char *name) {
    if (std::getenv("STRANGER_COPY") != nullptr) {
        MPI_Comm_dup(MPI_COMM_WORLD, &for_library);
        if (const char *late = std::getenv("STRANGER_COPY_LATE");
            late != nullptr && name == std::string("atmosphere"))
            std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(late)));
        return cpl_lb_init(for_library, name);
    }
    if (std::getenv("STRANGER_INTERCOMM") == nullptr) return cpl_lb_init(MPI_COMM_WORLD, name);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm both = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : 1, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 3, &both);
    return cpl_lb_init(both, name);
}
void end_run() {
    cpl_lb_terminate(86400);
    if (for_library == MPI_COMM_NULL) return;
    MPI_Barrier(for_library);
    MPI_Comm_free(&for_library);
}
int field() {
    return cpl_lb_field("sum", "neighbour");
}
void begin(int kind, int id) {
    cpl_lb_begin(kind, id);
}
void end(int kind, int id) {
    cpl_lb_end(kind, id);
}
constexpr int put = CPL_LB_PUT;
constexpr int get = CPL_LB_GET;
#else
int begin_run(const char * /*name*/) {
    return 0;
}
void end_run() {}
int field() {
    return 0;
}
void begin(int /*kind*/, int /*id*/) {}
void end(int /*kind*/, int /*id*/) {}
constexpr int put = 0;
constexpr int get = 0;
#endif

// Once around all processes, as a chain: each adds its rank.
long exchange(MPI_Comm comm, long value, int id) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank > 0) {
        begin(get, id);
        MPI_Recv(&value, 1, MPI_LONG, rank - 1, 7, comm, MPI_STATUS_IGNORE);
        end(get, id);
    }
    value += rank;
    if (rank + 1 < size) {
        begin(put, id);
        MPI_Send(&value, 1, MPI_LONG, rank + 1, 7, comm);
        end(put, id);
    }
    MPI_Bcast(&value, 1, MPI_LONG, size - 1, comm);
    return value;
}

// Many jobs at once, in which all wait for a suspended process: asleep, or they would take the machine.
void meet() {
    if (std::getenv("STRANGER_SLEEPS") == nullptr) return;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0; std::this_thread::sleep_for(std::chrono::milliseconds(2)))
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

// A receive that takes anything from anybody, from before the library's begin to behind its end. 8 bytes: whatever is
// longer ends the job. By PMPI, so that no preloaded library counts it.
class Listener {
public:
    Listener() { PMPI_Irecv(&value_, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request_); }
    // Whether something came; else what the process sends to itself does.
    bool heard(int rank) {
        int came = 0;
        PMPI_Test(&request_, &came, MPI_STATUS_IGNORE);
        if (came != 0) return true;
        const long own = -7;
        PMPI_Send(&own, 1, MPI_LONG, rank, 9, MPI_COMM_WORLD);
        MPI_Status status;
        PMPI_Wait(&request_, &status);
        return value_ != own || status.MPI_TAG != 9 || status.MPI_SOURCE != rank;
    }

private:
    long value_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

} // namespace

int main(int argc, char **argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    const int steps = argc > 2 ? std::atoi(argv[2]) : 4;
    MPI_Init(&argc, &argv);
    if (argc > 3) std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(argv[3])));
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::optional<Listener> listener;
    if (std::getenv("STRANGER_INTERCOMM") == nullptr) listener.emplace(); // MPI makes that with messages on the same
    const double before = now();
    const int code = begin_run(name.c_str());
    const double took = now() - before;
    MPI_Comm mine = MPI_COMM_NULL;
    MPI_Comm coupled = MPI_COMM_NULL;
    if (std::getenv("STRANGER_ASKS") != nullptr) { // an error without a communicator, as models of MPI 3 expect it
        char port[MPI_MAX_PORT_NAME] = "";
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        if (MPI_Lookup_name("nobody", MPI_INFO_NULL, port) != MPI_SUCCESS) std::fprintf(stderr, "nobody there\n");
    }
    meet();
    MPI_Comm_split(MPI_COMM_WORLD, name.empty() ? 0 : name[0], rank, &mine);
    MPI_Comm_dup(MPI_COMM_WORLD, &coupled);
    const int id = field();
    long value = 1;
    for (int step = 0; step < steps; ++step)
        value = exchange(coupled, value, id) % 1000003;
    end_run();
    if (listener && listener->heard(rank)) value = -1; // another result
    int first = 0;
    MPI_Comm_rank(mine, &first);
    long of_mine = 0;
    MPI_Allreduce(&value, &of_mine, 1, MPI_LONG, MPI_SUM, mine);
    if (first == 0) std::printf("%s_result %ld\n", name.c_str(), of_mine);
    if (first == 0) std::fprintf(stderr, "%s_init %d took %.3f\n", name.c_str(), code, took);
    meet();
    MPI_Comm_free(&coupled);
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
