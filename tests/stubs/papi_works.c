/* Exit status 0 where this machine's PAPI counts a software event, tried without cpl_lb. PAPI switches all its events
 * off on a processor that it does not know. The condition of a test that counts through PAPI. */
#include <dlfcn.h>
#include <stddef.h>

typedef int (*with_version)(int);
typedef int (*with_set)(int *);
typedef int (*with_name)(int, const char *);
typedef int (*with_number)(int);

static void *function(void *library, const char *name) {
    return library == NULL ? NULL : dlsym(library, name);
}

static void *papi(void) {
    static const char *const names[] = {"libpapi.so.7", "libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0",
                                        "libpapi.so.6", "libpapi.so.6.0", "libpapi.so.5"};
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof names[0]; ++i)
        library = dlopen(names[i], RTLD_NOW);
    return library;
}

int main(void) {
    void *library = papi();
    with_version init;
    with_set create;
    with_name add;
    with_number start;
    *(void **)&init = function(library, "PAPI_library_init");
    *(void **)&create = function(library, "PAPI_create_eventset");
    *(void **)&add = function(library, "PAPI_add_named_event");
    *(void **)&start = function(library, "PAPI_start");
    if (init == NULL || create == NULL || add == NULL || start == NULL) return 1;
    int version = 0;
    for (int i = 8 << 8; version == 0 && i >= 5 << 8; --i) { /* it takes no version but its own */
        const int asked = (i >> 8) << 24 | (i & 0xff) << 16;
        if (init(asked) == asked) version = asked;
    }
    int set = -1; /* PAPI_NULL */
    return version != 0 && create(&set) == 0 && add(set, "perf::PAGE-FAULTS") == 0 && start(set) == 0 ? 0 : 1;
}
