// The C interface of the recording: the only place that knows whether the library is on.
#include "cpl_lb/cpl_lb.h"
#include "cpl_lb/cpl_lb_inside.h"

#include "api/guarded.hpp"
#include "data/model_date.hpp"
#include "data/traffic.hpp"
#include "run/live/recording.hpp"
#include "support/messages.hpp"
#include "support/switched_off_path.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace cpl_lb;

namespace {

enum class State : int { before_init, off, on, finished };

// The recorder of the thread that called cpl_lb_init; null everywhere else, and everywhere while switched off: one
// load tells all that the hot path must know. Initial-exec: no call to find it from the shared library.
__attribute__((tls_model("initial-exec"))) thread_local Recorder *recorder_here = nullptr;

static_assert(logged_last == CPL_LB_MESSAGE_LAST && logged_next == CPL_LB_MESSAGE_NEXT &&
              logged_again == CPL_LB_MESSAGE_AGAIN && root_by_rank == CPL_LB_RANK);

std::atomic<State> state{State::before_init};
std::atomic<std::int64_t> foreign_calls{0};
std::atomic<bool> mpi_is_told{false}; // by cpl-lb-record's library
std::thread::id owner;
Recorder **recorder_of_owner = nullptr; // the owner's recorder_here
// Deleted by cpl_lb_terminate alone. A process that exits in the middle of its run, or a forked child that exits,
// must not take it down: there may be nobody to answer its messages, and no thread to wait for.
Recording *recording = nullptr;

// In a forked child, before fork() returns: it is as if switched off. The run is its parent's.
void switch_off_in_child() noexcept {
    recorder_here = nullptr;
    state.store(State::off);
}
[[maybe_unused]] const bool forks_are_watched = watch_forks(switch_off_in_child);

std::string_view text_of(const char *text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

int out_of_order(const char *call, State now) noexcept {
    return refuse(call, CPL_LB_EORDER,
                  now == State::before_init ? "called before cpl_lb_init" : "called after cpl_lb_terminate");
}

// For calls between init and terminate that are not on the hot path. off: the result when switched off.
template <class Action>
int while_on(const char *call, int off, Action action) noexcept {
    const State now = state.load(std::memory_order_acquire);
    if (now == State::off) return off;
    if (now != State::on) return out_of_order(call, now);
    if (std::this_thread::get_id() != owner) {
        foreign_calls.fetch_add(1, std::memory_order_relaxed);
        return CPL_LB_ETHREAD;
    }
    return guarded(call, action);
}

void not_recording_here(const char *call) noexcept {
    const State now = state.load(std::memory_order_acquire);
    if (now == State::on) {
        // This process may have had no memory to record with: then its own thread has no recorder either.
        if (std::this_thread::get_id() != owner) foreign_calls.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    static_cast<void>(out_of_order(call, now));
}

// The hot path. Inlined, so that it costs one load and one branch beside what the recorder does.
template <class Action>
[[gnu::always_inline]] inline void mark(const char *call, Action action) noexcept {
    if (Recorder *recorder = recorder_here) [[likely]] {
        action(*recorder);
    } else if (state.load(std::memory_order_relaxed) != State::off) {
        not_recording_here(call);
    }
}

// Not CPL_LB_OK: MPI does not run, or it is not the one of this library.
CPL_LB_SWITCHED_OFF_PATH int check_mpi(const char *call) {
    if (const std::string why = why_not_this_mpi(); !why.empty()) { // before any of its handles is looked at
        state.store(State::off);
        return is_told_here() ? refuse(call, CPL_LB_EMPI, why) : CPL_LB_EMPI;
    }
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized == 0) return refuse(call, CPL_LB_EORDER, "called before MPI_Init");
    return finalized == 0 ? int{CPL_LB_OK} : refuse(call, CPL_LB_EORDER, "called after MPI_Finalize");
}

// In MPI_Finalize: reports, once for the run, that a requested recording did not take place.
void tell_unfinished() {
    if (state.load() != State::on || recording == nullptr || !recording->leads()) return;
    static_cast<void>(guarded("MPI_Finalize", [] { tell(recording->without_terminate_in_words()); }));
}

// The namer of components is in another library, maybe of another C++ compiler: only C crosses between them.
Recording::Namer namer_in_c(cpl_lb_namer namer) {
    return [namer](const std::vector<std::string> &said, const std::vector<int> &ranks, const std::string &ranges,
                   std::size_t me) {
        std::vector<const char *> pointers;
        pointers.reserve(said.size());
        for (const std::string &text : said)
            pointers.push_back(text.c_str());
        const cpl_lb_processes all{static_cast<int>(ranks.size()), ranks.data(), pointers.data(), ranges.c_str()};
        return std::string(namer(&all, static_cast<int>(me)));
    };
}

void own_here() noexcept {
    owner = std::this_thread::get_id();
    recorder_here = recording->recorder();
    recorder_of_owner = &recorder_here;
}

CPL_LB_SWITCHED_OFF_PATH int init(MPI_Comm comm, const char *component, const Recording::Namer &namer = {}) {
    if (in_forked_child()) return CPL_LB_EORDER;
    if (const int code = check_mpi("cpl_lb_init"); code != CPL_LB_OK) return code;
    if (state.load() != State::before_init) return refuse("cpl_lb_init", CPL_LB_EORDER, "called twice");
    const bool named = component != nullptr && *component != '\0';
    state.store(State::off); // an exception below leaves it so
    if (comm == MPI_COMM_NULL)
        return refuse("cpl_lb_init", CPL_LB_EARGUMENT, "the communicator is MPI_COMM_NULL: switched off here");
    if (int is_inter = 0; MPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter != 0) {
        return refuse("cpl_lb_init", CPL_LB_EARGUMENT,
                      "an intercommunicator cannot be used; give it an intracommunicator of all components, such as "
                      "MPI_COMM_WORLD: switched off here");
    }
    const StandardNumbersTaken no_results_there;
    Recording::Started started = Recording::start(comm, named ? component : "(unnamed)", namer);
    if (started.recording == nullptr) return started.code;
    recording = started.recording.release();
    own_here();
    if (recorder_here != nullptr && mpi_is_told.load()) recorder_here->mpi_starts();
    state.store(State::on, std::memory_order_release);
    watch_finalize(&tell_unfinished);
    if (!named) return refuse("cpl_lb_init", CPL_LB_EARGUMENT, "no component name given: recorded as (unnamed)");
    return recording->recorder() == nullptr ? CPL_LB_ENOMEM : CPL_LB_OK;
}

int terminate_run(double simulated_seconds) {
    if (state.load() == State::off) return CPL_LB_OK;
    if (state.load() == State::before_init)
        return refuse("cpl_lb_terminate", CPL_LB_EORDER, "called before cpl_lb_init");
    if (state.load() == State::finished) return refuse("cpl_lb_terminate", CPL_LB_EORDER, "called twice");
    int code = check_mpi("cpl_lb_terminate");
    if (code != CPL_LB_OK) return code;
    if (std::this_thread::get_id() != owner)
        return refuse("cpl_lb_terminate", CPL_LB_ETHREAD, "called from another thread than cpl_lb_init");
    state.store(State::finished);
    recorder_here = nullptr;
    stop_watching_finalize();
    const StandardNumbersTaken no_results_there;
    const bool good = simulated_seconds == 0.0 || is_simulated_time(simulated_seconds);
    if (!good)
        code = refuse("cpl_lb_terminate", CPL_LB_EARGUMENT,
                      "simulated_seconds must be 0, or a number from 1e-9 to 1e18: taken as 0");
    for (const auto &[cause, times] : repeated_refusals())
        recording->note_refused(cause, times);
    const int result = recording->terminate(good ? simulated_seconds : 0.0, foreign_calls.load());
    delete std::exchange(recording, nullptr);
    return result != CPL_LB_OK ? result : code;
}

// assertion(): what is wrong with it, in words; empty: nothing.
template <class Assertion>
int assert_that(const char *call, Assertion assertion) noexcept {
    return while_on(call, CPL_LB_OK, [&] {
        if (const std::string why = assertion(); !why.empty()) throw Mistake{CPL_LB_EARGUMENT, why};
    });
}

} // namespace

int cpl_lb::while_recording(const char *call, int (*entry)(Recording &, void *), void *with) noexcept {
    return while_on(call, CPL_LB_OK, [&] { return entry(*recording, with); });
}

cpl_lb::Recording *cpl_lb::recording_here() noexcept {
    return recorder_here == nullptr ? nullptr : recording;
}

extern "C" {

CPL_LB_PUBLIC int cpl_lb_init_f(int comm, const char *component); // for the Fortran module

int cpl_lb_init(MPI_Comm comm, const char *component) {
    return guarded("cpl_lb_init", [&] { return init(comm, component); });
}

int cpl_lb_init_f(int comm, const char *component) {
    return guarded("cpl_lb_init", [&] {
        if (const int code = check_mpi("cpl_lb_init"); code != CPL_LB_OK) return code;
        return init(MPI_Comm_f2c(static_cast<MPI_Fint>(comm)), component);
    });
}

int cpl_lb_init_by(MPI_Comm comm, const char *said, cpl_lb_namer namer) {
    return guarded("cpl_lb_init", [&] { return init(comm, said, namer_in_c(namer)); });
}

int cpl_lb_rename(const char *component) {
    return while_on("cpl_lb_rename", CPL_LB_OK, [&] { recording->rename(text_of(component)); });
}

void cpl_lb_coupler(const char *name) {
    static_cast<void>(while_on("cpl_lb_coupler", CPL_LB_OK, [&] { recording->note_coupler(text_of(name)); }));
}

uint64_t cpl_lb_ticks(void) {
    const Recorder *recorder = recorder_here;
    return recorder == nullptr ? 0 : read_ticks(recorder->clock());
}

double cpl_lb_ticks_per_second(void) {
    return recorder_here == nullptr ? 0 : recording->ticks_per_s();
}

void cpl_lb_span(int kind, const int *fields, int count, uint64_t begin, uint64_t end, int early,
                 uint64_t early_end) {
    if (Recorder *recorder = recorder_here) recorder->span(kind, fields, count, begin, end, early, early_end);
}

void cpl_lb_inside_starts(void) {
    mpi_is_told.store(true);
    if (Recorder *recorder = recorder_here) recorder->mpi_starts();
}

void cpl_lb_inside(cpl_lb_mpi_class mpi_class, uint64_t begin, uint64_t end) {
    if (Recorder *recorder = recorder_here) recorder->mpi_call(static_cast<MpiClass>(mpi_class), begin, end);
}

void cpl_lb_waited(const int *ranks, int count, uint64_t begin, uint64_t end) {
    if (Recorder *recorder = recorder_here)
        recorder->waited_for({ranks, static_cast<std::size_t>(std::max(count, 0))}, begin, end);
}

static_assert(window_accesses == CPL_LB_WINDOW_ACCESSES && shared_memory == CPL_LB_SHARED_MEMORY);

void cpl_lb_message(int64_t bytes, int to, int field) {
    if (Recorder *recorder = recorder_here) recorder->message_sent(bytes, to, field);
}

void cpl_lb_elsewhere(int64_t calls, double seconds) {
    if (recorder_here == nullptr) return;
    recorder_here->problems().elsewhere = calls;
    recorder_here->problems().elsewhere_s = seconds;
}

void cpl_lb_left(int64_t calls) {
    if (recorder_here != nullptr) recorder_here->problems().left_calls = calls;
}

void cpl_lb_take_over(int lives) {
    if (state.load() != State::on || recording == nullptr) return;
    if (lives != 0) *recorder_of_owner = nullptr; // it must not use the recorder after terminate
    own_here();
}

void cpl_lb_communicator(const char *name) {
    if (recorder_here != nullptr) recording->note_communicator(name);
}

void cpl_lb_root(int field, int rank) {
    if (recorder_here == nullptr || field <= 0 || rank < 0) return;
    try {
        recording->note_root({static_cast<std::uint32_t>(field), rank});
    } catch (const std::bad_alloc &) { // then the field is called after the root's rank
    }
}

void cpl_lb_messages(int kind, int field, const std::uint32_t *messages, std::size_t count) {
    if (recorder_here == nullptr || field <= 0) return;
    try {
        recording->note_messages(
            {static_cast<Kind>(kind), static_cast<std::uint32_t>(field), {messages, messages + count}});
    } catch (const std::bad_alloc &) { // then the calls of this field are counted, as those of a model's own calls
    }
}

int cpl_lb_terminate(double simulated_seconds) {
    return guarded("cpl_lb_terminate", [&] { return terminate_run(simulated_seconds); });
}

int cpl_lb_field(const char *name, const char *counterpart) {
    return while_on("cpl_lb_field", 1, [&] {
        Recorder *recorder = recording->recorder();
        if (recorder == nullptr) return 1;
        return recorder->field(text_of(name), text_of(counterpart));
    });
}

int cpl_lb_field_set(int field, const char *name, const char *counterpart) {
    return while_on("cpl_lb_field_set", CPL_LB_OK, [&] {
        Recorder *recorder = recording->recorder();
        if (recorder != nullptr && !recorder->set_field(field, text_of(name), text_of(counterpart)))
            throw Mistake{CPL_LB_EARGUMENT, "there is no field with this number"};
    });
}

void cpl_lb_begin(int kind, int field) {
    mark("cpl_lb_begin", [=](Recorder &recorder) { recorder.begin(kind, field); });
}

void cpl_lb_end(int kind, int field) {
    mark("cpl_lb_end", [=](Recorder &recorder) { recorder.end(kind, field); });
}

void cpl_lb_date(long long seconds) {
    mark("cpl_lb_date", [=](Recorder &recorder) {
        if (is_date(seconds)) [[likely]] {
            recorder.date(seconds);
        } else {
            static_cast<void>(guarded("cpl_lb_date", [] {
                throw Mistake{CPL_LB_EARGUMENT,
                              "more than 9e15 seconds from the start of the simulation: ignored, the date before it "
                              "goes on"};
            }));
        }
    });
}

int cpl_lb_component_begin(const char *component) {
    return while_on("cpl_lb_component_begin", CPL_LB_OK, [&] {
        const bool named = component != nullptr && *component != '\0';
        recording->component_begin(named ? component : "(unnamed)");
        if (!named) throw Mistake{CPL_LB_EARGUMENT, "no component name given: recorded as (unnamed)"};
    });
}

int cpl_lb_component_end(void) {
    return while_on("cpl_lb_component_end", CPL_LB_OK, [&] {
        if (!recording->component_end())
            throw Mistake{CPL_LB_EORDER, "called without a cpl_lb_component_begin before it"};
    });
}

int cpl_lb_set_length(double simulated_seconds) {
    return while_on("cpl_lb_set_length", CPL_LB_OK, [&] {
        if (!is_simulated_time(simulated_seconds)) throw Mistake{CPL_LB_EARGUMENT, "value out of range: ignored"};
        recording->set_length(simulated_seconds);
    });
}

int cpl_lb_region(const char *name) {
    return while_on("cpl_lb_region", 1, [&] {
        if (name == nullptr || *name == '\0') throw Mistake{CPL_LB_EARGUMENT, "no name given"};
        Recorder *recorder = recording->recorder();
        return recorder == nullptr ? 1 : recorder->region(name);
    });
}

void cpl_lb_region_begin(int region) {
    mark("cpl_lb_region_begin", [=](Recorder &recorder) { recorder.region_begin(region); });
}

void cpl_lb_region_end(int region) {
    mark("cpl_lb_region_end", [=](Recorder &recorder) { recorder.region_end(region); });
}

int cpl_lb_assert_parameter(const char *name, double value) {
    return assert_that("cpl_lb_assert_parameter", [&] { return recording->assert_parameter(text_of(name), value); });
}

int cpl_lb_assert_expression(int region, const char *quantity, const char *expression) {
    return assert_that("cpl_lb_assert_expression",
                       [&] { return recording->assert_expression(region, text_of(quantity), text_of(expression)); });
}

int cpl_lb_enabled(void) {
    return recorder_here != nullptr ? 1 : 0;
}

} // extern "C"
