// What the MCT adapter asks about a transfer, and who answers: MCT's own numbers, or a coupler on top of it that
// knows names (cpl_lb_oasis.cpp).
#pragma once

// Of MPI only C is used; without this its C++ classes of old want a library of their own.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif

namespace cpl_lb::adapter {

class Names {
public:
    Names() = default;
    Names(const Names &) = delete;
    Names &operator=(const Names &) = delete;
    virtual ~Names() = default;

    // Field ids of cpl_lb_field; 0: not known, the transfer is not recorded.
    virtual int put(const void *attributes, const void *router, const int *tag) = 0;
    virtual int get(const void *attributes, const void *router, const int *tag) = 0;
    // A wait for the message before, before the next one is known.
    virtual int wait_before_put(const void *router) = 0;
    // The wait is the beginning of the put that follows (OASIS), or an event of its own (MCT).
    [[nodiscard]] virtual bool wait_begins_put() const = 0;
    virtual int map() = 0;
};

// From here on these names are used, and MCT's own begin and end are not those of the run. Null: MCT's own again.
void use_names(Names *names);

// cpl_lb_init on the Fortran communicator, and cpl_lb_terminate if it is still on. Both may be called again.
void start(int fortran_communicator, const char *component);
void finish(double simulated_s);

} // namespace cpl_lb::adapter
