// Requests without a message: nonblocking collective operations, and requests of other calls, whose completion counts
// as time of their class. Also MPI 4's MPI_Isendrecv, and files that processes of several components opened.
#pragma once

#include "profiling/hooks.hpp"

namespace cpl_lb::profiling {

class StartInside {
public:
    StartInside(const Call &call, Requests request) : call_(call), request_(request) {}
    void after(bool good);

private:
    const Call &call_;
    Requests request_;
};

// The process comes when the operation starts, and waits in the call that completes it.
class StartTogether {
public:
    StartTogether(const Call &call, MPI_Comm comm, Requests request, Collective what = Collective::together,
                  int root = MPI_PROC_NULL)
        : StartTogether(call, call.session().joining(comm), request, what, root) {}
    StartTogether(const Call &call, std::shared_ptr<const Communicator> over, Requests request,
                  Collective what = Collective::together, int root = MPI_PROC_NULL);
    void after(bool good);

protected:
    Transfer transfer_;

private:
    const Call &call_;
    Requests request_;
};
class PrepareTogether : public StartTogether {
public:
    PrepareTogether(const Call &call, MPI_Comm comm, Requests request, Collective what = Collective::together,
                    int root = MPI_PROC_NULL)
        : StartTogether(call, comm, request, what, root) {
        transfer_.persistent = true;
        transfer_.active = false;
    }
};

// The send is recorded as a PUT now. The wait is that of the receive, if there is one.
class StartSendAndReceive : public StartReceive {
public:
    StartSendAndReceive(const Call &call, int dest, int send_tag, int source, int tag, MPI_Comm comm,
                        Requests request);
    void carries(std::int64_t bytes) const { sent_.carries(bytes); }
    void after(bool good);

private:
    Sent sent_;
};

// Files that processes of several components have opened together: their collective operations are exchanges.
// Null if one component opened the file, as is usual.
[[nodiscard]] std::shared_ptr<const Communicator> joined_by(MPI_File file);

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
class Close : public Together {
public:
    Close(const Call &call, MPI_File file) : Together(call, joined_by(file)), file_(file) {}
    void after(bool good);

private:
    MPI_File file_;
};

} // namespace cpl_lb::profiling
