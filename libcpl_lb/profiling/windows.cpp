// Finds the waits of one-sided communication, and the components that a window joins.
#include "profiling/windows.hpp"

#include "profiling/kept.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb::profiling {
namespace {

// Used only by the thread that records.
int keyval = MPI_KEYVAL_INVALID;
MPI_Win last_win = MPI_WIN_NULL;
std::uint64_t last_seen_at = 0; // as often as the session had forgotten what it knew
std::shared_ptr<MemoryWindow> last;
std::vector<int> got, put;

extern "C" int cpl_lb_mpi_forget_window(MPI_Win /*win*/, int /*key*/, void *value, void * /*extra*/) {
    put_aside(value);
    return MPI_SUCCESS;
}

std::shared_ptr<MemoryWindow> look_at(const Session &session, MPI_Win win) {
    MPI_Group group = MPI_GROUP_NULL;
    if (PMPI_Win_get_group(win, &group) != MPI_SUCCESS) return {};
    auto over = session.look_at_group(group);
    PMPI_Group_free(&group);
    auto window = std::make_shared<MemoryWindow>();
    if (over->joins_components) window->begun.resize(over->component_of_rank.size());
    window->over = std::move(over);
    return window;
}

// Null if the window lies within the component.
std::shared_ptr<MemoryWindow> joining_window(Session &s, MPI_Win win) {
    if (!s.records_exchanges()) return {};
    auto window = window_of(s, win);
    return window != nullptr && window->over->joins_components ? window : nullptr;
}

// Of another component.
int field_at(Session &s, const MemoryWindow &window, std::size_t rank, const char *what) {
    return s.unmatched_field_with(window.over->component_of_rank[rank], what);
}

std::vector<int> fields_of(Session &s, MPI_Group members) {
    std::vector<int> fields;
    const auto joined = s.look_at_group(members);
    for (const int component : joined->others)
        fields.push_back(s.unmatched_field_with(component, "one-sided"));
    return fields;
}

void add(std::vector<int> &fields, int field) {
    if (field > 0 && std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
}

} // namespace

std::shared_ptr<MemoryWindow> window_of(Session &session, MPI_Win win) {
    if (win == MPI_WIN_NULL) return {};
    if (win == last_win && last_seen_at == session.times_forgotten()) return last;
    if (keyval == MPI_KEYVAL_INVALID &&
        PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, &cpl_lb_mpi_forget_window, &keyval, nullptr) != MPI_SUCCESS)
        return {};
    void *kept = nullptr;
    int found = 0;
    if (PMPI_Win_get_attr(win, keyval, static_cast<void *>(&kept), &found) != MPI_SUCCESS) return {};
    if (found != 0 && !session.is_outdated(*kept_in<MemoryWindow>(kept)->over)) {
        last = kept_in<MemoryWindow>(kept);
    } else {
        auto seen = look_at(session, win);
        if (seen == nullptr) return {};
        std::unique_ptr<Kept> keep = std::make_unique<KeptOf<MemoryWindow>>(seen);
        if (PMPI_Win_set_attr(win, keyval, keep.get()) != MPI_SUCCESS) return seen; // found out again next time
        static_cast<void>(keep.release());
        last = std::move(seen);
    }
    last_win = win;
    last_seen_at = session.times_forgotten();
    return last;
}

TogetherOnWindow::TogetherOnWindow(const Call &call, MPI_Win win)
    : Together(call, std::shared_ptr<const Communicator>()), window_(joining_window(call.session(), win)) {
    if (window_ != nullptr) communicator_ = window_->over;
}

void Fence::after(bool good) {
    if (good && window_ != nullptr) std::fill(window_->begun.begin(), window_->begun.end(), std::uint8_t{0});
    Together::after(good);
}

Access::Access(const Call &call, MPI_Win win, int target, Side side) : call_(call), side_(side), target_(target) {
    auto window = joining_window(call.session(), win);
    if (window != nullptr && target >= 0 && call.session().crosses(window->over.get(), target))
        window_ = std::move(window);
}

void Access::after(bool good) {
    if (good && window_ != nullptr) window_->begun[static_cast<std::size_t>(target_)] |= side_;
}

void RequestedAccess::after(bool good) {
    Access::after(good);
    if (!good) return;
    Session &s = call_.session();
    s.requests().insert(request_.key(0), {.way = Way::inside, .mpi_class = static_cast<std::uint8_t>(s.mpi_class())});
}

Settle::Settle(const Call &call, MPI_Win win) : call_(call), window_(joining_window(call.session(), win)) {}

void Settle::after(bool good) {
    if (!good || window_ == nullptr) return;
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    got.clear();
    put.clear();
    for (std::size_t rank = 0; rank < window_->begun.size(); ++rank) {
        const std::uint8_t begun = std::exchange(window_->begun[rank], std::uint8_t{0});
        if (begun != 0) add((begun & Access::get) != 0 ? got : put, field_at(s, *window_, rank, "one-sided"));
    }
    if (got.empty() && put.empty()) return;
    s.poll_over();
    s.span(got.empty() ? CPL_LB_PUT : CPL_LB_GET, got.empty() ? put : got, call_.begin(), end);
}

Passive::Passive(const Call &call, MPI_Win win, int rank)
    : call_(call), window_(joining_window(call.session(), win)), rank_(rank) {}

namespace {

constexpr std::int64_t only_a_mark = -1; // cpl_lb_message: no message was sent

} // namespace

void Passive::note(std::size_t rank) {
    if (std::exchange(window_->begun[rank], std::uint8_t{0}) != 0)
        cpl_lb_message(only_a_mark, -1, field_at(call_.session(), *window_, rank, CPL_LB_WINDOW_ACCESSES));
}

void Passive::after(bool good) {
    if (!good || window_ == nullptr) return;
    if (rank_ == every_rank) {
        for (std::size_t rank = 0; rank < window_->begun.size(); ++rank)
            note(rank);
    } else if (rank_ >= 0 && static_cast<std::size_t>(rank_) < window_->begun.size()) {
        note(static_cast<std::size_t>(rank_));
    }
}

// Noted by the first process of each component.
void ShareMemory::after(bool good) {
    if (good && communicator_ != nullptr) {
        const std::vector<int> &all = communicator_->component_of_rank;
        const auto mine = all.begin() + communicator_->rank;
        if (std::find(all.begin(), mine, *mine) == mine)
            for (const int other : communicator_->others)
                cpl_lb_message(only_a_mark, -1, call_.session().unmatched_field_with(other, CPL_LB_SHARED_MEMORY));
    }
    Together::after(good);
}

ReachGroup::ReachGroup(const Call &call, MPI_Win win, MPI_Group members) : call_(call) {
    if (joining_window(call.session(), win) != nullptr) fields_ = fields_of(call.session(), members);
}

void ReachGroup::after(bool good) {
    if (good && !fields_.empty()) call_.session().span(CPL_LB_PUT, fields_, call_.begin(), Session::now());
}

Expose::Expose(const Call &call, MPI_Win win, MPI_Group members) : window_(joining_window(call.session(), win)) {
    if (window_ != nullptr) fields_ = fields_of(call.session(), members);
}

void Expose::after(bool good) {
    if (good && window_ != nullptr) window_->exposed_to = std::move(fields_);
}

AwaitExposed::AwaitExposed(const Call &call, MPI_Win win, int *flag)
    : call_(call), window_(joining_window(call.session(), win)), flag_(flag) {
    if (window_ != nullptr && window_->exposed_to.empty()) window_ = nullptr;
    if (window_ != nullptr && flag_ != nullptr)
        call.session().poll_begins(call.begin(), reinterpret_cast<std::uintptr_t>(window_.get()));
}

void AwaitExposed::after(bool good) {
    if (!good || window_ == nullptr) return;
    const std::uint64_t end = Session::now();
    Session &s = call_.session();
    if (flag_ != nullptr && *flag_ == 0) return s.poll_failed(call_.begin(), end);
    const std::uint64_t begin = flag_ != nullptr ? s.poll_began(call_.begin()) : call_.begin();
    s.poll_succeeded();
    s.span(CPL_LB_GET, window_->exposed_to, begin, end);
    window_->exposed_to.clear();
}

} // namespace cpl_lb::profiling
