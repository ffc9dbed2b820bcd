// Files that processes of several components have opened together: their collective operations are exchanges.
#pragma once

#include "profiling/requests.hpp"

namespace cpl_lb::profiling {

// Null: one component opened the file, as is usual.
[[nodiscard]] std::shared_ptr<const Communicator> joined_by(MPI_File file);

class TogetherOnFile : public Together {
public:
    TogetherOnFile(const Call &call, MPI_File file) : Together(call, joined_by(file)) {}
};
class StartTogetherOnFile : public StartTogether {
public:
    StartTogetherOnFile(const Call &call, MPI_File file, Requests request)
        : StartTogether(call, joined_by(file), request) {}
};
class Open : public Together {
public:
    Open(const Call &call, MPI_Comm comm, MPI_File *opened) : Together(call, comm), c_(opened) {}
    Open(const Call &call, MPI_Comm comm, void *opened)
        : Together(call, comm), fortran_(static_cast<MPI_Fint *>(opened)) {}
    void after(bool good);

private:
    MPI_File *c_ = nullptr;
    MPI_Fint *fortran_ = nullptr;
};
class Close : public TogetherOnFile {
public:
    Close(const Call &call, MPI_File file) : TogetherOnFile(call, file), file_(file) {}
    void after(bool good);

private:
    MPI_File file_;
};

} // namespace cpl_lb::profiling
