// The arguments of MPI's functions, given by C or by Fortran, in one form for the hooks.
#pragma once

#include "profiling/session.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mpi.h>
#include <vector>

#if !defined(OPEN_MPI)
#pragma weak MPI_F08_STATUS_IGNORE
#pragma weak MPI_F08_STATUSES_IGNORE
#endif

namespace cpl_lb::profiling {

// A value that Fortran passes by reference.
class Referred {
public:
    explicit Referred(const void *at) : at_(static_cast<const MPI_Fint *>(at)) {}
    operator int() const { return static_cast<int>(*at_); }
    // A template for any handle, because in some MPIs a communicator is an int, too.
    template <class Handle>
    requires std::is_pointer_v<Handle>
    operator Handle() const { return PMPI_Comm_f2c(*at_); }

private:
    const MPI_Fint *at_;
};

// Handles: C passes them by value or by address, and Fortran always by address.
inline MPI_Win window(MPI_Win c) {
    return c;
}
inline MPI_Win window(const MPI_Win *c) {
    return *c;
}
inline MPI_Win window(void *fortran) {
    return PMPI_Win_f2c(*static_cast<const MPI_Fint *>(fortran));
}
inline MPI_File file(MPI_File c) {
    return c;
}
inline MPI_File file(const MPI_File *c) {
    return *c;
}
inline MPI_File file(void *fortran) {
    return PMPI_File_f2c(*static_cast<const MPI_Fint *>(fortran));
}
inline MPI_Group group(MPI_Group c) {
    return c;
}
inline MPI_Group group(void *fortran) {
    return PMPI_Group_f2c(*static_cast<const MPI_Fint *>(fortran));
}

// A request, or an array of them.
class Requests {
public:
    explicit Requests(MPI_Request *c) : c_(c) {}
    explicit Requests(void *fortran, int /*tag: Fortran's*/) : fortran_(static_cast<MPI_Fint *>(fortran)) {}
    [[nodiscard]] std::uint64_t key(int i) const { return key_of(handle(i)); }
    [[nodiscard]] MPI_Request handle(int i) const { return c_ != nullptr ? c_[i] : PMPI_Request_f2c(fortran_[i]); }
    [[nodiscard]] bool any() const { return c_ != nullptr || fortran_ != nullptr; }
    [[nodiscard]] int first_index() const { return c_ != nullptr ? 0 : 1; } // in MPI's lists of indices

private:
    MPI_Request *c_ = nullptr;
    MPI_Fint *fortran_ = nullptr;
};

// A communicator that the call makes.
class NewCommunicator {
public:
    explicit NewCommunicator(MPI_Comm *c) : c_(c) {}
    explicit NewCommunicator(void *fortran, int /*tag: Fortran's*/) : fortran_(static_cast<MPI_Fint *>(fortran)) {}
    [[nodiscard]] MPI_Comm get() const { return c_ != nullptr ? *c_ : PMPI_Comm_f2c(*fortran_); }

private:
    MPI_Comm *c_ = nullptr;
    MPI_Fint *fortran_ = nullptr;
};

// A message of MPI_Mprobe.
class Message {
public:
    explicit Message(MPI_Message *c) : c_(c) {}
    explicit Message(void *fortran, int /*tag: Fortran's*/) : fortran_(static_cast<MPI_Fint *>(fortran)) {}
    [[nodiscard]] std::uint64_t key() const { return key_of(c_ != nullptr ? *c_ : PMPI_Message_f2c(*fortran_)); }

private:
    MPI_Message *c_ = nullptr;
    MPI_Fint *fortran_ = nullptr;
};

// A status or an array of them. If the model ignores it and its source is needed, MPI gets memory of the library.
class Statuses {
public:
    explicit Statuses(MPI_Status *&c) : c_(&c) {}
    explicit Statuses(void *&fortran) : fortran_(&fortran) {}
    // Makes room for so many statuses if the model ignores them.
    void need(int count) {
        if (!ignored() || count <= 0) return;
        own().resize(static_cast<std::size_t>(count));
        if (c_ != nullptr) {
            *c_ = own().data();
        } else {
            *fortran_ = own().data(); // Fortran's status has the same members, as integers, and is not larger
        }
    }
    [[nodiscard]] int source(int i) const {
        return c_ != nullptr ? (*c_)[i].MPI_SOURCE : member(i, offsetof(MPI_Status, MPI_SOURCE));
    }
    [[nodiscard]] int tag(int i) const {
        return c_ != nullptr ? (*c_)[i].MPI_TAG : member(i, offsetof(MPI_Status, MPI_TAG));
    }
    [[nodiscard]] bool cancelled(int i) const {
        MPI_Status status; // a copy, because Fortran's may not be aligned for C
        const std::size_t offset = static_cast<std::size_t>(i) * sizeof status;
        std::memcpy(&status, static_cast<const char *>(c_ != nullptr ? static_cast<void *>(*c_) : *fortran_) + offset,
                    sizeof status);
        int flag = 0;
        PMPI_Test_cancelled(&status, &flag);
        return flag != 0;
    }

private:
#if !defined(OPEN_MPI)
    // MPICH 4.2 has these names in its Fortran library, which a C program does not load.
    static void *if_there(MPI_F08_status **name) {
        return name == nullptr ? nullptr : *name;
    }
#endif
    static std::vector<MPI_Status> &own() {
        static std::vector<MPI_Status> statuses; // only the thread that records uses it
        return statuses;
    }
    [[nodiscard]] bool ignored() const {
        if (c_ != nullptr) return *c_ == MPI_STATUS_IGNORE || *c_ == MPI_STATUSES_IGNORE;
#if defined(OPEN_MPI)
        const std::array<void *, 2> ignored{MPI_F_STATUS_IGNORE, MPI_F_STATUSES_IGNORE};
#else
        const std::array<void *, 2> ignored{if_there(&MPI_F08_STATUS_IGNORE), if_there(&MPI_F08_STATUSES_IGNORE)};
#endif
        return *fortran_ == ignored[0] || *fortran_ == ignored[1];
    }
    // Fortran's status has the members of C's in the same order (MPI 3.1, 17.2.5), as integers.
    [[nodiscard]] int member(int i, std::size_t offset) const {
        const auto at = (static_cast<std::size_t>(i) * sizeof(MPI_Status) + offset) / sizeof(MPI_Fint);
        return static_cast<const MPI_Fint *>(*fortran_)[at];
    }

    MPI_Status **c_ = nullptr;
    void **fortran_ = nullptr;
};

// Functions that send begin with buffer, count, type and destination. If the hook has carries(bytes), it gets the
// size of the message, but only after a call that succeeded: before, an invalid datatype would reach the error
// handler of MPI_COMM_WORLD instead of that of the call's communicator.
template <class Hook>
void tell_size(Hook &hook, std::int64_t count, MPI_Datatype type, int dest) {
    if (dest == MPI_PROC_NULL || count < 0 || type == MPI_DATATYPE_NULL) return;
    MPI_Count size = 0;
    if (PMPI_Type_size_x(type, &size) == MPI_SUCCESS) hook.carries(count * size);
}
template <class Hook>
concept Sends = requires(Hook hook) {
    hook.carries(std::int64_t{});
};

template <class Hook, class Buffer, std::integral Count, class... Rest>
void look_at_size(Hook &hook, Buffer * /*buffer*/, Count count, MPI_Datatype type, int dest,
                  Rest... /*rest*/) requires Sends<Hook> {
    tell_size(hook, count, type, dest);
}
template <class Hook, class... Rest> // Fortran's
void look_at_size(Hook &hook, void * /*buffer*/, void *count, void *type, void *dest,
                  Rest... /*rest*/) requires Sends<Hook> {
    const auto value = [](const void *at) { return *static_cast<const MPI_Fint *>(at); };
    tell_size(hook, value(count), PMPI_Type_f2c(value(type)), value(dest));
}

template <class Hook, class... All>
void look_at_size(Hook & /*hook*/, All... /*all*/) {}

} // namespace cpl_lb::profiling
