// What MPI keeps for a model, and calls: attributes with their copy functions, communicators, error handlers.
#include "harmless.hpp"

#include <vector>

namespace scenario {
namespace {

int copies = 0, handled = 0;

// Where WHO is "one", only process 1 refuses.
int count_copy(MPI_Comm /*of*/, int /*keyval*/, void * /*extra*/, void * /*value*/, void * /*copy*/, int *copied) {
    ++copies;
    *copied = 0;
    return setting("WHO") == "one" && rank != 1 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

void count_error(MPI_Comm * /*of*/, int * /*code*/, ...) {
    ++handled;
}

double sum_of(int value) {
    int sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

// At the end the model itself duplicates its communicator, which shows that copies are counted. Not where one process
// refuses: the others would wait for it for ever.
int attributes() {
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &keyval);
    const int begun = cpl_lb_init(MPI_COMM_WORLD, rank < 1 ? "ocean" : "atmosphere");
    exchange(20);
    const int ended = cpl_lb_terminate(10);
    const double by_library = sum_of(copies);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm copy = MPI_COMM_NULL;
    if (setting("WHO") != "one") MPI_Comm_dup(MPI_COMM_WORLD, &copy); // fails, as its copy functions do
    const double by_model = sum_of(copies) - by_library;
    if (rank == 0) say("copies", by_library);
    if (rank == 0) say("counted", by_model > 0 ? 1 : 0);
    return begun != 0 ? begun : ended;
}

// The model has as many communicators as MPI gives, on every process or on process 1, and a handler that counts.
int no_communicators() {
    MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(count_error, &counting);
    const bool takes = setting("WHO") != "one" || rank == 1;
    std::vector<MPI_Comm> taken;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (MPI_Comm made = MPI_COMM_NULL; takes && MPI_Comm_dup(MPI_COMM_SELF, &made) == MPI_SUCCESS;)
        taken.push_back(made);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, counting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting);
    MPI_Barrier(MPI_COMM_WORLD);
    const int begun = cpl_lb_init(MPI_COMM_WORLD, "ocean");
    exchange(20);
    const int ended = cpl_lb_terminate(10);
    for (MPI_Comm comm : taken)
        MPI_Comm_free(&comm);
    const double all_taken = sum_of(static_cast<int>(taken.size())), all_handled = sum_of(handled);
    const double refused = sum_of(begun != 0 || ended != 0 ? 1 : 0);
    if (rank == 0) say("taken", all_taken);
    if (rank == 0) say("handled", all_handled);
    if (rank == 0) say("refused", refused);
    return 0;
}

} // namespace

Scenarios mpi_scenarios() {
    return {{"attributes", attributes}, {"no_communicators", no_communicators}};
}

} // namespace scenario
