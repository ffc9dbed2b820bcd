// The C interface of the balance while the model runs: this process's own, and that of all components among the
// processes of a communicator.
#include "cpl_lb/cpl_lb.h"

#include "api/guarded.hpp"
#include "run/live/recording.hpp"

#include <algorithm>
#include <cstring>

using namespace cpl_lb;

namespace {

static_assert(CPL_LB_STEPS == most_recent_steps);

void set(double *to, double value) noexcept {
    if (to != nullptr) *to = value;
}

bool are_steps(int steps) noexcept {
    return steps >= 1 && steps <= CPL_LB_STEPS;
}
void expect_steps(int steps) {
    if (!are_steps(steps)) throw Mistake{CPL_LB_EARGUMENT, "steps must be 1 to CPL_LB_STEPS (1000)"};
}

cpl_lb_balance in_c(const BalanceNow &component) {
    cpl_lb_balance c{};
    const double processes = std::max(component.measured, 1);
    component.name.copy(c.name, sizeof c.name - 1);
    c.processes = component.processes;
    c.measured = component.measured;
    c.steps = component.steps;
    c.seconds = component.seconds / processes;
    c.waiting_s = component.waiting_s / processes;
    c.computing_s = c.seconds - c.waiting_s;
    c.coupling_s = component.coupling_s / processes;
    c.own_s = component.own_s / processes;
    c.waiting_share = component.waiting_share();
    return c;
}

// The answer, of `size` components as far as they are.
struct Answer {
    int size;
    cpl_lb_balance *components;
    int *slow;

    void clear() const noexcept {
        if (slow != nullptr) *slow = 0;
        for (int i = 0; components != nullptr && i < size; ++i)
            components[i] = {{}, 0, 0, 0, 0, 0, 0, 0, 0, -1};
    }
    [[nodiscard]] int give(const ComponentsNow &now) const {
        const auto room = static_cast<std::size_t>(std::max(size, 0));
        for (std::size_t i = 0; components != nullptr && i < std::min(now.components.size(), room); ++i)
            components[i] = in_c(now.components[i]);
        if (const auto place = slow_side_now(now.components); slow != nullptr && place)
            *slow = static_cast<int>(*place) + 1;
        return static_cast<int>(now.components.size());
    }
};

bool is_usable(MPI_Comm comm) {
    int is_inter = 1;
    return comm != MPI_COMM_NULL && MPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter == 0;
}

// A wrong argument is reported after the messages, because the others count on this process.
int balance_now(Recording &recording, MPI_Comm comm, int steps, const Answer &answer) {
    if (!is_usable(comm))
        throw Mistake{CPL_LB_EARGUMENT, "the communicator is MPI_COMM_NULL or an intercommunicator"};
    int code = CPL_LB_OK;
    const auto now = recording.balance_now(comm, are_steps(steps) ? static_cast<std::size_t>(steps) : 0, code);
    expect_steps(steps);
    if (code == CPL_LB_ETIMEOUT)
        throw Mistake{code, "others did not come within rn_timeout: it gives nothing from now on"};
    if (!now) throw Mistake{CPL_LB_EMPI, "a message failed: it gives nothing from now on"};
    if (!now->together) throw Mistake{CPL_LB_EDATA, "processes asked with different communicators"};
    return answer.give(*now);
}

// comm(): the communicator, converted only while MPI is known to run.
template <class Comm>
int balance_among(Comm comm, int steps, const Answer &answer) noexcept { // NOLINT(bugprone-exception-escape): guarded
    answer.clear();
    return while_recording("cpl_lb_balance_now",
                           [&](Recording &recording) { return balance_now(recording, comm(), steps, answer); });
}

} // namespace

extern "C" {

CPL_LB_PUBLIC int cpl_lb_balance_now_f(int comm, int steps, int size, cpl_lb_balance *components, int *slow);

int cpl_lb_balance_here(int steps, double *computing_s, double *waiting_s, double *coupling_s, double *own_s) {
    for (double *time : {computing_s, waiting_s, coupling_s, own_s})
        set(time, 0);
    return while_recording("cpl_lb_balance_here", [&](Recording &recording) {
        expect_steps(steps);
        if (recording.drops())
            throw Mistake{CPL_LB_EDROPPED, "the memory for events is full (nn_max_mb): they are dropped"};
        const RecentTimes times = recording.recent_times(static_cast<std::size_t>(steps));
        set(computing_s, times.seconds - times.waiting_s);
        set(waiting_s, times.waiting_s);
        set(coupling_s, times.coupling_s);
        set(own_s, times.own_s);
        return times.steps;
    });
}

int cpl_lb_balance_now(MPI_Comm comm, int steps, int size, cpl_lb_balance *components, int *slow) {
    return balance_among([&] { return comm; }, steps, {size, components, slow});
}

int cpl_lb_balance_now_f(int comm, int steps, int size, cpl_lb_balance *components, int *slow) {
    return balance_among([&] { return MPI_Comm_f2c(static_cast<MPI_Fint>(comm)); }, steps, {size, components, slow});
}

} // extern "C"
