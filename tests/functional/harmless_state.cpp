// What of the process is as before, while the library records and afterwards.
#include "harmless.hpp"
#include "process_state.hpp"

#include <clocale>
#include <cstdlib>
#include <locale>
#include <vector>

namespace scenario {
namespace {

// MPI opens files and starts threads at the first message: before the first snapshot.
void warm_up() {
    std::vector<char> in(static_cast<std::size_t>(size));
    const char out = 0;
    MPI_Allgather(&out, 1, MPI_CHAR, in.data(), 1, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
}

// The error handler of the model is its own.
void on_error(MPI_Comm *, int *, ...) {}

int state() {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(on_error, &handler);
    for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) // one of MPI_COMM_SELF cannot be taken away again
        MPI_Comm_set_errhandler(comm, handler);
    warm_up();
    std::srand(7);
    const ProcessState before = process_state();
    int code = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    int changes = say_changes(before, process_state(), "descriptors threads"); // the meters' files and thread
    cpl_lb_set_grid(1000, 10);
    const int region = cpl_lb_region("dynamics");
    for (int step = 0; step < 20; ++step) {
        cpl_lb_date(step);
        cpl_lb_region_begin(region);
        exchange(5);
        cpl_lb_region_end(region);
    }
    changes += say_changes(before, process_state(), "descriptors threads");
    code = cpl_lb_terminate(100) < 0 ? -1 : code;
    changes += say_changes(before, process_state());
    const int drawn = std::rand();
    std::srand(7);
    if (drawn != std::rand()) std::printf("changed random numbers\n");
    int attributes = 0; // of the model, on a communicator that the library knows
    int all = 0;
    MPI_Allreduce(&changes, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    if (rank == 0) say("changes", all + attributes);
    return code;
}

// Numbers of German models: 1.234,5. In C where the system has the locale, in C++ made here.
struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

int comma() {
    const char *set = setlocale(LC_ALL, setting("LOCALE", "C").c_str());
    std::locale::global(std::locale(std::locale::classic(), new Comma));
    if (rank == 0) {
        say("locale", set != nullptr ? 1 : 0);
        char text[32];
        std::snprintf(text, sizeof text, "%.1f", 0.5);
        say("comma", text[1] == ',' ? 1 : 0);
    }
    int code = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    cpl_lb_set_cell_size(1.5, 0.25);
    cpl_lb_set_grid(1234567, 10);
    exchange(20);
    work(0.01);
    const int ended = cpl_lb_terminate(1234.5);
    return ended < 0 ? ended : code;
}

} // namespace

Scenarios state_scenarios() {
    return {{"state", state}, {"comma", comma}};
}

} // namespace scenario
