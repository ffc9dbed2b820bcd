/* Preloaded under a process of a test: the FAULT_AT-th call of FAULT_NC (a netCDF function; pwrite, with which
 * processes write their own rows, and HDF5 all; or write, with which the library copies compressed bytes to the
 * disk) fails, without being made; with FAULT_RANK only on that rank.
 * FAULT_LASTS: the disk has failed for good, so that all later writes to the same disk fail, too.
 * FAULT_NC=close: closing a timeline fails, whoever does it.
 * FAULT_NC=disk_at_close: the disk fails for good when nc_close is called, which is made.
 * A scenario may say itself that the n-th of all calls fails, and ask how many there were: fault_arm, fault_calls,
 * fault_fired. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int here(void) {
    const char *wanted = getenv("FAULT_RANK");
    const char *mine = getenv("OMPI_COMM_WORLD_RANK");
    if (mine == NULL) mine = getenv("PMI_RANK");
    return wanted == NULL || (mine != NULL && strcmp(mine, wanted) == 0);
}

static long armed = -1, calls, fired;

void fault_arm(long at) {
    calls = fired = 0;
    armed = at;
}
long fault_calls(void) {
    return calls;
}
long fault_fired(void) {
    return fired;
}

static int strikes(const char *name) {
    static int count = 0;
    const char *wanted = getenv("FAULT_NC");
    const char *at = getenv("FAULT_AT");
    if (armed >= 0) {
        if (strcmp(name, "pwrite") == 0 || strcmp(name, "write") == 0 || strcmp(name, "disk_at_close") == 0)
            return 0; // not netCDF's
        if (++calls != armed) return 0;
        ++fired;
        fprintf(stderr, "fault fired: %s\n", name);
        return 1;
    }
    if (wanted == NULL || strcmp(wanted, name) != 0 || !here()) return 0;
    if (++count != (at == NULL ? 1 : atoi(at))) return 0;
    fprintf(stderr, "fault fired: %s\n", name);
    return 1;
}

static int closing; /* with disk_at_close */
static int disk_failed;
static dev_t failed_disk;

/* A file without a name lies in memory, not on a disk. */
static int disk_strikes(int file, const char *call) {
    struct stat found;
    if (fstat(file, &found) != 0 || found.st_nlink == 0) return 0;
    if (disk_failed) return found.st_dev == failed_disk;
    if (!strikes(call) && !(closing && strikes("disk_at_close"))) return 0;
    disk_failed = getenv("FAULT_LASTS") != NULL;
    failed_disk = found.st_dev;
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
    if (!disk_strikes(file, "pwrite")) return real(file, data, bytes, at);
    errno = getenv("FAULT_LASTS") != NULL ? EIO : ENOSPC;
    return -1;
}

static int is_temporary(int file) {
    char link[64];
    char name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = '\0';
    return strstr(name, ".part") != NULL;
}

static int is_timeline(int file) {
    char link[64];
    char name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = '\0';
    return strstr(name, "timeline_") != NULL;
}

/* Made, as the system does, which then says that something was lost. FAULT_LASTS: each time. */
int close(int file) {
    static int fails;
    int (*real)(int);
    *(void **)(&real) = dlsym(RTLD_NEXT, "close");
    const char *wanted = getenv("FAULT_NC");
    const int hit = wanted != NULL && strcmp(wanted, "close") == 0 && is_timeline(file);
    if (hit && (fails || strikes("close"))) {
        fails = getenv("FAULT_LASTS") != NULL;
        real(file);
        errno = EIO;
        return -1;
    }
    return real(file);
}

static int compressed;

int nc_close_memio(int file, NC_memio *memory) {
    int (*real)(int, NC_memio *);
    *(void **)(&real) = dlsym(RTLD_NEXT, "nc_close_memio");
    compressed = 1;
    return strikes("nc_close_memio") ? NC_EIO_STANDIN : real(file, memory);
}

ssize_t write(int file, const void *data, size_t bytes) {
    ssize_t (*real)(int, const void *, size_t);
    *(void **)(&real) = dlsym(RTLD_NEXT, "write");
    if (!compressed || !is_temporary(file) || !disk_strikes(file, "write")) return real(file, data, bytes);
    errno = getenv("FAULT_LASTS") != NULL ? EIO : ENOSPC;
    return -1;
}

int nc_close(int file) {
    int (*real)(int);
    *(void **)(&real) = dlsym(RTLD_NEXT, "nc_close");
    if (strikes("nc_close")) return NC_EIO_STANDIN;
    closing = 1;
    return real(file);
}

WRAP(nc__create, (const char *p, int m, size_t i, size_t *b, int *f), (p, m, i, b, f))
WRAP(nc_create, (const char *p, int m, int *f), (p, m, f))
WRAP(nc_create_mem, (const char *p, int m, size_t b, int *f), (p, m, b, f))
WRAP(nc_set_fill, (int f, int m, int *o), (f, m, o))
WRAP(nc_def_dim, (int f, const char *n, size_t l, int *d), (f, n, l, d))
WRAP(nc_def_var, (int f, const char *n, nc_type t, int k, const int *d, int *v), (f, n, t, k, d, v))
WRAP(nc_put_att_text, (int f, int v, const char *n, size_t l, const char *t), (f, v, n, l, t))
WRAP(nc_put_att_double, (int f, int v, const char *n, nc_type t, size_t l, const double *d), (f, v, n, t, l, d))
WRAP(nc_enddef, (int f), (f))
WRAP(nc__enddef, (int f, size_t h, size_t a, size_t v, size_t r), (f, h, a, v, r))
WRAP(nc_redef, (int f), (f))
WRAP(nc_sync, (int f), (f))
WRAP(nc_put_att_schar, (int f, int v, const char *n, nc_type t, size_t l, const signed char *d), (f, v, n, t, l, d))
WRAP(nc_put_vara_schar, (int f, int v, const size_t *s, const size_t *c, const signed char *d), (f, v, s, c, d))
WRAP(nc_put_vara_int, (int f, int v, const size_t *s, const size_t *c, const int *d), (f, v, s, c, d))
WRAP(nc_put_vara_double, (int f, int v, const size_t *s, const size_t *c, const double *d), (f, v, s, c, d))
WRAP(nc_put_att_int, (int f, int v, const char *n, nc_type t, size_t l, const int *d), (f, v, n, t, l, d))
WRAP(nc_put_var_text, (int f, int v, const char *d), (f, v, d))
WRAP(nc_put_var_int, (int f, int v, const int *d), (f, v, d))
WRAP(nc_put_var_double, (int f, int v, const double *d), (f, v, d))
WRAP(nc_inq_dimid, (int f, const char *n, int *d), (f, n, d))
WRAP(nc_inq_varid, (int f, const char *n, int *v), (f, n, v))
WRAP(nc__open, (const char *p, int m, size_t *b, int *f), (p, m, b, f))
WRAP(nc_open, (const char *p, int m, int *f), (p, m, f))
WRAP(nc_open_mem, (const char *p, int m, size_t b, void *d, int *f), (p, m, b, d, f))
WRAP(nc_get_att_double, (int f, int v, const char *n, double *d), (f, v, n, d))
WRAP(nc_get_att_string, (int f, int v, const char *n, char **d), (f, v, n, d))
WRAP(nc_get_att_text, (int f, int v, const char *n, char *d), (f, v, n, d))
WRAP(nc_get_var_double, (int f, int v, double *d), (f, v, d))
WRAP(nc_get_vara_text, (int f, int v, const size_t *s, const size_t *c, char *d), (f, v, s, c, d))
WRAP(nc_get_vara_schar, (int f, int v, const size_t *s, const size_t *c, signed char *d), (f, v, s, c, d))
WRAP(nc_get_vara_double, (int f, int v, const size_t *s, const size_t *c, double *d), (f, v, s, c, d))
WRAP(nc_inq_att, (int f, int v, const char *n, nc_type *t, size_t *l), (f, v, n, t, l))
WRAP(nc_inq_dimlen, (int f, int i, size_t *l), (f, i, l))
WRAP(nc_inq_format, (int f, int *k), (f, k))
WRAP(nc_inq_unlimdim, (int f, int *d), (f, d))
WRAP(nc_inq_vardimid, (int f, int v, int *d), (f, v, d))
WRAP(nc_inq_varndims, (int f, int v, int *n), (f, v, n))
WRAP(nc_inq_vartype, (int f, int v, nc_type *t), (f, v, t))
WRAP(nc_def_var_chunking, (int f, int v, int s, const size_t *c), (f, v, s, c))
WRAP(nc_def_var_deflate, (int f, int v, int s, int d, int l), (f, v, s, d, l))
WRAP(nc_set_var_chunk_cache, (int f, int v, size_t b, size_t n, float p), (f, v, b, n, p))
WRAP(nc_inq, (int f, int *d, int *v, int *a, int *u), (f, d, v, a, u))
WRAP(nc_inq_dim, (int f, int i, char *n, size_t *l), (f, i, n, l))
WRAP(nc_inq_var, (int f, int v, char *n, nc_type *t, int *k, int *d, int *a), (f, v, n, t, k, d, a))
WRAP(nc_inq_attname, (int f, int v, int a, char *n), (f, v, a, n))
WRAP(nc_copy_att, (int f, int v, const char *n, int g, int w), (f, v, n, g, w))
WRAP(nc_get_vara, (int f, int v, const size_t *s, const size_t *c, void *d), (f, v, s, c, d))
WRAP(nc_put_vara, (int f, int v, const size_t *s, const size_t *c, const void *d), (f, v, s, c, d))
