// Requests that are no message: nonblocking collective operations, and requests of other calls, whose completion
// counts as time of their class. Also MPI 4's MPI_Isendrecv.
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

// The event is recorded when the operation completes.
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

// The send has its PUT now; the wait is that of the receive, if there is one.
class StartSendAndReceive : public StartReceive {
public:
    StartSendAndReceive(const Call &call, int dest, int send_tag, int source, int tag, MPI_Comm comm,
                        Requests request);
    static void carries(std::int64_t bytes) { cpl_lb_message(bytes); }
    void after(bool good);

private:
    Crossing sent_;
};

} // namespace cpl_lb::profiling
