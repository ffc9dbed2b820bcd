/* Two kernels of an ocean that say what they do: the triad streams through memory, the recurrence waits for its own
 * last result. cpl-lb compares what is said with what was measured, and predicts the time on other machines. */
#include <cpl_lb/cpl_lb.h>
#include <stdlib.h>

static void triad(int n, double *restrict a, const double *restrict b, const double *restrict c, double s) {
    for (int i = 0; i < n; ++i)
        a[i] = b[i] + s * c[i];
}

static void recurrence(int n, double *a) {
    for (int i = 1; i < n; ++i)
        a[i] = 0.5 * a[i - 1] + a[i];
}

static double *numbers(int n) {
    double *x = malloc((size_t)n * sizeof *x);
    if (x == NULL) exit(1);
    return x;
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 2000000, steps = 20;
    double *a = numbers(n), *b = numbers(n), *c = numbers(n);
    for (int i = 0; i < n; ++i)
        a[i] = b[i] = c[i] = 1;

    MPI_Init(&argc, &argv);
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int step = cpl_lb_region("step"), stream = cpl_lb_region("triad"), chain = cpl_lb_region("recurrence");

    cpl_lb_assert_parameter("n", n); /* what the work depends on */
    cpl_lb_assert_parameter("steps", steps);
    cpl_lb_assert_expression(step, "calls", "steps");
    cpl_lb_assert_expression(stream, "flops", "2*n"); /* of one call */
    cpl_lb_assert_expression(stream, "loads", "2*n");
    cpl_lb_assert_expression(stream, "stores", "n");
    cpl_lb_assert_expression(stream, "mv", "01"); /* one thread, vectorised: the compiler's report says so */
    cpl_lb_assert_expression(stream, "sl", "2");  /* neighbours in memory */
    cpl_lb_assert_expression(stream, "tl", "0");  /* no number is used twice */
    cpl_lb_assert_expression(chain, "flops", "2*(n - 1)");
    cpl_lb_assert_expression(chain, "loads", "n - 1"); /* the last result is at hand */
    cpl_lb_assert_expression(chain, "stores", "n - 1");
    cpl_lb_assert_expression(chain, "mv", "00");
    cpl_lb_assert_expression(chain, "sl", "2");
    cpl_lb_assert_expression(chain, "tl", "0");

    for (int i = 0; i < steps; ++i) {
        cpl_lb_region_begin(step);
        cpl_lb_region_begin(stream);
        triad(n, a, b, c, 0.5);
        cpl_lb_region_end(stream);
        cpl_lb_region_begin(chain);
        recurrence(n, a);
        cpl_lb_region_end(chain);
        cpl_lb_region_end(step);
    }
    const int good = a[n - 1] > 0; /* the results are used */
    cpl_lb_terminate(0);
    MPI_Finalize();
    free(a);
    free(b);
    free(c);
    return good ? 0 : 1;
}
