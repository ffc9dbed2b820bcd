// Starts recording on this process, and hands over the recorded data when the run ends.
#include "run/live/recording.hpp"

#include "analysis/decomposition.hpp"
#include "cpl_lb/cpl_lb.h"
#include "io/files/folder_claim.hpp"
#include "meters/memory_limits.hpp"
#include "meters/process_meters.hpp"
#include "meters/processors.hpp"
#include "mpi/call_roll.hpp"
#include "mpi/left_messages.hpp"
#include "mpi/mpi_carrier.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/system.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace cpl_lb {

Recording::Started Recording::start(MPI_Comm comm, std::string component, const Namer &namer) {
    ClockPoint entry = take_point_of_any_clock();
    MPI_Comm own = MPI_COMM_NULL;
    SharedSettings shared = call_roll(comm, own);
    if (shared.partial) entry = take_point_of_any_clock(); // the wait for who never comes is not the model's time
    if (!shared.message.empty()) tell(shared.message);
    if (!shared.settings.enabled) return {nullptr, shared.code};
    if (!shared.missing.empty()) tell(shared.missing);
    std::unique_ptr<Recording> recording = make(own, shared, std::move(component));
    Transport &transport = recording->transport_;
    try {
        recording->note_start(comm, shared, entry);
        transport.watch_for_distress();
        recording->set_up(namer);
        transport.stop_watching();
        return {std::move(recording), CPL_LB_OK};
    } catch (const MessageFailed &) {
        if (!transport.distressed()) transport.send_distress();
        transport.stop_watching();
    } catch (const std::exception &) {
        recording->record_.reserve.give_back();
        transport.send_distress(); // or the others would wait
        transport.stop_watching();
        throw;
    }
    if (transport.rank() == 0 || !transport.distressed())
        tell("the processes could not exchange who they are: switched off here");
    return {nullptr, transport.timed_out() ? CPL_LB_ETIMEOUT : CPL_LB_EMPI};
}

namespace {

// Called where there is no memory to take part in anything: the others, which count on this process, hear it now.
void tell_others_of_distress(MPI_Comm own) noexcept {
    try {
        Transport(std::make_unique<MpiCarrier>(own), 0).send_distress();
    } catch (const std::exception &) { // then they wait for rn_timeout
        return;
    }
}

} // namespace

// What a process needs for its messages it has from here on. Who has not even that is left out now, before anybody
// waits for it at the end.
std::unique_ptr<Recording> Recording::make(MPI_Comm own, SharedSettings &shared, std::string component) {
    MemoryReserve reserve = MemoryReserve::take();
    try {
        if (!reserve.is_kept()) throw std::bad_alloc();
        std::unique_ptr<Recording> made(new Recording(own, std::move(shared.settings), std::move(component)));
        made->record_.reserve = std::move(reserve);
        return made;
    } catch (const std::exception &) {
        reserve.give_back();
        tell_others_of_distress(own);
        throw;
    }
}

void Recording::note_start(MPI_Comm models, const SharedSettings &shared, const ClockPoint &entry) {
    ProcessRecord &record = record_;
    record.process_map.rank_in_model = shared.present;
    MPI_Comm_size(models, &record.model_processes);
    if (!shared.missing.empty()) note_partial(shared.missing);
    if (!shared.differs.empty()) record.problems.push_back({shared.differs, 1, 1, record.rank()});
    // Not before it is needed: to ask the processor takes longer than the whole roll call.
    record.clock_source = choose_clock(std::getenv("CPL_LB_CLOCK"));
    record.first_point = of_clock(record.clock_source, entry);
    record.first_switches = involuntary_switches();
    record.first_no_processor = no_processor_of_threads(record.settings.procfs_root);
}

Recording::Recording(MPI_Comm comm, Settings settings, std::string component)
    : comm_(comm), transport_(std::make_unique<MpiCarrier>(comm), settings.timeout_s) {
    record_.transport = &transport_;
    record_.settings = std::move(settings);
    record_.component = std::move(component);
    record_.started = utc_now();
}

Recording::~Recording() = default;

std::string Recording::without_terminate_in_words() const {
    const std::string line = "the model ended without cpl_lb_terminate: no results";
    if (!record_.settings.spool) return line + ". Call it before MPI_Finalize";
    return line + ". The spool files in " + record_.settings.spool_directory +
           " are kept: cpl-lb recover makes results from them";
}

// On the root. The model need not care, because the run goes on as it is: no error code.
void Recording::note_partial(const std::string &missing) {
    record_.partial = missing +
                      " The cost counts only the recorded processes, unless nn_cores or the batch system gives "
                      "the number of cores; the energy is that of whole nodes.";
}

void Recording::set_up(const Namer &namer) {
    Group all(transport_, NumberList::counting_from(0, static_cast<std::size_t>(transport_.size())));
    const Settings &settings = record_.settings;
    const BoundCores bound = bound_cores_here(settings.sysfs_root);
    const MemoryLimits limits = memory_limits_here(settings.sysfs_root, settings.procfs_root);
    Hello hello{namer ? asks_for_name + record_.component : record_.component,
                clock_domain_here(settings.procfs_root),
                threads_here(),
                bound.cores,
                bound.processors,
                bound.whole_part,
                limits.group};
    exchange_process_map(all, hello, record_.process_map);
    if (somebody_asks_for_name()) { // so that all hear the names
        if (namer) take_name(namer);
        hello.component = record_.component;
        exchange_process_map(all, hello, record_.process_map);
    }
    check_nodes(all, record_.process_map, host_name());
    record_.first_offset = measure_offset(all, record_.process_map, {});
    if (settings.spool) {
        if (all.leads()) spool_token_ = new_token();
        if (all.leads()) spool_run_id_ = run_id();
        tell_all(all, "the run's name", spool_token_, spool_run_id_);
    }
    record_.memory_bound_B = memory_bound(limits);
    start_recorder();
    start_meters();
    if (all.leads()) claim_folder();
    if (settings.spool) tell_spool_problems(all);
}

void Recording::start_recorder() {
    const Settings &settings = record_.settings;
    try {
        Recorder::Setup setup;
        setup.clock = record_.clock_source;
        setup.max_bytes = record_.mark_bytes();
        setup.name_bytes = record_.name_bytes();
        setup.sliced = settings.sliced();
        setup.date_first_s = settings.date_first_s;
        setup.date_last_s = settings.date_last_s;
        setup.chunks = make_spool(setup.max_bytes);
        if (const double threads = threads_per_processor(record_); setup.chunks && is_known(threads))
            setup.chunks->threads_per_processor(threads);
        record_.recorder = std::make_unique<Recorder>(std::move(setup), record_.component);
    } catch (const std::bad_alloc &) {
        record_.problems.push_back(
            {"no memory for events: nothing recorded", 1, 1, transport_.rank(), CPL_LB_ENOMEM});
    }
}

void Recording::start_meters() {
    const Settings &settings = record_.settings;
    ProcessMeters::Setup setup;
    setup.readers.sysfs_root = settings.sysfs_root;
    setup.readers.procfs_root = settings.procfs_root;
    setup.readers.counters = settings.counters;
    setup.wanted = {settings.rss, settings.energy, !settings.counters.empty()};
    setup.sample_s = settings.sample_s;
    setup.leads_node = record_.leads_node();
    setup.start = record_.first_point;
    setup.first_switches = record_.first_switches;
    try {
        record_.meters = std::make_unique<ProcessMeters>(std::move(setup));
        if (record_.recorder) record_.meters->attach(*record_.recorder);
    } catch (const std::exception &e) {
        record_.meters.reset();
        record_.problems.push_back(
            {fmt::format("no meters: {}", in_words(e)), 1, 1, transport_.rank(), CPL_LB_ENOMEM});
    }
}

std::size_t Recording::memory_bound(const MemoryLimits &limits) const {
    if (record_.settings.max_MiB > 0) return static_cast<std::size_t>(record_.settings.max_MiB) << 20U;
    const ProcessMap &map = record_.process_map;
    return default_memory_bound_B(limits, map.ranks_of_node(record_.node()).size(),
                                  static_cast<std::size_t>(map.memory_sharers_of_rank[record_.place()]));
}

void Recording::component_begin(std::string_view name) {
    if (record_.recorder) record_.recorder->component_begin(name);
}

bool Recording::component_end() {
    return record_.recorder == nullptr || record_.recorder->component_end();
}

const std::string &Recording::component_here() const {
    return record_.recorder ? record_.recorder->component_here() : record_.component;
}

ComponentProperties &Recording::properties() {
    return record_.properties[component_here()];
}

bool Recording::set_left_out(std::int64_t points) {
    if (points < 0) return false;
    record_.left_out[component_here()] = points;
    return true;
}

std::string_view Recording::set_pieces(const std::array<std::int64_t, 2> &size, std::span<const long long> first,
                                       std::span<const long long> count) {
    GridPart part;
    const std::string_view why_not = make_part(size, first, count, part);
    // Without a recorder it knows no components in turn.
    if (why_not.empty() && record_.recorder) record_.grid_parts[component_here()] = std::move(part);
    return why_not;
}

std::string Recording::assert_parameter(std::string_view name, double value) {
    return record_.recorder == nullptr ? std::string() : annotations().parameter(name, value);
}

std::string Recording::assert_expression(int region, std::string_view quantity, std::string_view expression) {
    if (record_.recorder == nullptr) return {};
    const std::vector<RegionTimer> &timers = record_.recorder->regions().timers();
    if (region < 1 || static_cast<std::size_t>(region) > timers.size())
        return fmt::format("there is no region {}", region);
    std::string why = annotations().expression(region, quantity, expression);
    if (!why.empty()) return fmt::format("region '{}': {}", timers[static_cast<std::size_t>(region) - 1].name, why);
    record_.recorder->regions().annotate(region);
    return {};
}

ProcessAnnotations &Recording::annotations() {
    if (record_.annotations == nullptr) {
        record_.annotations = std::make_unique<ProcessAnnotations>([recorder = record_.recorder.get()](int region) {
            return recorder->regions().timers()[static_cast<std::size_t>(region) - 1].calls;
        });
    }
    return *record_.annotations;
}

int Recording::terminate(double simulated_s, std::int64_t calls_from_other_threads) {
    return cpl_lb::terminate(hand_over(simulated_s, calls_from_other_threads));
}

ProcessRecord Recording::hand_over(double simulated_s, std::int64_t calls_from_other_threads) {
    record_.arrival = take_clock_point(record_.clock_source);
    if (record_.recorder && record_.recorder->inside().used())
        record_.rank_in_world = ranks_in(MPI_COMM_WORLD, comm_);
    record_.scale = TickScale(record_.clock_source, record_.first_point, record_.arrival);
    if (record_.meters) record_.meters->finish(record_.arrival.ticks);
    if (record_.recorder) record_.recorder->stop();
    record_.run_id = run_id();
    record_.last_no_processor = no_processor_of_threads(record_.settings.procfs_root);
    record_.simulated_s = simulated_s > 0.0 ? simulated_s : 0.0;
    record_.foreign_calls = calls_from_other_threads;
    return std::move(record_);
}

bool Recording::somebody_asks_for_name() const {
    const std::vector<std::string> &names = record_.process_map.component_names;
    return std::ranges::any_of(names, [](const std::string &name) { return name.starts_with(asks_for_name); });
}

// Processes that call cpl_lb_init themselves have said their component: "=ocean", as CPL_LB_COMPONENT does.
void Recording::take_name(const Namer &namer) {
    std::vector<std::string> texts;
    std::vector<int> ranks;
    for (int rank = 0; rank < record_.process_map.size(); ++rank) {
        const std::string &name = record_.process_map.component_name_of(rank);
        texts.push_back(name.starts_with(asks_for_name) ? name.substr(1) : "=" + name);
        ranks.push_back(record_.process_map.in_model(rank));
    }
    record_.component = namer(texts, ranks, record_.settings.components, record_.place());
}

void Recording::rename(std::string_view component) {
    record_.component = component;
    if (record_.recorder) record_.recorder->rename(component);
}

double Recording::ticks_per_s() const {
    if (record_.clock_source == ClockSource::gettime) return 1e9;
    const ClockPoint now = take_clock_point(record_.clock_source);
    const auto ns = static_cast<double>(now.monotonic_ns - record_.first_point.monotonic_ns);
    return ns > 0 ? 1e9 * static_cast<double>(now.ticks - record_.first_point.ticks) / ns : 1e9;
}

namespace {

void (*action)() = nullptr;

} // namespace

void watch_finalize(void (*at_finalize)()) noexcept {
    action = at_finalize;
    try {
        when_freed(MPI_COMM_SELF, [] {
            if (action != nullptr) action();
        });
    } catch (const std::bad_alloc &) { // only the message is lost
    }
}

// The attribute stays in MPI: another attribute's deletion may call cpl_lb_terminate while MPI walks through the
// list, and MPICH aborts if the list changes then. The library stays loaded, so that MPI can still call it.
void stop_watching_finalize() noexcept {
    action = nullptr;
}

} // namespace cpl_lb
