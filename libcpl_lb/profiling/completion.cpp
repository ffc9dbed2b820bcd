// Completes requests. Looks up before the call which of them cross components, because MPI sets them to null.
#include "profiling/hooks.hpp"

#include <algorithm>
#include <sched.h>
#include <utility>

namespace cpl_lb::profiling {
namespace {

// Used only by the thread that records. They grow to the longest list of requests.
std::vector<std::uint64_t> keys_before; // taken before the call, which sets requests to null
constexpr std::uint64_t no_request = 0; // the key of a null request
std::vector<Crossing> got, earlier, sent;
std::vector<Transfer> joined; // collective operations

// The messages of a call that waits for all its requests, if they are of several components.
struct Asked {
    int place = 0;          // among the requests
    int component = 0;      // below 0: not known yet
    std::uint64_t came = 0; // when it was found complete; 0: in the call itself
};
std::vector<Asked> asked, asked_now;
std::size_t next_to_ask = 0;
int last_to_come = -1;  // its place among those asked; -1: none was found incomplete
int last_component = 0; // its component
constexpr int nobody = -1000;
constexpr int not_known_yet = nobody - 1; // less its place: any of these may be of another component

} // namespace

Completion::Completion(const Call &call, int count, Requests requests, Statuses statuses, bool waits)
    : call_(call), count_(std::max(count, 0)), requests_(requests), statuses_(statuses), waits_(waits) {
    got.clear();
    sent.clear();
    joined.clear();
    last_component = nobody;
    Transfers &known = call.session().requests();
    if (known.empty() || !requests.any()) return;
    keys_before.clear();
    asked_now.clear();
    bool status_tells = false; // from whom, or whether anything came
    std::uint64_t what = 0;
    for (int i = 0; i < count_; ++i) {
        const std::uint64_t key = requests.key(i);
        const Transfer *transfer = known.find(key);
        const bool is_known = transfer != nullptr && transfer->active;
        keys_before.push_back(is_known ? key : no_request);
        if (!is_known) continue;
        known_ = true;
        files_ = files_ || transfer->mpi_class == CPL_LB_MPI_FILES;
        if (transfer->way == Way::inside) {
            call.session().is_of_class(static_cast<cpl_lb_mpi_class>(transfer->mpi_class));
            continue;
        }
        if (count_ > 1) ask_for(i, *transfer);
        if (transfer->way == Way::receive_inside) {
            status_tells = status_tells || transfer->cancelled || transfer->communicator != nullptr;
            continue;
        }
        if (!std::exchange(any_, true) || !call.session().is_asked(what)) what = key;
        status_tells =
            status_tells || transfer->cancelled || (transfer->way == Way::receive && transfer->message.field == 0);
    }
    if (status_tells) statuses_.need(count_);
    if (any_) begin_wait(what);
}

void Completion::begin_wait(std::uint64_t what) {
    call_.session().poll_begins(call_.begin(), what, waits_);
    // First those of others: a message of this component's own that was asked for first would hide when these came.
    const int own = call_.session().own_component();
    std::stable_partition(asked_now.begin(), asked_now.end(), [&](const Asked &a) { return a.component != own; });
    const bool again =
        call_.session().polling() && std::ranges::equal(asked, asked_now, {}, &Asked::place, &Asked::place);
    for (std::size_t i = 0; again && i < asked.size(); ++i)
        asked_now[i].came = asked[i].came;
    asked.swap(asked_now);
    if (again) return;
    next_to_ask = 0;
    last_to_come = -1;
}

void Completion::ask_for(int place, const Transfer &transfer) {
    const Session &s = call_.session();
    if (transfer.way == Way::receive_inside) asked_now.push_back({place, s.own_component()});
    if (transfer.way != Way::receive) return;
    const bool known = transfer.message.field != 0;
    asked_now.push_back({place, known ? s.component_of(transfer.message.process) : not_known_yet - place});
}

// A call that waits for all does not tell which of several components came last. So requests are asked, one after the
// other: the last one that was found incomplete came last. waits: asks until all are complete, as the call itself
// does. Not beside files: MPICH's collective operations on files may go on only inside the call itself.
void Completion::ask(bool waits) {
    const auto of_another = [](const Asked &a) { return a.component != asked.front().component; };
    if (!any_ || files_ || std::none_of(asked.begin(), asked.end(), of_another)) return;
    while (next_to_ask < asked.size()) {
        Asked &a = asked[next_to_ask];
        int complete = 0;
        if (PMPI_Request_get_status(requests_.handle(a.place), &complete, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
        if (complete == 0) last_to_come = static_cast<int>(next_to_ask);
        if (complete == 0 && !waits) return;
        if (complete == 0) {
#ifndef OPEN_MPI // which yields by itself where it is told to
            sched_yield();
#endif
            continue;
        }
        a.came = Session::now();
        ++next_to_ask;
    }
}

// Moves what is not of the component that came last to `earlier`. Returns when that had come.
std::uint64_t Completion::split_by_last() {
    earlier.clear();
    if (last_component == nobody) return 0;
    const Session &s = call_.session();
    const auto is_last = [&](const Crossing &m) { return s.component_of(m.process) == last_component; };
    const auto early = std::stable_partition(got.begin(), got.end(), is_last);
    earlier.assign(early, got.end());
    got.erase(early, got.end());
    const std::uint64_t last_came = asked[static_cast<std::size_t>(last_to_come)].came;
    std::uint64_t came = 0;
    for (const Asked &a : asked)
        if (a.component != last_component)
            came = std::max(came, a.came == 0 ? last_came : std::min(a.came, last_came));
    return came;
}

int Completion::partner_of(const Transfer &transfer, int place) const {
    if (transfer.communicator == nullptr) return transfer.message.process;
    return call_.session().partner(transfer.communicator.get(), statuses_.source(place));
}

Crossing Completion::crossing_of(const Transfer &transfer, int place) const {
    if (transfer.message.field != 0) return transfer.message;
    return call_.session().crossing(transfer.communicator.get(), statuses_.source(place), statuses_.tag(place));
}

void Completion::done(int i, int place) {
    if (!known_ || i < 0 || i >= count_) return;
    Session &s = call_.session();
    const std::uint64_t key = keys_before[static_cast<std::size_t>(i)];
    if (key == no_request) return;
    Transfer *transfer = s.requests().find(key);
    if (transfer == nullptr || !transfer->active) return;
    completed_ = true;
    Asked *const last = last_to_come < 0 ? nullptr : &asked[static_cast<std::size_t>(last_to_come)];
    const bool is_last = last != nullptr && last->place == i;
    if (is_last) last_component = s.own_component();
    if (is_last && last->came == 0) last->came = Session::now();
    const bool came_to_nothing = transfer->cancelled && statuses_.cancelled(place);
    if (came_to_nothing) {
        // no message, so no exchange
    } else if (transfer->way == Way::collective) {
        joined.push_back(*transfer);
    } else if (transfer->way == Way::receive_inside) {
        if (waits_) s.waits_for(partner_of(*transfer, place));
    } else if (transfer->way != Way::inside) {
        const Crossing message = crossing_of(*transfer, place);
        if (message.field > 0 && transfer->way == Way::receive) {
            got.push_back(message);
            if (is_last) last_component = s.component_of(message.process);
        }
        if (message.field <= 0 && waits_) s.waits_for(partner_of(*transfer, place));
        if (message.field > 0 && transfer->way == Way::send)
            sent.push_back({message.field, message.process, logged_again});
    }
    if (transfer->persistent) {
        transfer->active = false;
        transfer->cancelled = false;
    } else {
        s.requests().erase_found(transfer);
    }
}

// One event for each call: a call that completes both sends and receives is a GET, and collective operations in it
// get no time. A send had its PUT when it began; the rest of it is another PUT of the same exchange.
void Completion::record(bool good) {
    Session &s = call_.session();
    if (!good) forget_failed();
    if (good && !waits_ && !completed_) return s.poll_beside(call_.begin());
    if (!good || (got.empty() && sent.empty() && joined.empty())) return s.poll_over();
    const std::uint64_t end = Session::now();
    std::uint64_t begin = s.poll_began(call_.begin());
    s.poll_succeeded();
    if (!got.empty()) {
        const std::uint64_t early_end = split_by_last();
        if (got.empty()) { // a process of this component came last
            s.span(CPL_LB_GET, earlier, begin, early_end);
            s.is_inside(early_end, end);
        } else {
            if (got.size() == 1 && earlier.empty()) begin = s.waited_since(got.front().field, begin);
            s.span(CPL_LB_GET, got, begin, end, earlier, early_end);
        }
        begin = end;
    } else if (joined.empty()) {
        s.span(CPL_LB_PUT, sent, begin, end);
    }
    for (const Transfer &t : joined) {
        s.collective(Session::Part::completion, *t.communicator, t.what, t.root, begin, end);
        begin = end;
    }
    joined.clear();
}

// MPI gave up these requests with an error, and may give their handles to other requests.
void Completion::forget_failed() {
    for (int i = 0; known_ && i < count_; ++i)
        if (const std::uint64_t key = keys_before[static_cast<std::size_t>(i)]; key != requests_.key(i))
            call_.session().requests().erase(key);
}

void Completion::failed_poll() {
    if (!any_) return call_.session().poll_beside(call_.begin());
    call_.session().poll_failed(call_.begin(), Session::now());
}

// What had come before the first question was not waited for. Of anything but a receive the wait goes on until the
// call that completes it.
void Look::after(bool good) {
    if (!good) return;
    Session &s = call_.session();
    if (*flag_ == 0) return failed_poll();
    if (!any_) return s.poll_beside(call_.begin());
    const Transfer *transfer = s.requests().find(keys_before.front());
    if (!s.polling() || transfer == nullptr) return;
    if (transfer->way != Way::receive) return failed_poll();
    const Crossing came = crossing_of(*transfer, 0);
    if (came.field <= 0) return s.poll_over();
    const std::uint64_t begin = s.poll_began(call_.begin());
    s.poll_succeeded();
    s.message_found(came, begin, Session::now());
}

void Complete::after(bool good) {
    if (good && flag_ != nullptr && *flag_ == 0) {
        ask(false); // its time is that of the poll
        return failed_poll();
    }
    for (int i = 0; good && i < count_; ++i)
        done(i, i);
    record(good);
}

void CompleteOne::after(bool good) {
    if (good && flag_ != nullptr && *flag_ == 0) return failed_poll();
    if (good && *index_ != MPI_UNDEFINED) done(*index_ - requests_.first_index(), 0);
    record(good);
}

void CompleteSome::after(bool good) {
    if (good && tests_ && *out_count_ == 0) return failed_poll();
    for (int i = 0; good && *out_count_ != MPI_UNDEFINED && i < *out_count_; ++i)
        done(indices_[i] - requests_.first_index(), i);
    record(good);
}

} // namespace cpl_lb::profiling
