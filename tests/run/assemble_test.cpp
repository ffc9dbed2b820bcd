// The one maker of runs: what it fills in, and that a live run, spools and timelines of the same events give the
// same.
#include "run/assemble.hpp"

#include "analysis/imbalance_parts.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "run/loaded/load_run.hpp"
#include "run/recovered/recovery.hpp"
#include "tests/analysis/literals.hpp"
#include "tests/run/spool_builder.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

// Steps of four seconds: a PUT from 3 to 4, and the other one's GET, which waits for it, from 2 to 4.
std::vector<Recorded> puts(int steps) {
    return repeated(steps, [](int n) { return Recorded{Kind::put, 1, 2, 4.0 * n + 3, 4.0 * n + 4}; });
}
std::vector<Recorded> gets(int steps) {
    return repeated(steps, [](int n) { return Recorded{Kind::get, 1, 1, 4.0 * n + 2, 4.0 * n + 4}; });
}

Component component(const std::string &name, std::int32_t id, std::vector<std::int32_t> ranks,
                    const std::vector<Recorded> &events) {
    ComponentLiteral literal = component_of(std::vector<std::vector<Recorded>>(ranks.size(), events));
    Component c;
    c.name = name;
    c.id = id;
    c.ranks = std::move(ranks);
    c.last_terminate = from_seconds(20);
    c.balance = balance_of(literal, 0, 20);
    c.events = static_cast<std::int64_t>(events.size());
    c.table = std::move(literal.table);
    return c;
}

RunParts two_components() {
    RunParts parts;
    parts.run.component_names = {"ocean", "atmosphere"};
    parts.run.field_names = {"SST"};
    parts.run.components = {component("ocean", 1, {0, 1}, puts(5)), component("atmosphere", 2, {2}, gets(5))};
    parts.run.run.simulated_s = 86'400;
    return parts;
}

// What is left to compare when who recorded it, and how it was kept, is taken out.
std::string figures(CoupledRun run) {
    run.remarks.clear();
    run.analysis_s = run.clock.error_bound_s = unknown;
    run.run.origin = Origin::recorded;
    run.run.id = run.run.submitted = run.run.started = run.run.ended = run.clock.source = "";
    for (Component &c : run.components) {
        c.clock_error_bounds_s.clear();
        c.nodes = 0; // which timelines do not tell
    }
    return info_json(run);
}

struct Spools {
    spool_test::Folder folder;

    Spools() {
        namespace t = spool_test;
        SpoolIdentity first = t::identity(0, 2), second = t::identity(1, 2);
        first.component_processes = second.component_processes = 1;
        second.threads = 3;
        put_text(second.component, "atmosphere");
        const auto ocean = t::recorder_of(folder.path(), first),
                   atmosphere = t::recorder_of(folder.path(), second, "atmosphere");
        const int put = ocean->field("SST", "atmosphere"), get = atmosphere->field("SST", "ocean");
        for (int n = 0; n < 6; ++n) {
            atmosphere->begin(2, get);
            ocean->begin(1, put);
            ocean->end(1, put);
            atmosphere->end(2, get);
        }
    }
};

// The parts that a live run would hand over: the components, each from the rows of its timeline.
RunParts as_live(const CoupledRun &told, const std::string &folder) {
    RunParts parts;
    parts.run.component_names = told.component_names;
    parts.run.field_names = told.field_names;
    parts.threads_of_processes = 4; // 1 + 3
    for (Component c : told.components) {
        TimelineReader reader(folder + "/timeline_" + c.name + ".nc");
        ComponentLiteral literal;
        literal.table = c.table;
        literal.rows.resize(1);
        reader.read_rows(0, literal.rows);
        c.balance = balance_of(literal, to_seconds(c.first_init), to_seconds(c.last_terminate));
        ArrivalsOfAll arrivals(literal.table, find_window(literal.table), 1);
        arrivals.set(0, literal.rows[0]);
        c.balance.imbalance_parts = arrivals.parts();
        parts.run.components.push_back(std::move(c));
    }
    return parts;
}

} // namespace

TEST_CASE("cores: what is known goes first, then threads of the processes, then those of the components") {
    RunParts parts = two_components();
    CHECK(assemble(parts).run.cores == 3); // one thread each
    CHECK(assemble(parts).run.cores_from == "processes x threads");
    parts.threads_of_processes = 5;
    CHECK(assemble(parts).run.cores == 5);
    parts.all_recorded = false;
    CHECK(assemble(parts).run.cores_from == "recorded processes x threads");
    parts.run.run.cores = 48;
    parts.run.run.cores_from = "nn_cores";
    CHECK(assemble(parts).run.cores == 48);
    CHECK(assemble(parts).run.cores_from == "nn_cores");
}

TEST_CASE("the run's length, processes and table follow from its components") {
    const CoupledRun run = assemble(two_components());
    CHECK(run.run.processes == 3);
    CHECK(run.run.wall_s == 20);
    // One day in 20 s: 86400/20 days a day, of 365 to a year; 3 cores.
    CHECK(run.cpmip.sypd == Approx(4320.0 / 365));
    CHECK(run.cpmip.sypd * run.cpmip.chsy == Approx(24 * 3));
    CHECK(run.clock.order_violations == 0);
}

TEST_CASE("who waits: the GETs are half of each step, the loop ends at the last one's begin") {
    const CoupledRun run = assemble(two_components());
    // From the second GET's end at 8 s to the last one's at 20 s or less: whole steps of 4 s, 2 s of each in GET.
    const ComponentBalance &slow = run.components[1].balance;
    CHECK(slow.waiting_s / slow.loop_s == Approx(0.5));
    CHECK(run.balance.slow_side == 1); // the ocean waits a quarter, the atmosphere half
    CHECK(run.components[1].balance.critical_share < run.components[0].balance.critical_share);
}

TEST_CASE("a component that only receives and waits most of its time is an I/O server: its waiting is idle time") {
    RunParts parts = two_components();
    // GETs from 1 to 4 of each step: between the begins of the second and the fifth, 12 s, it waits 3 x 3 s.
    parts.run.components[1] = component("atmosphere", 2, {2}, repeated(5, [](int n) {
                                            return Recorded{Kind::get, 1, 1, 4.0 * n + 1, 4.0 * n + 4};
                                        }));
    const CoupledRun run = assemble(parts);
    CHECK(run.components[1].balance.is_io_server);
    CHECK(run.components[1].balance.loop_s == Approx(12));
    CHECK(run.components[1].balance.idle_s == Approx(9));
    CHECK_FALSE(run.components[0].balance.is_io_server);
    CHECK_FALSE(is_known(run.components[0].balance.idle_s));
    CHECK(run.balance.slow_side == 1);
    // Only the ocean's waiting counts, a second of each step of four: its PUTs from 3 to 4.
    CHECK(run.balance.waiting_share == Approx(0.25));
}

// Six GETs before six PUTs. A lag may leave half of the pairs, three: PUTs 0, 1, 2 match GETs 3, 4, 5, which all
// ended before.
TEST_CASE("GETs that ended before their PUT began are counted and told, once; not known where a table is left out") {
    RunParts parts = two_components();
    const auto at = [](Kind kind, std::int32_t counterpart, double first_s) {
        return repeated(6, [=](int n) { return Recorded{kind, 1, counterpart, first_s + n, first_s + n + 0.5}; });
    };
    parts.run.components = {component("ocean", 1, {0}, at(Kind::put, 2, 10)),
                            component("atmosphere", 2, {1}, at(Kind::get, 1, 0))};
    const CoupledRun run = assemble(parts);
    CHECK(run.clock.order_violations == 3);
    REQUIRE(run.remarks.size() == 1);
    CHECK(run.remarks[0].find("3 GETs ended before their PUT began") == 0);
    CHECK(assemble(two_components()).clock.order_violations == 0);
    parts.run.components[0].table_left_out = true;
    CHECK(assemble(parts).clock.order_violations == -1);
}

// Said: 2 s in the region. Measured by its clock: 4 s, mean over the processes.
TEST_CASE("what the model's author says is compared with what was measured, where that was not yet done") {
    RunParts parts = two_components();
    RegionSummary solver;
    solver.name = "solver";
    solver.calls = solver.processes = 1;
    solver.min_s = solver.mean_s = solver.max_s = 4;
    Annotation &said = solver.annotations.emplace_back();
    said.quantity = "seconds";
    said.expression = "2";
    said.value.add(2);
    parts.run.components[0].regions = {solver};
    for (const bool is_new : {true, false}) {
        parts.annotations_are_new = is_new;
        const CoupledRun run = assemble(parts);
        const Annotation &compared = run.components[0].regions[0].annotations[0];
        CHECK(compared.measured_by == (is_new ? "clock" : ""));
        CHECK(is_known(compared.measured) == is_new);
        if (is_new) CHECK(compared.measured == 4);
    }
}

TEST_CASE("rows of the table that another look at the run told count where they cannot be worked out") {
    RunParts parts = two_components();
    parts.told.jpsy = 7;
    parts.told.sypd = 1;
    const CoupledRun run = assemble(parts);
    CHECK(run.cpmip.jpsy == 7);
    CHECK(run.cpmip.sypd == Approx(4320.0 / 365));
}

TEST_CASE("a submission after the start is said to be impossible, whoever recorded it") {
    RunParts parts = two_components();
    parts.run.run.submitted = "2026-11-22T12:00:00Z";
    parts.run.run.started = "2026-11-22T10:00:00Z";
    parts.run.run.ended = "2026-11-22T13:00:00Z";
    CHECK_FALSE(is_known(assemble(parts).cpmip.asypd));
    CHECK(assemble(parts).cpmip.why_no_asypd ==
          "the time of submission, 2026-11-22T12:00:00Z, lies after the start of the run, 2026-11-22T10:00:00Z");
}

TEST_CASE("a live run, spools and timelines of the same events give the same run") {
    const Spools spools;
    const std::string folder = spools.folder.path().string();
    RecoveryOptions options;
    options.output = folder;
    const SpoolRun run = find_spools({folder}, "");
    const CoupledRun recovered = recover(run, options).run;
    spool_test::fs::remove(folder + "/load_balancing_info.json"); // the timelines alone
    const CoupledRun loaded = load_run(folder);
    const CoupledRun live = assemble(as_live(recovered, folder));
    CHECK(recovered.run.cores == 4);
    CHECK(recovered.components[0].balance.step_count > 0);
    CHECK(figures(recovered) == figures(live));
    CHECK(figures(loaded) == figures(live));
}
