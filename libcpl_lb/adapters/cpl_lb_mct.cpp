// Adapter for MCT: every transfer and every interpolation becomes a coupling event, without a change in the model.
// Wrapped are MCT's own procedures, so that what a coupler library does through MCT is seen as well.
#include "cpl_lb_mct.hpp"

#include "cpl_lb_call.hpp"
#include "cpl_lb_mct_world.hpp"
#include "cpl_lb_unrecorded.hpp"
#include "cpl_lb_wrap.hpp"

#include <cpl_lb/cpl_lb.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <mpi.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

extern "C" {
// From cpl_lb_mct.f90, which is compiled against the user's modules.
void cpl_lb_mct_router_components(const void *router, int *mine, int *other);
int cpl_lb_mct_rearranger_peers(const void *rearranger, int receives, int *ranks, int size);
int cpl_lb_mct_field_list(const void *attributes, char *list, int size);
// One of the tables that those read. All of them are weak in a library for LD_PRELOAD.
extern const char table_of_mct __asm__(CPL_LB_SYMBOL("m_mctworld", "thismctworld")) __attribute__((weak));
}

namespace cpl_lb::adapter {
namespace {

std::string field_list(const void *attributes) {
    std::string list(256, ' ');
    const int length = cpl_lb_mct_field_list(attributes, list.data(), static_cast<int>(list.size()));
    const bool cut = length > static_cast<int>(list.size());
    list.resize(static_cast<std::size_t>(std::max(length, 0)));
    if (cut) cpl_lb_mct_field_list(attributes, list.data(), length);
    return list;
}

// Nested grids exchange the same fields between the same components, over one router each. Both sides make the
// routers between them in the same order (each waits for the other there), so that their numbers agree.
// A process may have several components: routers are counted for each pair. Models that make a router anew, at the
// same place, mean the same one.
struct Numbered {
    std::pair<int, int> components; // its own, the other
    int number = 0;
};
std::map<const void *, Numbered> numbers_of_routers;
std::map<std::pair<int, int>, int> routers_between; // how many

void number_router(const void *router) {
    Numbered now;
    cpl_lb_mct_router_components(router, &now.components.first, &now.components.second);
    Numbered &known = numbers_of_routers[router];
    if (known.number != 0 && known.components == now.components) return;
    now.number = ++routers_between[now.components];
    known = now;
}

std::string number_of_router(const void *router) {
    const auto found = numbers_of_routers.find(router);
    return found == numbers_of_routers.end() || found->second.number == 1
               ? ""
               : " #" + std::to_string(found->second.number);
}

// The fields of a transfer go together: their names, joined by MCT with ':', are the name of the exchange.
class MctNames final : public Names {
public:
    int put(const void *attributes, const void *router, const int * /*tag*/) override {
        return field(attributes, router, "");
    }
    int get(const void *attributes, const void *router, const int * /*tag*/) override {
        return field(attributes, router, "");
    }
    // No GET has that name, so a wait is counted as waiting for the other side and never matched with a GET.
    int wait_before_put(const void *router) override { return field(nullptr, router, "end of send"); }
    [[nodiscard]] bool wait_begins_put() const override { return false; }
    int map() override { return 0; }

private:
    int field(const void *attributes, const void *router, std::string name) {
        int mine = 0;
        int other = 0;
        cpl_lb_mct_router_components(router, &mine, &other);
        if (attributes != nullptr) name = field_list(attributes);
        name += number_of_router(router);
        // Looked up here, because the id must be known before the event begins.
        int &id = ids_[{other, name}];
        if (id == 0) id = cpl_lb_field(name.c_str(), component_name(other).c_str());
        return id > 0 ? id : 0;
    }
    std::map<std::pair<int, std::string>, int> ids_;
};

MctNames mct_names;
Names *current = &mct_names;
bool started = false;
int open_put = 0; // a put that its wait has begun

// The answer of `question`; 0 where nothing is recorded.
template <class Question>
int asked(Question question) noexcept {
    int answer = 0;
    if (cpl_lb_enabled() != 0) without_exceptions([&] { answer = question(); });
    return answer;
}

void begin(int kind, int field) {
    if (field > 0) cpl_lb_begin(kind, field);
}
void end(int kind, int field) {
    if (field > 0) cpl_lb_end(kind, field);
}

const int *tag_of(const void *word) {
    return static_cast<const int *>(word);
}
std::map<const void *, int> tags_of_receives; // by router

template <class Real>
void put(const void *attributes, const void *router, const void *tag, Real real) {
    const OutermostCall call;
    if (OutermostCall::inside_another()) return real();
    int field = std::exchange(open_put, 0);
    if (field == 0) {
        field = asked([&] { return current->put(attributes, router, tag_of(tag)); });
        begin(CPL_LB_PUT, field);
    }
    real();
    end(CPL_LB_PUT, field);
}

template <class Real>
void get(const void *attributes, const void *router, const void *tag, Real real) {
    const OutermostCall call;
    if (OutermostCall::inside_another()) return real();
    const int field = asked([&] { return current->get(attributes, router, tag_of(tag)); });
    begin(CPL_LB_GET, field);
    real();
    end(CPL_LB_GET, field);
}

template <class Real>
void map(Real real) {
    const OutermostCall call;
    if (OutermostCall::inside_another() || !started) return real();
    event(CPL_LB_MAP, asked([&] { return current->map(); }), real);
}

// A rearranger moves fields inside one communicator. In CESM and E3SM it joins a component and the coupler: who gets
// something from a process of another component waits for it, and that is a GET; who only gives has a PUT. Where all
// that are touched belong to one component it is computing.
class Exchange {
public:
    struct Others {
        std::optional<std::string> to, from; // components, if there are any
    };
    // Worked out once for each rearranger, since a model calls it in each step and may have thousands of peers.
    // Another one at the same address has other peers: how many, and the first of them, tell.
    const Others &others(const void *rearranger) {
        std::array<int, 4> seen{};
        seen[0] = cpl_lb_mct_rearranger_peers(rearranger, 0, &seen[1], 1);
        seen[2] = cpl_lb_mct_rearranger_peers(rearranger, 1, &seen[3], 1);
        Known &known = known_[rearranger];
        if (known.seen != seen) known = {seen, {other(rearranger, 0, seen[0]), other(rearranger, 1, seen[2])}};
        return known.others;
    }

private:
    struct Known {
        std::array<int, 4> seen{-1, -1, -1, -1};
        Others others;
    };
    std::optional<std::string> other(const void *rearranger, int receives, int count) {
        if (!world_) {
            world_.emplace();
            own_ = name_of_all(world_->smallest_of(world_->rank()));
        }
        std::vector<int> peers(static_cast<std::size_t>(std::max(0, count)));
        cpl_lb_mct_rearranger_peers(rearranger, receives, peers.data(), static_cast<int>(peers.size()));
        for (const int peer : peers)
            if (const std::string &name = name_of(peer); name != own_) return name;
        return std::nullopt;
    }
    const std::string &name_of(int rank) {
        std::string &name = names_[rank];
        if (name.empty()) name = name_of_all(world_->smallest_of(rank));
        return name;
    }
    std::optional<World> world_;
    std::string own_;
    std::map<int, std::string> names_; // of components, by process
    std::map<const void *, Known> known_;
};
Exchange exchange;

struct Both {
    int put = 0, get = 0; // fields; 0: none
};
Both fields_of_exchange(const void *attributes, const void *rearranger) {
    const auto &[to, from] = exchange.others(rearranger);
    if (!to && !from) return {};
    const std::string name = field_list(attributes);
    const auto field = [&](const std::optional<std::string> &other) {
        return other ? std::max(0, cpl_lb_field(name.c_str(), other->c_str())) : 0;
    };
    return {field(to), field(from)};
}

int finish_with_mpi(MPI_Comm /*self*/, int /*key*/, void * /*value*/, void * /*extra*/) {
    finish(0.0);
    return MPI_SUCCESS;
}

// A line, on the first process of a job that was to be recorded.
bool sees_tables() {
    if (&table_of_mct != nullptr) return true;
    if (unrecorded::asked) shared::tell(tables_out_of_sight);
    return false;
}

// Started by MCT itself: what MCT calls its world is the run.
void start_world(const void *communicator, bool several_components) {
    unrecorded::reached = unrecorded::mct_reached = true;
    shared::catch_calls();
    if (started || current != &mct_names) return; // a coupler on top of MCT tells its names itself
    if (!sees_tables()) return;
    without_exceptions([&] {
        World world;
        const std::vector<int> ids = several_components ? world.smallest_of(world.rank()) : world.of(world.rank());
        start(*static_cast<const int *>(communicator), name_of_all(ids).c_str());
    });
}

} // namespace

void use_names(Names *names) {
    unrecorded::reached = true;
    current = names != nullptr ? names : &mct_names;
}

bool is_started() {
    return started;
}

bool recording_is_asked_for() {
    return unrecorded::asked;
}

bool mct_is_seen() {
    return unrecorded::mct_reached;
}

void start(int fortran_communicator, const char *component) {
    if (std::exchange(started, true)) return;
    cpl_lb_init(MPI_Comm_f2c(static_cast<MPI_Fint>(fortran_communicator)), component);
    watch(MPI_COMM_SELF,
          &finish_with_mpi); // after the library's own attribute: what was set last is taken away first
}

void finish(double simulated_s) {
    if (!std::exchange(started, false)) return;
    cpl_lb_terminate(simulated_s);
}

// blocking, and the two halves of non-blocking transfers
CPL_LB_WRAP(send, CPL_LB_SYMBOL("m_transfer", "send_")) {
    put(a0, a1, a2, [&] { real_send(CPL_LB_PASS); });
}
CPL_LB_WRAP(isend, CPL_LB_SYMBOL("m_transfer", "isend_")) {
    put(a0, a1, a2, [&] { real_isend(CPL_LB_PASS); });
}
CPL_LB_WRAP(waitsend, CPL_LB_SYMBOL("m_transfer", "waitsend_")) {
    const OutermostCall call;
    if (OutermostCall::inside_another()) return real_waitsend(CPL_LB_PASS);
    if (open_put != 0) end(CPL_LB_PUT, std::exchange(open_put, 0)); // nothing was sent after the last wait
    const int field = asked([&] { return current->wait_before_put(a0); });
    begin(CPL_LB_PUT, field);
    real_waitsend(CPL_LB_PASS);
    if (current->wait_begins_put())
        open_put = field;
    else
        end(CPL_LB_PUT, field);
}
CPL_LB_WRAP(recv, CPL_LB_SYMBOL("m_transfer", "recv_")) {
    get(a0, a1, a2, [&] { real_recv(CPL_LB_PASS); });
}
// irecv only says where the message will go, and with which tag; the waiting comes later.
CPL_LB_WRAP(irecv, CPL_LB_SYMBOL("m_transfer", "irecv_")) {
    if (a2 != nullptr && cpl_lb_enabled() != 0) without_exceptions([&] { tags_of_receives[a1] = *tag_of(a2); });
    real_irecv(CPL_LB_PASS);
}
CPL_LB_WRAP(waitrecv, CPL_LB_SYMBOL("m_transfer", "waitrecv_")) {
    const auto tag = tags_of_receives.find(a1);
    get(a0, a1, tag != tags_of_receives.end() ? &tag->second : nullptr, [&] { real_waitrecv(CPL_LB_PASS); });
}

CPL_LB_WRAP(map_plus, CPL_LB_SYMBOL("m_matattrvectmul", "smatavmult_smplus_")) {
    map([&] { real_map_plus(CPL_LB_PASS); });
}
CPL_LB_WRAP(map_local, CPL_LB_SYMBOL("m_matattrvectmul", "smatavmult_datalocal_")) {
    map([&] { real_map_local(CPL_LB_PASS); });
}

// rearrange_(source, target, rearranger, ...): all processes of the rearranger's communicator call it. Who gives and
// gets has a PUT of no length first, so that both sides count alike.
CPL_LB_WRAP(rearrange, CPL_LB_SYMBOL("m_rearranger", "rearrange_")) {
    const OutermostCall call;
    if (OutermostCall::inside_another()) return real_rearrange(CPL_LB_PASS); // part of an interpolation
    Both fields;
    if (current == &mct_names && cpl_lb_enabled() != 0) {
        without_exceptions([&] { fields = fields_of_exchange(a0, a2); });
    }
    begin(CPL_LB_PUT, fields.put);
    if (fields.get > 0) end(CPL_LB_PUT, fields.put);
    begin(CPL_LB_GET, fields.get);
    real_rearrange(CPL_LB_PASS);
    if (fields.get > 0)
        end(CPL_LB_GET, fields.get);
    else
        end(CPL_LB_PUT, fields.put);
}

// initd_(other component, map, communicator, router)
CPL_LB_WRAP(router, CPL_LB_SYMBOL("m_router", "initd_")) {
    real_router(CPL_LB_PASS);
    if (cpl_lb_enabled() != 0) without_exceptions([&] { number_router(a3); });
}

// initd_(ncomps, globalcomm, ...): every process of the communicator calls it.
CPL_LB_WRAP(world, CPL_LB_SYMBOL("m_mctworld", "initd_")) {
    real_world(CPL_LB_PASS);
    start_world(a1, false);
}
// initm_(ncomps, globalcomm, mycomms, myids): a process has several components, as in all drivers of CESM and E3SM.
CPL_LB_WRAP(world_of_many, CPL_LB_SYMBOL("m_mctworld", "initm_")) {
    real_world_of_many(CPL_LB_PASS);
    start_world(a1, true);
}
CPL_LB_WRAP(world_clean, CPL_LB_SYMBOL("m_mctworld", "clean_")) {
    if (current == &mct_names) finish(0.0);
    real_world_clean(CPL_LB_PASS);
}

} // namespace cpl_lb::adapter
