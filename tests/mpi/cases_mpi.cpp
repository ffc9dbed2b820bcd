// The cases under the MPI that this program is started with, on however many processes there are.
#include "mpi/mpi_carrier.hpp"
#include "tests/mpi/cases.hpp"

#include <cstdio>

using namespace cpl_lb;

namespace {

std::string try_case(const testing::Case &c, Transport &transport) {
    try {
        return c.body(transport, 7);
    } catch (const std::exception &e) {
        return e.what();
    }
}

int run_cases(MPI_Comm comm) {
    Transport transport(std::make_unique<MpiCarrier>(comm), 120);
    int wrong = 0;
    int count = 0;
    for (const testing::Case &c : testing::all_cases()) {
        const std::string text = try_case(c, transport);
        ++count;
        if (text.empty()) continue;
        ++wrong;
        std::fprintf(stderr, "%s, rank %d of %d: %s\n", c.name, transport.rank(), transport.size(), text.c_str());
    }
    if (transport.rank() == 0) std::printf("%d cases on %d processes\n", count, transport.size());
    return wrong == 0 && !transport.failed() ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int wrong = run_cases(comm);
    int wrong_anywhere = 0;
    MPI_Allreduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    // comm is not freed, as in the library: MPICH from 4.1 on would end a program with messages left.
    MPI_Finalize();
    return wrong_anywhere;
}
