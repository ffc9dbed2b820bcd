/* A coupled model that knows nothing of cpl_lb. air: steps of 1800 s, on the same process the component air_output.
 * ice: 7200 s. other: a process that YAC does not couple. The sea is yac_model.f90. Or wind and wave, with drift on
 * the same process as wave, steps of 1800 s: both exchange in one call. */
#include "yac_double.h"

#include <stdio.h>
#include <string.h>

static int info, error;
static double sum;

static void put(int form, int field, double value) {
    double mask = 1.0, *v = &value, *m = &mask, **vv = &v, **mm = &m;
    if (form == 0) yac_cput(field, 1, &vv, &info, &error);
    if (form == 1) yac_cput_(field, 1, v, &info, &error);
    if (form == 2) yac_cput_frac(field, 1, &vv, &mm, &info, &error);
    if (form == 3) yac_cput_frac_(field, 1, v, m, &info, &error);
    if (form == 4) yac_cput_ptr_(field, 1, &v, &info, &error);
    if (form == 5) yac_cput_frac_ptr_(field, 1, &v, &m, &info, &error);
}
static void get(int form, int field) {
    double value = 0.0, *v = &value, **vv = &v;
    int complete = 0;
    if (form == 0) yac_cget(field, 1, &v, &info, &error);
    if (form == 1) yac_cget_(field, 1, v, &info, &error);
    if (form == 2) yac_cget_async(field, 1, &v, &info, &error);
    if (form == 3) yac_cget_async_(field, 1, v, &info, &error);
    while (form == 3 && !complete)
        yac_ctest(field, &complete);
    if (form == 2 || form == 3) yac_cwait(field);
    if (form == 4) yac_cget_raw(field, 1, &vv, &info, &error);
    sum = 3.0 * sum + value;
}

static void define(const char *name, int component, const char *step, int *field) {
    const int points = 1;
    yac_cdef_field(name, component, &points, 1, 1, step, 1, field);
}
static int grid(void) {
    /* 30 and 60 degrees east, 45 degrees south to the north pole */
    int n[2] = {2, 2}, cyclic[2] = {0, 0}, id;
    double x[2] = {0.52359877559829882, 1.0471975511965976}, y[2] = {-0.78539816339744828, 1.5707963267948968};
    yac_cdef_grid_reg2d("g", n, cyclic, x, y, &id);
    return id;
}

static void air(void) {
    int component, output, tau, sst, cloud;
    yac_cpredef_comp("air", &component);
    yac_cdef_comp("air_output", &output);
    grid();
    define("tau", component, "1800", &tau);
    define("sst", component, "1800", &sst);
    define("cloud", output, "1800", &cloud);
    yac_cenddef();
    for (int n = 0; n <= 8; ++n) {
        put(n % 6, tau, 1.0 + n + sum);
        if (n == 1)
            yac_cupdate(cloud);
        else
            put(n % 6, cloud, 0.5 * n);
        get(n / 2 % 4, sst);
    }
    yac_cwait(tau);
}
static void ice(void) {
    int component, stress, cloud;
    yac_cdef_comp("ice", &component);
    grid();
    define("stress", component, "7200", &stress);
    define("cloud", component, "7200", &cloud);
    yac_cenddef();
    for (int n = 0; n <= 2; ++n) {
        get(n == 1 ? 4 : 0, stress);
        get(2, cloud);
    }
}

static void wind(void) {
    int component, stress, height, got_info;
    yac_cdef_comp("wind", &component);
    define("stress", component, "1800", &stress);
    define("height", component, "1800", &height);
    yac_cenddef();
    for (int n = 0; n < 4; ++n) {
        double sent = 1.0 + sum, got = 0.0;
        yac_cexchange_(stress, height, 1, &sent, &got, &info, &got_info, &error);
        sum = 3.0 * sum + got;
    }
}
static void wave(void) {
    int component, drift, stress, drift_stress, height, got_info;
    yac_cpredef_comp("wave", &component);
    yac_cdef_comp("drift", &drift);
    define("stress", component, "1800", &stress);
    define("stress", drift, "1800", &drift_stress);
    define("height", component, "1800", &height);
    yac_cenddef();
    for (int n = 0; n < 4; ++n) {
        double sent = 0.5 + sum, got = 0.0;
        yac_cexchange_(height, stress, 1, &sent, &got, &info, &got_info, &error);
        sum = 3.0 * sum + got;
        get(0, drift_stress);
    }
}

int main(int argc, char **argv) {
    const char *who = argc > 1 ? argv[1] : "air";
    /* "comm": the model knows who is coupled, and throws that communicator away. */
    const int with_comm = argc > 2 && strcmp(argv[2], "comm") == 0;
    if (strcmp(who, "other") == 0 || with_comm) MPI_Init(&argc, &argv);
    if (strcmp(who, "other") == 0) {
        yac_cinit_dummy();
        MPI_Finalize();
        return 0;
    }
    if (with_comm) {
        MPI_Comm all;
        MPI_Comm_dup(MPI_COMM_WORLD, &all);
        yac_cinit_comm(all);
        MPI_Comm_free(&all);
    } else {
        yac_cinit();
    }
    if (strcmp(who, "air") == 0)
        air();
    else if (strcmp(who, "ice") == 0)
        ice();
    else if (strcmp(who, "wind") == 0)
        wind();
    else
        wave();
    printf("result %s %.17g\n", who, sum);
    fflush(stdout);
    yac_cfinalize();
    if (with_comm) MPI_Finalize();
    return 0;
}
