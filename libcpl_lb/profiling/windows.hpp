// One-sided communication. Its operations only begin something. Over several components a fence is a collective
// operation. With Start, Complete, Post and Wait both sides take part, and a process waits when its epoch ends, or
// until it may begin: a GET from the target's component if this process got data there, else a PUT. No event of the
// other side matches these, so their field is called "one-sided". Where the target takes no part (Lock, Flush, shared
// memory), a process may wait for another one in loops of its own, and no call of MPI shows it. So these calls are
// inside the component, and it is only noted who exchanges so: as messages of a field of that name, without bytes.
#pragma once

#include "profiling/hooks.hpp"

namespace cpl_lb::profiling {

inline constexpr int every_rank = -1;

// The components that a window joins, and what this process has begun with each rank since it last waited for it.
struct MemoryWindow {
    std::shared_ptr<const Communicator> over;
    std::vector<std::uint8_t> begun; // by rank; empty: the window lies in one component
    std::vector<int> exposed_to;     // fields of the processes that may access it now
};

// Null: not known.
[[nodiscard]] std::shared_ptr<MemoryWindow> window_of(Session &session, MPI_Win win);

class TogetherOnWindow : public Together {
public:
    TogetherOnWindow(const Call &call, MPI_Win win);

protected:
    std::shared_ptr<MemoryWindow> window_;
};
// A fence completes all operations that were begun.
class Fence : public TogetherOnWindow {
public:
    using TogetherOnWindow::TogetherOnWindow;
    void after(bool good);
};

// An operation on the memory of another process.
class Access {
public:
    enum Side : std::uint8_t { put = 1, get = 2 };
    Access(const Call &call, MPI_Win win, int target, Side side);
    void after(bool good);

protected:
    const Call &call_;

private:
    Side side_;
    std::shared_ptr<MemoryWindow> window_; // null: within the component
    int target_;
};
// An operation with a request of its own, which the model completes.
class RequestedAccess : public Access {
public:
    RequestedAccess(const Call &call, MPI_Win win, int target, Side side, Requests request)
        : Access(call, win, target, side), request_(request) {}
    void after(bool good);

private:
    Requests request_;
};

// Waits until everything begun is complete.
class Settle {
public:
    Settle(const Call &call, MPI_Win win);
    void after(bool good);

private:
    const Call &call_;
    std::shared_ptr<MemoryWindow> window_; // null: within the component
};

// The same with that rank or with every rank, which takes no part.
class Passive {
public:
    Passive(const Call &call, MPI_Win win, int rank);
    void after(bool good);

private:
    void note(std::size_t rank);
    const Call &call_;
    std::shared_ptr<MemoryWindow> window_; // null: within the component
    int rank_;
};

// Makes memory that all processes of the communicator may read and write without MPI.
class ShareMemory : public Together {
public:
    using Together::Together;
    void after(bool good);
};

// Waits until a group lets this process in.
class ReachGroup {
public:
    ReachGroup(const Call &call, MPI_Win win, MPI_Group members);
    void after(bool good);

private:
    const Call &call_;
    std::vector<int> fields_;
};

// Lets a group access the window, and waits until the group is done.
class Expose {
public:
    Expose(const Call &call, MPI_Win win, MPI_Group members);
    void after(bool good);

private:
    std::shared_ptr<MemoryWindow> window_;
    std::vector<int> fields_;
};
class AwaitExposed {
public:
    AwaitExposed(const Call &call, MPI_Win win, int *flag = nullptr);
    void after(bool good);

private:
    const Call &call_;
    std::shared_ptr<MemoryWindow> window_;
    int *flag_;
};

} // namespace cpl_lb::profiling
