// Adapter for OASIS3-MCT, on top of the one for MCT: names, dates, simulated time and processes come from OASIS's
// tables, so that the user writes nothing. The transfers themselves are seen in MCT, which also tells the truth for
// grouped fields, several targets, restarts and the first send of a lagged field inside oasis_enddef.
#include "cpl_lb_mct.hpp"

#include "cpl_lb_call.hpp"
#include "cpl_lb_oasis_part.hpp"
#include "cpl_lb_wrap.hpp"

#include <cpl_lb/cpl_lb.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

extern "C" {
// From cpl_lb_oasis.F90 or cpl_lb_oasis3.F90, whichever compiles against the user's modules.
int cpl_lb_oasis_component(char *name, int size, int *communicator, int *rank);
double cpl_lb_oasis_runtime();
int cpl_lb_oasis_by_tag(int puts, int tag);
int cpl_lb_oasis_next_put(int varid, int after, const void *router);
void cpl_lb_oasis_coupler(int puts, int id, char *field, char *counterpart, int size);
int cpl_lb_oasis_of_variable(int varid, int *puts);
int cpl_lb_oasis_partitions();
void cpl_lb_oasis_partition(int part, int *points, int *nx, int *ny, int *segments);
void cpl_lb_oasis_segment(int part, int n, int *first, int *points, int *rank);
// In libraries from 0.3 on.
void cpl_lb_coupler(const char *name) __attribute__((weak));
#pragma weak cpl_lb_set_domain_pieces
#pragma weak cpl_lb_set_domain_left_out
// One of the tables that those read. All of them are weak in a library for LD_PRELOAD.
extern const char table_of_oasis __asm__(CPL_LB_SYMBOL("mod_oasis_data", "compid")) __attribute__((weak));
}

namespace cpl_lb::adapter {
namespace {

constexpr int name_bytes = 8192; // a group of many fields: OASIS's own lines are shorter

// The call of oasis_put or oasis_get that is under way.
struct Advance {
    int variable = 0;      // 0: none, as inside oasis_enddef
    int last_put = 0;      // coupler that was sent to last
    int field = 0;         // of the last transfer
    bool received = false; // that was a GET
    bool partial = false;  // a counter of partial sums was read or written: what follows belongs to it
};
Advance advance;

class OasisNames final : public Names {
public:
    int put(const void * /*attributes*/, const void * /*router*/, const int *tag) override {
        return by_tag(true, tag);
    }
    int get(const void * /*attributes*/, const void * /*router*/, const int *tag) override {
        return by_tag(false, tag);
    }
    int wait_before_put(const void *router) override {
        const int id = cpl_lb_oasis_next_put(advance.variable, advance.last_put, router);
        if (id == 0) return 0;
        advance.last_put = id;
        return advance.field = field(true, id);
    }
    [[nodiscard]] bool wait_begins_put() const override { return true; }
    // What is mapped is what was received, or what is put next.
    int map() override {
        if (advance.received) return advance.field;
        const int id = cpl_lb_oasis_next_put(advance.variable, advance.last_put, nullptr);
        return id > 0 ? field(true, id) : of_variable();
    }

    int of_variable() {
        int puts = 0;
        const int id = cpl_lb_oasis_of_variable(advance.variable, &puts);
        return id > 0 ? field(puts != 0, id) : 0;
    }

private:
    int by_tag(bool puts, const int *tag) {
        if (tag == nullptr) return 0;
        int &id = by_tag_[{puts, *tag}];
        if (id == 0) {
            const int coupler = cpl_lb_oasis_by_tag(puts ? 1 : 0, *tag);
            if (coupler == 0) return 0; // of somebody else who uses MCT
            id = field(puts, coupler);
        }
        if (advance.variable == 0) return id; // in oasis_enddef nothing says when the next field's turn comes
        advance.received = !puts;
        return advance.field = id;
    }
    int field(bool puts, int coupler) {
        int &id = by_coupler_[{puts, coupler}];
        if (id != 0) return id;
        std::array<char, name_bytes> name{};
        std::array<char, name_bytes> counterpart{};
        cpl_lb_oasis_coupler(puts ? 1 : 0, coupler, name.data(), counterpart.data(), name_bytes);
        id = cpl_lb_field(name.data(), counterpart.data());
        return id > 0 ? id : 0;
    }
    std::map<std::pair<bool, int>, int> by_tag_, by_coupler_; // first: of a put
};

OasisNames names;

int field_of_call() noexcept {
    int field = advance.field;
    if (cpl_lb_enabled() == 0) return 0;
    if (field == 0) without_exceptions([&] { field = names.of_variable(); });
    return field;
}

template <class Real>
void timed(int kind, int field, Real real) {
    if (!is_started()) return real();
    event(kind, field, real);
}

int rank_in_component = 0;
bool in_enddef = false;

struct Partition {
    std::vector<Segment> segments; // of all processes
    int points = 0, nx = 0, ny = 0;
};

// The one with the most points: a model may also have one for its river mouths, say.
Partition largest_partition() {
    Partition largest;
    int number = 0, segments = 0;
    for (int p = 1; p <= cpl_lb_oasis_partitions(); ++p) {
        int points = 0, nx = 0, ny = 0, of_it = 0;
        cpl_lb_oasis_partition(p, &points, &nx, &ny, &of_it);
        if (points <= largest.points) continue;
        number = p;
        segments = of_it;
        largest = {{}, points, nx, ny};
    }
    if (number == 0) return largest;
    for (int n = 1; n <= segments; ++n) {
        int first = 0, points = 0, rank = 0;
        cpl_lb_oasis_segment(number, n, &first, &points, &rank);
        largest.segments.push_back({first, points, rank});
    }
    return largest;
}

// For the map.
void tell_partition() noexcept {
    if (cpl_lb_enabled() == 0 || &cpl_lb_set_domain_pieces == nullptr) return;
    without_exceptions([] {
        const Partition p = largest_partition();
        const Pieces mine = pieces_of_process(p.segments, p.points, p.nx, p.ny, rank_in_component);
        if (mine.size[0] > 0)
            cpl_lb_set_domain_pieces(mine.size.data(), mine.pieces(), mine.first.data(), mine.count.data());
        if (mine.left_out > 0 && &cpl_lb_set_domain_left_out != nullptr) cpl_lb_set_domain_left_out(mine.left_out);
    });
}

// Where calls inside a shared library cannot be bent, or the linker has bound them already.
void tell_without_mct() {
    if (rank_in_component != 0 || cpl_lb_enabled() == 0 || mct_is_seen()) return;
    shared::tell("cpl_lb: OASIS: no transfer is recorded, because OASIS calls MCT where this adapter does not see it "
                 "(inside a shared library). Use the adapter with LD_PRELOAD (docs/couplers.md)\n");
}

// On the first process of a job that was to be recorded.
void tell_without_tables() {
    if (recording_is_asked_for()) shared::tell(tables_out_of_sight);
}

template <class Real>
void restart_file(Real real) {
    timed(advance.partial ? CPL_LB_TRN : CPL_LB_RST, field_of_call(), real);
}

} // namespace

CPL_LB_WRAP(init_comp, CPL_LB_SYMBOL("mod_oasis_method", "oasis_init_comp")) {
    use_names(&names);
    shared::catch_calls();
    real_init_comp(CPL_LB_PASS);
    if (&table_of_oasis == nullptr) return tell_without_tables();
    std::array<char, name_bytes> name{};
    int communicator = 0;
    if (cpl_lb_oasis_component(name.data(), name_bytes, &communicator, &rank_in_component) == 0) return;
    start(communicator, name.data());
    if (&cpl_lb_coupler != nullptr) cpl_lb_coupler("OASIS3-MCT");
}
CPL_LB_WRAP(terminate, CPL_LB_SYMBOL("mod_oasis_method", "oasis_terminate")) {
    finish(cpl_lb_enabled() != 0 ? cpl_lb_oasis_runtime() : 0.0); // before OASIS finalizes MPI
    real_terminate(CPL_LB_PASS);
}
CPL_LB_WRAP(def_partition, CPL_LB_SYMBOL("mod_oasis_part", "oasis_def_partition")) {
    timed(CPL_LB_PART, 0, [&] { real_def_partition(CPL_LB_PASS); });
}
CPL_LB_WRAP(enddef, CPL_LB_SYMBOL("mod_oasis_method", "oasis_enddef")) {
    advance = {};
    in_enddef = true; // there a shared OASIS reads restarts with advance_run, at dates before the run
    timed(CPL_LB_ENDF, 0, [&] { real_enddef(CPL_LB_PASS); });
    in_enddef = false;
    advance = {};
    tell_without_mct();
    tell_partition();
}

// oasis_advance_run(mop, varid, msec, ...): what oasis_put and oasis_get do, once for each variable.
CPL_LB_WRAP(advance_run, CPL_LB_SYMBOL("mod_oasis_advance", "oasis_advance_run")) {
    if (cpl_lb_enabled() == 0 || in_enddef) return real_advance_run(CPL_LB_PASS);
    const int date = *static_cast<const int *>(a2);
    static int last_date = -1;
    if (date != last_date) cpl_lb_date(last_date = date);
    advance = {};
    advance.variable = *static_cast<const int *>(a1);
    real_advance_run(CPL_LB_PASS);
    advance = {};
}

CPL_LB_WRAP(write_avfbf, CPL_LB_SYMBOL("mod_oasis_io", "oasis_io_write_avfbf")) {
    timed(CPL_LB_OUT, field_of_call(), [&] { real_write_avfbf(CPL_LB_PASS); });
}
CPL_LB_WRAP(read_avfbf, CPL_LB_SYMBOL("mod_oasis_io", "oasis_io_read_avfbf")) {
    timed(CPL_LB_READ, field_of_call(), [&] { real_read_avfbf(CPL_LB_PASS); });
}
CPL_LB_WRAP(write_avfile, CPL_LB_SYMBOL("mod_oasis_io", "oasis_io_write_avfile")) {
    restart_file([&] { real_write_avfile(CPL_LB_PASS); });
}
CPL_LB_WRAP(read_avfile, CPL_LB_SYMBOL("mod_oasis_io", "oasis_io_read_avfile")) {
    restart_file([&] { real_read_avfile(CPL_LB_PASS); });
}
// Partial sums of LOCTRANS: first how many steps they hold, then the sums.
CPL_LB_WRAP(write_array, CPL_LB_SYMBOL("mod_oasis_io", "oasis_io_write_array")) {
    advance.partial = true;
    restart_file([&] { real_write_array(CPL_LB_PASS); });
}
CPL_LB_WRAP(read_array, CPL_LB_SYMBOL("mod_oasis_io", "oasis_io_read_array")) {
    advance.partial = true;
    restart_file([&] { real_read_array(CPL_LB_PASS); });
}

} // namespace cpl_lb::adapter
