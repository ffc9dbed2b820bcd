// Adapter for MCT: every transfer and every interpolation becomes a coupling event, without a change in the model.
// Wrapped are MCT's own procedures, so that what a coupler library does through MCT is seen as well.
#include "cpl_lb_mct.hpp"

#include "cpl_lb_unrecorded.hpp"
#include "cpl_lb_wrap.hpp"

#include <cpl_lb/cpl_lb.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mpi.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

extern "C" {
// From cpl_lb_mct.f90, which is compiled against the user's modules.
void cpl_lb_mct_router_components(const void *router, int *mine, int *other);
int cpl_lb_mct_my_components(int *ids, int size);
int cpl_lb_mct_contains(int whole, int part);
// At most `size` bytes, ended by a zero byte.
void cpl_lb_mct_field_list(const void *attributes, char *list, int size);
}

namespace cpl_lb::adapter {
namespace {

// MCT has numbers where others have names. CPL_LB_MCT_NAMES="1=atmosphere,2=coupler" gives them names.
std::string component_name(int id) {
    const char *given = std::getenv("CPL_LB_MCT_NAMES");
    const std::string key = std::to_string(id) + "=";
    for (const char *at = given; at != nullptr && *at != '\0';) {
        const char *end = std::strchr(at, ',');
        const std::string pair = end != nullptr ? std::string(at, end) : std::string(at);
        if (pair.rfind(key, 0) == 0) return pair.substr(key.size());
        at = end != nullptr ? end + 1 : nullptr;
    }
    return "mct_" + std::to_string(id);
}

std::vector<int> own_ids() {
    std::vector<int> ids(256);
    const int count = cpl_lb_mct_my_components(ids.data(), static_cast<int>(ids.size()));
    ids.resize(static_cast<std::size_t>(std::clamp(count, 0, static_cast<int>(ids.size()))));
    return ids;
}

// A process of CESM or E3SM has a number for each component and for each set of components that exchange something. A
// set that contains one of its other sets says less than that: the smallest stay, of equal ones the first.
std::vector<int> smallest_of(const std::vector<int> &ids) {
    const auto says_less = [&](int id) {
        return std::any_of(ids.begin(), ids.end(), [&](int other) {
            return other != id && cpl_lb_mct_contains(id, other) != 0 &&
                   (other < id || cpl_lb_mct_contains(other, id) == 0);
        });
    };
    std::vector<int> smallest;
    for (const int id : ids)
        if (!says_less(id)) smallest.push_back(id);
    return smallest;
}

// Components that run one after another on the same processes are one to us, unless the model calls
// cpl_lb_component_begin: MCT does not say whose turn it is.
std::string own_name(const std::vector<int> &ids) {
    std::string name;
    for (const int id : ids)
        name += (name.empty() ? "" : "+") + component_name(id);
    return name.empty() ? "mct" : name;
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
        char list[256] = "";
        if (attributes != nullptr) cpl_lb_mct_field_list(attributes, list, static_cast<int>(sizeof list));
        if (name.empty()) name = list;
        // Looked up here, because the id must be known before the event begins.
        int &id = ids_[{other, name}];
        if (id == 0) id = cpl_lb_field(name.c_str(), component_name(other).c_str());
        return id > 0 ? id : 0;
    }
    std::map<std::pair<int, std::string>, int> ids_;
};

MctNames mct_names;
Names *current = &mct_names;
int open_put = 0; // a put that its wait has begun

// Nothing may pass into the Fortran code around us.
template <class Question>
int asked(Question question) noexcept {
    if (cpl_lb_enabled() == 0) return 0;
    try {
        return question();
    } catch (...) {
        return 0;
    }
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

// A coupler in a shared library calls its own procedures through the adapter, too: only the outermost call is an
// event.
int depth = 0;
template <class Real>
bool inside_another(Real real) {
    if (depth == 0) return false;
    real();
    return true;
}
class Outermost {
public:
    Outermost() { ++depth; }
    ~Outermost() { --depth; }
    Outermost(const Outermost &) = delete;
    Outermost &operator=(const Outermost &) = delete;
};

template <class Real>
void put(const void *attributes, const void *router, const void *tag, Real real) {
    if (inside_another(real)) return;
    const Outermost outermost;
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
    if (inside_another(real)) return;
    const Outermost outermost;
    const int field = asked([&] { return current->get(attributes, router, tag_of(tag)); });
    begin(CPL_LB_GET, field);
    real();
    end(CPL_LB_GET, field);
}

template <class Real>
void map(Real real) {
    if (inside_another(real)) return;
    const Outermost outermost;
    const int field = asked([&] { return current->map(); });
    cpl_lb_begin(CPL_LB_MAP, field);
    real();
    cpl_lb_end(CPL_LB_MAP, field);
}

bool started = false;

// MPI takes the attributes of MPI_COMM_SELF away first of all when it ends, while messages still work. That is the
// end of models that never clean up, whichever of MPI's languages they end it in.
int finish_with_mpi(MPI_Comm /*self*/, int /*key*/, void * /*value*/, void * /*extra*/) {
    finish(0.0);
    return MPI_SUCCESS;
}

void finish_at_the_latest_with_mpi() {
    int key = MPI_KEYVAL_INVALID;
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &finish_with_mpi, &key, nullptr) != MPI_SUCCESS) return;
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    MPI_Comm_free_keyval(&key); // lives on with the attribute
}

// Started by MCT itself: what MCT calls its world is the run.
void start_world(const void *communicator, const std::vector<int> &ids) {
    if (started) return; // OASIS has told its names already
    start(*static_cast<const int *>(communicator), own_name(ids).c_str());
}

// What goes through the rearranger moves data inside one set of processes; this adapter does not see it.
void tell_of_rearranger(const void *communicator) {
    int rank = 0;
    MPI_Comm_rank(MPI_Comm_f2c(*static_cast<const MPI_Fint *>(communicator)), &rank);
    if (rank != 0 || cpl_lb_enabled() == 0) return;
    const std::string line =
        "cpl_lb: MCT: exchanges through its rearranger (all of CESM and E3SM) are not recorded, only "
        "transfers and interpolations: put cpl_lb_begin and cpl_lb_end around them "
        "(docs/couplers.md)\n";
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

} // namespace

void use_names(Names *names) {
    unrecorded::reached = true;
    current = names != nullptr ? names : &mct_names;
}

void start(int fortran_communicator, const char *component) {
    if (std::exchange(started, true)) return;
    cpl_lb_init(MPI_Comm_f2c(static_cast<MPI_Fint>(fortran_communicator)), component);
    finish_at_the_latest_with_mpi(); // after the library's own attribute: what was set last is taken away first
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
    if (inside_another([&] { real_waitsend(CPL_LB_PASS); })) return;
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
    asked([&] {
        if (a2 != nullptr) tags_of_receives[a1] = *tag_of(a2);
        return 0;
    });
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

// initd_(ncomps, globalcomm, ...): every process of the communicator calls it.
CPL_LB_WRAP(world, CPL_LB_SYMBOL("m_mctworld", "initd_")) {
    unrecorded::reached = true;
    real_world(CPL_LB_PASS);
    try {
        start_world(a1, own_ids());
    } catch (...) { // no memory for a name: the model runs on unrecorded
        return;
    }
}
// initm_(ncomps, globalcomm, mycomms, myids): a process has several components, as in all drivers of CESM and E3SM.
CPL_LB_WRAP(world_of_many, CPL_LB_SYMBOL("m_mctworld", "initm_")) {
    unrecorded::reached = true;
    real_world_of_many(CPL_LB_PASS);
    try {
        if (started) return;
        start_world(a1, smallest_of(own_ids()));
        tell_of_rearranger(a1);
    } catch (...) {
        return;
    }
}
CPL_LB_WRAP(world_clean, CPL_LB_SYMBOL("m_mctworld", "clean_")) {
    if (current == &mct_names) finish(0.0);
    real_world_clean(CPL_LB_PASS);
}

} // namespace cpl_lb::adapter
