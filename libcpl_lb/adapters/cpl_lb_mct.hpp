// What the MCT adapter asks about a transfer. MCT's own numbers answer, or a coupler on top of MCT that knows names
// (cpl_lb_oasis.cpp).
#pragma once

// Only MPI's C interface is used. Without this its old C++ classes need a library of their own.
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

// The loader leaves weak names empty if a program opens its coupler with RTLD_LOCAL, as Python does. Nothing can
// be asked of such a coupler, and nothing is recorded.
constexpr const char *tables_out_of_sight = "cpl_lb: nothing is recorded by the adapter: the program opens its "
                                            "coupler with dlopen, where the adapter does not "
                                            "see the coupler's tables. Name the coupler's libraries in LD_PRELOAD, "
                                            "too, after the adapter (docs/couplers.md)\n";
// On the first process of a job that was to be recorded.
bool recording_is_asked_for();

// Whether MCT came through the adapter: without it there are no transfers.
bool mct_is_seen();

// cpl_lb_init on the Fortran communicator, and cpl_lb_terminate if it is still on. Both may be called again.
void start(int fortran_communicator, const char *component);
void finish(double simulated_s);
bool is_started(); // and not finished: events count

} // namespace cpl_lb::adapter
