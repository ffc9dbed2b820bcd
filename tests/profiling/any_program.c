/* A model of two processes, whose sum and exit status must come out whatever it is built with: any_program STATUS.
 * LIKE_MSAN: it has what MemorySanitizer puts into each program. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef LIKE_MSAN
void __msan_init(void) {} /* NOLINT(bugprone-reserved-identifier) */
#endif
#ifdef OWN_OPTIONS                         /* beside those of the library */
const char *__asan_default_options(void) { /* NOLINT(bugprone-reserved-identifier) */
    return "detect_leaks=0";
}
#endif

int main(int argc, char **argv) {
    int rank = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *sent = malloc(sizeof *sent);
    if (sent == NULL) return 99;
    *sent = rank + 1;
    MPI_Allreduce(sent, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("sum %d, %d arguments\n", sum, argc);
        fflush(stdout);
    }
    free(sent);
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
