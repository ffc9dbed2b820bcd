// One-sided communication. Its operations only begin something. A process waits when an epoch ends, or until it may
// begin. Over several components a fence is a collective operation. Every other end of an epoch is a GET from the
// target's component if this process got data there, else a PUT. No event of the other side matches these, so their
// field is called "one-sided".
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
    [[nodiscard]] bool crosses() const { return window_ != nullptr; }
    [[nodiscard]] int field() const;
    const Call &call_;
    Side side_;

private:
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

// Waits until everything begun with that rank, or with every rank, is complete (here: on this side only).
class Settle {
public:
    enum Where : std::uint8_t { everywhere, here };
    Settle(const Call &call, MPI_Win win, int rank, Where complete = everywhere);
    void after(bool good);

private:
    void settle(std::size_t rank);
    const Call &call_;
    std::shared_ptr<MemoryWindow> window_; // null: within the component
    int rank_;
    Where complete_;
};

// Waits until that rank, or a group, lets this process in.
class Reach {
public:
    Reach(const Call &call, MPI_Win win, int rank);
    void after(bool good);

private:
    const Call &call_;
    int field_ = 0;
};
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
