/* Preloaded under a process of a test: the FAULT_AT-th call of FAULT_NC (a netCDF function, or pwrite, with which
 * processes write their own rows) fails, without being made; with FAULT_RANK only on that rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int here(void) {
    const char *wanted = getenv("FAULT_RANK");
    const char *mine = getenv("OMPI_COMM_WORLD_RANK");
    if (mine == NULL) mine = getenv("PMI_RANK");
    return wanted == NULL || (mine != NULL && strcmp(mine, wanted) == 0);
}

static int strikes(const char *name) {
    static int count = 0;
    const char *wanted = getenv("FAULT_NC");
    const char *at = getenv("FAULT_AT");
    if (wanted == NULL || strcmp(wanted, name) != 0 || !here()) return 0;
    if (++count != (at == NULL ? 1 : atoi(at))) return 0;
    fprintf(stderr, "fault fired: %s\n", name);
    return 1;
}

#define WRAP(NAME, PARAMETERS, ARGUMENTS)                                                                            \
    int NAME PARAMETERS {                                                                                            \
        int(*real) PARAMETERS;                                                                                       \
        *(void **)(&real) = dlsym(RTLD_NEXT, #NAME);                                                                 \
        return strikes(#NAME) ? NC_EIO_STANDIN : real ARGUMENTS;                                                     \
    }
#define NC_EIO_STANDIN NC_EHDFERR

ssize_t pwrite(int file, const void *data, size_t bytes, off_t at) {
    ssize_t (*real)(int, const void *, size_t, off_t);
    *(void **)(&real) = dlsym(RTLD_NEXT, "pwrite");
    if (!strikes("pwrite")) return real(file, data, bytes, at);
    errno = ENOSPC;
    return -1;
}

WRAP(nc__create, (const char *p, int m, size_t i, size_t *b, int *f), (p, m, i, b, f))
WRAP(nc_create, (const char *p, int m, int *f), (p, m, f))
WRAP(nc_set_fill, (int f, int m, int *o), (f, m, o))
WRAP(nc_def_dim, (int f, const char *n, size_t l, int *d), (f, n, l, d))
WRAP(nc_def_var, (int f, const char *n, nc_type t, int k, const int *d, int *v), (f, n, t, k, d, v))
WRAP(nc_put_att_text, (int f, int v, const char *n, size_t l, const char *t), (f, v, n, l, t))
WRAP(nc_put_att_double, (int f, int v, const char *n, nc_type t, size_t l, const double *d), (f, v, n, t, l, d))
WRAP(nc_enddef, (int f), (f))
WRAP(nc_put_vara_int, (int f, int v, const size_t *s, const size_t *c, const int *d), (f, v, s, c, d))
WRAP(nc_put_vara_double, (int f, int v, const size_t *s, const size_t *c, const double *d), (f, v, s, c, d))
WRAP(nc_close, (int f), (f))
WRAP(nc_put_att_int, (int f, int v, const char *n, nc_type t, size_t l, const int *d), (f, v, n, t, l, d))
WRAP(nc_put_var_int, (int f, int v, const int *d), (f, v, d))
WRAP(nc_put_var_double, (int f, int v, const double *d), (f, v, d))
WRAP(nc_inq_dimid, (int f, const char *n, int *d), (f, n, d))
WRAP(nc_inq_varid, (int f, const char *n, int *v), (f, n, v))
WRAP(nc_def_var_chunking, (int f, int v, int s, const size_t *c), (f, v, s, c))
WRAP(nc_def_var_deflate, (int f, int v, int s, int d, int l), (f, v, s, d, l))
WRAP(nc_set_var_chunk_cache, (int f, int v, size_t b, size_t n, float p), (f, v, b, n, p))
