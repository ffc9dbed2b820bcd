// Load balance: cases whose answer is known by hand or by the model's own clock.
#include "scenarios.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

namespace scenario {
namespace {

// Rank 0 computes 40 ms a step, rank 1 100 ms; both exchange at the end of each. The steps before the window
// (the first) and after it do not count: the sleeps of steps 3 to 12 are those of the loop (the window runs from
// the second put to the last).
int imbalance() {
    const bool fast = rank == 0;
    cpl_lb_init(MPI_COMM_WORLD, fast ? "ocean" : "atmosphere");
    const int mine = cpl_lb_field(fast ? "SST" : "heat", fast ? "atmosphere" : "ocean");
    const int theirs = cpl_lb_field(fast ? "heat" : "SST", fast ? "atmosphere" : "ocean");
    double in_loop = 0;
    double waited = 0; // in the exchanges of the window: from the second put to before the last
    for (int step = 0; step < 12; ++step) {
        slept = 0;
        work(fast ? 0.04 : 0.1);
        if (step >= 2) in_loop += slept;
        const double start = now();
        send(mine, 1 - rank);
        receive(theirs, 1 - rank);
        if (step >= 1 && step < 11) waited += now() - start;
    }
    say(fast ? "slept_ocean" : "slept_atmosphere", in_loop);
    say(fast ? "waited_ocean" : "waited_atmosphere", waited);
    return cpl_lb_terminate(86400.0);
}

// Components on alternating ranks; nobody exchanges anything but empty events.
int interleaved() {
    const bool even = rank % 2 == 0;
    cpl_lb_init(MPI_COMM_WORLD, even ? "even" : "odd");
    const int f = cpl_lb_field("F", even ? "odd" : "even");
    for (int i = 0; i < 5; ++i)
        event(even ? CPL_LB_PUT : CPL_LB_GET, f, 0.001);
    return cpl_lb_terminate(0);
}

// 8 events on one process, 10 on another, none on a third; two partitions on each.
int unequal() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "");
    const int g = cpl_lb_field("G", "elsewhere");
    if (rank < 2) {
        for (int i = 0; i < 2; ++i)
            event(CPL_LB_PART, 0, 0.0);
        event(CPL_LB_ENDF, 0, 0.0);
        for (int i = 0; i < (rank == 0 ? 5 : 6); ++i)
            event(CPL_LB_GET, rank == 0 ? f : g, 0.001);
        if (rank == 1) event(CPL_LB_GET, f, 0.001);
    }
    return cpl_lb_terminate(0);
}

int null_communicator() {
    say("init_null", cpl_lb_init(MPI_COMM_NULL, "x"));
    event(CPL_LB_PUT, cpl_lb_field("F", "x"), 0.0);
    say("terminate", cpl_lb_terminate(1.0));
    return 0;
}

// The process that makes everything wrong.
int wrong_calls() {
    say("field_before", cpl_lb_field("F", "x"));
    cpl_lb_begin(CPL_LB_PUT, 1);
    say("terminate_before", cpl_lb_terminate(1.0));
    say("init_unnamed", cpl_lb_init(MPI_COMM_WORLD, ""));
    say("init_twice", cpl_lb_init(MPI_COMM_WORLD, "x"));
    const int f = cpl_lb_field("F", "other");
    say("field", f);
    say("field_again", cpl_lb_field("F", "other"));
    say("field_other", cpl_lb_field("F", "another"));
    say("field_set_unknown", cpl_lb_field_set(99, "a", "b"));
    for (int i = 0; i < 4; ++i)
        event(CPL_LB_PUT, f, 0.001);
    for (int i = 0; i < 3; ++i)
        cpl_lb_begin(77, f);
    cpl_lb_begin(-1, f);
    cpl_lb_begin(CPL_LB_PUT, 1234);
    cpl_lb_end(CPL_LB_PUT, -5);
    cpl_lb_end(CPL_LB_GET, f);
    cpl_lb_begin(CPL_LB_MAP, f);
    cpl_lb_region_begin(3);
    cpl_lb_region_end(1);
    say("region_null", cpl_lb_region(nullptr));
    say("component_end", cpl_lb_component_end());
    say("component_null", cpl_lb_component_begin(nullptr));
    cpl_lb_component_end();
    say("grid", cpl_lb_set_grid(-1, 3));
    say("cell", cpl_lb_set_cell_size(0, 1));
    say("complexity", cpl_lb_set_complexity(std::nan("")));
    say("state", cpl_lb_set_state_bytes(-1));
    say("output", cpl_lb_add_output_bytes(-1));
    say("length", cpl_lb_set_length(0));
    const int code = cpl_lb_terminate(-3.0);
    say("terminate", code);
    say("terminate_twice", cpl_lb_terminate(1.0));
    say("field_after", cpl_lb_field("F", "x"));
    cpl_lb_begin(CPL_LB_PUT, 1);
    return 0;
}

// The whole interface while switched off.
int switched_off() {
    say("init", cpl_lb_init(MPI_COMM_WORLD, "x"));
    say("field", cpl_lb_field("F", "other"));
    say("field_null", cpl_lb_field(nullptr, nullptr));
    say("region", cpl_lb_region("r"));
    event(CPL_LB_PUT, 1, 0.0);
    event(99, -1, 0.0);
    cpl_lb_date(1);
    cpl_lb_region_begin(1);
    cpl_lb_region_end(1);
    say("enabled", cpl_lb_enabled());
    say("component_end", cpl_lb_component_end());
    say("grid", cpl_lb_set_grid(-1, 3));
    say("terminate", cpl_lb_terminate(1.0));
    return 0;
}

// Events nest, interleave, and belong to fields whose names become known late.
int nesting() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field(nullptr, nullptr);
    const int g = cpl_lb_field("", "");
    for (int i = 0; i < 4; ++i) {
        work(0.01);
        cpl_lb_begin(CPL_LB_PUT, f);
        cpl_lb_begin(CPL_LB_MAP, f);
        work(0.01);
        cpl_lb_end(CPL_LB_MAP, f);
        cpl_lb_begin(CPL_LB_OUT, g);
        cpl_lb_end(CPL_LB_PUT, f); // interleaved with OUT
        cpl_lb_end(CPL_LB_OUT, g);
    }
    say("set", cpl_lb_field_set(f, "late", "nobody"));
    cpl_lb_field_set(g, "later", nullptr);
    return cpl_lb_terminate(0);
}

// Two components in turn on every process: 10 ms in a, 30 ms in b, five times.
int in_turn() {
    cpl_lb_init(MPI_COMM_WORLD, "a");
    const int f = cpl_lb_field("F", "b");
    double away = 0;
    for (int step = 0; step < 5; ++step) {
        MPI_Barrier(MPI_COMM_WORLD); // together, or the window cuts off what one does early
        event(CPL_LB_PUT, f, 0.01);
        cpl_lb_component_begin("b");
        slept = 0;
        event(CPL_LB_GET, f, 0.03);
        if (step >= 1 && step < 4) away += slept;
        cpl_lb_component_end();
    }
    double sum = 0;
    MPI_Reduce(&away, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) say("away", sum / size); // the mean over the processes, as the library gives it
    return cpl_lb_terminate(0);
}

// The same events on all processes, equally nested, at random times: a restart file read before the first exchange,
// MAPs inside exchanges, one that begins inside and ends after, output beside. AWAY: odd processes are in another
// component now and then. OWN: process 0 writes output that nobody else does. STEPS: 8 if not given; many take no
// time.
int operations() {
    const bool goes_away = std::getenv("AWAY") != nullptr && rank % 2 == 1;
    const bool more = std::getenv("OWN") != nullptr && rank == 0;
    const long steps = number("STEPS", 8);
    std::srand(static_cast<unsigned>(rank) + 3);
    const auto some = [steps] {
        if (steps < 1000) work(1e-4 * (1 + std::rand() % 20));
    };
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "ice");
    const int g = cpl_lb_field("G", "air");
    event(CPL_LB_READ, g, 0.002);
    for (long step = 0; step < steps; ++step) {
        if (steps < 1000) MPI_Barrier(MPI_COMM_WORLD);
        some();
        cpl_lb_begin(CPL_LB_GET, f);
        some();
        cpl_lb_begin(CPL_LB_MAP, f);
        some();
        cpl_lb_end(CPL_LB_MAP, f);
        some();
        cpl_lb_end(CPL_LB_GET, f);
        if (goes_away && step % 3 == 1) {
            cpl_lb_component_begin("ice");
            event(CPL_LB_PUT, f, 0.001);
            cpl_lb_component_end();
        }
        cpl_lb_begin(CPL_LB_OUT, g);
        some();
        cpl_lb_end(CPL_LB_OUT, g);
        if (more && step % 2 == 1) event(CPL_LB_TRN, g, 0.001);
        cpl_lb_begin(CPL_LB_PUT, g);
        some();
        cpl_lb_begin(CPL_LB_MAP, g);
        some();
        cpl_lb_end(CPL_LB_PUT, g);
        some();
        cpl_lb_end(CPL_LB_MAP, g);
    }
    some();
    event(CPL_LB_RST, g, 0.002);
    return cpl_lb_terminate(0);
}

// The same begins in the same order, but the MAP is inside the PUT on process 0, and after it on the others.
int nested_differently() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "ice");
    for (int step = 0; step < 6; ++step) {
        MPI_Barrier(MPI_COMM_WORLD);
        cpl_lb_begin(CPL_LB_OUT, f);
        cpl_lb_begin(CPL_LB_PUT, f);
        work(0.003);
        if (rank != 0) cpl_lb_end(CPL_LB_PUT, f);
        event(CPL_LB_MAP, f, 0.002);
        if (rank == 0) cpl_lb_end(CPL_LB_PUT, f);
        cpl_lb_end(CPL_LB_OUT, f);
    }
    return cpl_lb_terminate(0);
}

// The same marks everywhere; the MAP after each PUT, with a GET inside, takes no time on process 0, 30 ms on the
// others.
int mapping_after() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "ice");
    for (int step = 0; step < 12; ++step) {
        MPI_Barrier(MPI_COMM_WORLD);
        event(CPL_LB_PUT, f, 0.005);
        cpl_lb_begin(CPL_LB_MAP, f);
        cpl_lb_begin(CPL_LB_GET, f);
        if (rank != 0) work(0.03);
        cpl_lb_end(CPL_LB_GET, f);
        cpl_lb_end(CPL_LB_MAP, f);
    }
    return cpl_lb_terminate(0);
}

// 12 steps, at the end of each a GET in which all wait for the last: process 0, which computes the longest. Process 1
// has MORE exchanges more at set-up, or leaves out the first one (FEWER). No dates. The model's own clock says when
// the processes came to the GETs of the loop: from S of the second in which all took part to S of the last.
int set_up() {
    const long more = number("MORE", 0), fewer = number("FEWER", 0);
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("SST", "atmosphere");
    work(0.05);
    for (int i = 0; i < more && rank == 1; ++i)
        event(CPL_LB_GET, f, 0.02);
    double loop = 0;
    double imbalance = 0;
    for (int step = 0; step < 12; ++step) {
        MPI_Barrier(MPI_COMM_WORLD);
        work(rank == 0 ? 0.03 : 0.024);
        const double mine = now();
        const bool records = step > 0 || rank != 1 || fewer == 0;
        if (records) cpl_lb_begin(CPL_LB_GET, f);
        MPI_Barrier(MPI_COMM_WORLD);
        if (records) cpl_lb_end(CPL_LB_GET, f);
        double first = 0;
        double last = 0;
        MPI_Reduce(&mine, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        MPI_Reduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        const int second = fewer > 0 ? 2 : 1;
        if (step == second) loop = -last;
        if (step == 11) loop += last;
        if (step > second) imbalance += last - first;
    }
    if (rank == 0) {
        say("loop", loop);
        say("imbalance", imbalance);
    }
    const int code = cpl_lb_terminate(0);
    if (rank == 1) say("code", code);
    return code;
}

// Four exchanges of a model that never tells its date.
int undated() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    for (int i = 0; i < 4; ++i)
        event(CPL_LB_GET, cpl_lb_field("F", "x"), 0.001);
    return cpl_lb_terminate(100);
}

// The three components of the paper's script: pam_ and pim_ exchange, poum does not.
int paper() {
    const char *names[] = {"pam_", "pim_", "poum"};
    const int me = rank % 3;
    cpl_lb_init(MPI_COMM_WORLD, names[me]);
    event(CPL_LB_PART, 0, 0.01);
    event(CPL_LB_ENDF, 0, 0.02);
    const int f = cpl_lb_field("F", names[1 - me % 2]);
    for (int i = 0; i < 6 && me < 2; ++i) {
        work(me == 0 ? 0.02 : 0.01);
        event(me == 0 ? CPL_LB_PUT : CPL_LB_GET, f, me == 0 ? 0.005 : 0.01);
        event(CPL_LB_MAP, f, 0.005);
    }
    return cpl_lb_terminate(86400.0);
}

// One partition and no field at all; and a component that stops early.
int no_field() {
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "lonely" : "early");
    event(CPL_LB_PART, 0, 0.001);
    if (rank == 0) work(0.3);
    return cpl_lb_terminate(0);
}

// Only the component's first process couples: 4 exchanges of 20 ms, 20 ms of work between.
int master_alone() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int f = cpl_lb_field("F", "x");
    if (rank == 0) {
        double waited = 0;
        for (int i = 0; i < 6; ++i) {
            work(0.02);
            slept = 0;
            event(CPL_LB_GET, f, 0.02);
            if (i >= 1 && i < 5) waited += slept;
        }
        say("waited", waited);
    }
    return cpl_lb_terminate(0);
}

} // namespace

Scenarios balance_scenarios() {
    return {{"imbalance", imbalance},
            {"interleaved", interleaved},
            {"unequal", unequal},
            {"null_communicator", null_communicator},
            {"wrong_calls", wrong_calls},
            {"switched_off", switched_off},
            {"nesting", nesting},
            {"in_turn", in_turn},
            {"operations", operations},
            {"nested_differently", nested_differently},
            {"mapping_after", mapping_after},
            {"set_up", set_up},
            {"undated", undated},
            {"paper", paper},
            {"no_field", no_field},
            {"master_alone", master_alone}};
}

} // namespace scenario
