// Which coupling events a call of YAC is: a PUT for each target, a GET, the end of an asynchronous one. Part of
// cpl_lb_yac.cpp.
#pragma once

#include "cpl_lb_call.hpp"
#include "cpl_lb_yac.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb::adapter::yac {

inline Run run;
inline std::string own_component; // given to cpl_lb_init

// A process may have several components: an event belongs to the one whose field it is.
class ComponentTurn {
public:
    explicit ComponentTurn(const Field &field) : other_(field.component != own_component) {
        if (other_) cpl_lb_component_begin(field.component.c_str());
    }
    ~ComponentTurn() {
        if (other_) cpl_lb_component_end();
    }
    ComponentTurn(const ComponentTurn &) = delete;
    ComponentTurn &operator=(const ComponentTurn &) = delete;

private:
    bool other_;
};

inline void point(int kind, int field) {
    cpl_lb_begin(kind, field);
    cpl_lb_end(kind, field);
}

// The field of an outermost call, or null: nothing to record.
inline Field *field_of(int id) noexcept {
    if (OutermostCall::inside_another() || cpl_lb_enabled() == 0) return nullptr;
    try {
        return &run.field(id);
    } catch (...) {
        return nullptr;
    }
}
inline std::vector<int> receivers_now(int id, Field *field) noexcept {
    std::vector<int> ids;
    if (field == nullptr) return ids;
    without_exceptions([&] {
        if (couples(id)) {
            ids = receivers(*field);
            run.tell_date(id, *field);
        }
    });
    ++field->calls;
    return ids;
}
inline void tell_date(int id, Field &field) noexcept {
    without_exceptions([&] { run.tell_date(id, field); });
}
inline bool receives_now(int id, Field *field) noexcept {
    if (field == nullptr || !couples(id)) return false;
    tell_date(id, *field);
    return true;
}

// One PUT for each target. YAC sends to all of them in one call, which is the first one's; the others are noted at
// its begin, without a length.
template <class Real>
void put(int id, Real real) {
    const OutermostCall call;
    Field *field = field_of(id);
    const std::vector<int> ids = receivers_now(id, field);
    if (ids.empty()) return real();
    const ComponentTurn turn(*field);
    for (std::size_t i = 1; i < ids.size(); ++i)
        point(CPL_LB_PUT, ids[i]);
    event(CPL_LB_PUT, ids[0], real);
    field->sending = true;
}

template <class Real>
void get(int id, Real real) {
    const OutermostCall call;
    Field *field = field_of(id);
    if (!receives_now(id, field)) return real();
    const ComponentTurn turn(*field);
    if (std::exchange(field->receiving, false)) point(CPL_LB_GET, field->get); // one that nobody waited for
    event(CPL_LB_GET, field->get, real);
}

// Says only where the data go; the waiting comes later. Before it YAC waits for the one before, if nobody has.
template <class Real>
void get_async(int id, Real real) {
    const OutermostCall call;
    Field *field = field_of(id);
    if (!receives_now(id, field)) return real();
    const ComponentTurn turn(*field);
    if (field->receiving)
        event(CPL_LB_GET, field->get, real);
    else
        real();
    field->receiving = true;
}

// Sends one field and receives another. Where it does both the waiting is for the receive. Lags may differ: each
// event has the date of its own field.
template <class Real>
void exchange(int source, int target, Real real) {
    const OutermostCall call;
    Field *sent = field_of(source);
    Field *received = field_of(target);
    const bool receives = received != nullptr && couples(target);
    const std::vector<int> ids = receivers_now(source, sent);
    if (!ids.empty()) {
        const ComponentTurn turn(*sent);
        sent->sending = true;
        for (std::size_t i = receives ? 0 : 1; i < ids.size(); ++i)
            point(CPL_LB_PUT, ids[i]);
        if (!receives) return event(CPL_LB_PUT, ids[0], real);
    }
    if (!receives) return real();
    tell_date(target, *received);
    const ComponentTurn turn(*received);
    event(CPL_LB_GET, received->get, real);
}

// The end of an asynchronous get is a GET; that of a put is a PUT of its own, with a name that no GET has.
template <class Real>
void wait(int id, Real real) {
    const OutermostCall call;
    Field *field = field_of(id);
    if (field == nullptr || (!field->receiving && !field->sending)) return real();
    const ComponentTurn turn(*field);
    if (std::exchange(field->receiving, false))
        event(CPL_LB_GET, field->get, real);
    else
        event(CPL_LB_PUT, field->end_of_send, real);
    field->sending = false;
}

// A step without a put, of a field that nobody needs at this moment.
template <class Real>
void update(int id, Real real) {
    const OutermostCall call;
    if (Field *field = field_of(id); field != nullptr) ++field->calls;
    real();
}

// What a test finds complete has been received by then; nobody waited.
template <class Real>
void test(int id, const int *complete, Real real) {
    const OutermostCall call;
    real();
    Field *field = field_of(id);
    if (field == nullptr || *complete == 0) return;
    field->sending = false;
    if (!std::exchange(field->receiving, false)) return;
    const ComponentTurn turn(*field);
    point(CPL_LB_GET, field->get);
}

} // namespace cpl_lb::adapter::yac
