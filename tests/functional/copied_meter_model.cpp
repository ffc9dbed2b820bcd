// A model with the meters of copied_meter.cmake in it: its first process changes the load average while it runs.
#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

// In place: readers keep the file open. Where there is none, none is made.
void set_load(const char *text) {
    const char *procfs = std::getenv("CPL_LB_PROCFS");
    if (procfs == nullptr) std::_Exit(9);
    const int file = open((std::string(procfs) + "/loadavg").c_str(), O_WRONLY);
    if (file < 0) return;
    if (pwrite(file, text, std::strlen(text), 0) < 0) std::_Exit(9);
    close(file);
}

void event(int kind, int field) {
    cpl_lb_begin(kind, field);
    cpl_lb_end(kind, field);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int field = cpl_lb_field("F", "atmosphere");
    MPI_Barrier(MPI_COMM_WORLD); // all have taken their first sample
    for (int i = 0; i < 4; ++i) {
        event(CPL_LB_PUT, field);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (i == 1 && rank == 0) set_load("3.75");
    }
    MPI_Barrier(MPI_COMM_WORLD); // nobody takes the last one before
    const int code = cpl_lb_terminate(86400);
    MPI_Finalize();
    return code == 0 ? 0 : 1;
}
