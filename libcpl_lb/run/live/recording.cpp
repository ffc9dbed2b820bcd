// Starts recording on this process, and hands over the recorded data when the run ends.
#include "run/live/recording.hpp"

#include "analysis/decomposition.hpp"
#include "cpl_lb/cpl_lb.h"
#include "io/files/folder_claim.hpp"
#include "meters/process_meters.hpp"
#include "meters/processors.hpp"
#include "mpi/call_roll.hpp"
#include "mpi/left_messages.hpp"
#include "mpi/mpi_carrier.hpp"
#include "run/live/process_record.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/system.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>
#include <unistd.h>

namespace cpl_lb {
namespace {

NumberList all_ranks(int size) {
    return NumberList::counting_from(0, static_cast<std::size_t>(size));
}

} // namespace

Recording::Started Recording::start(MPI_Comm comm, std::string component, const Namer &namer) {
    ClockPoint entry = take_point_of_any_clock();
    MPI_Comm own = MPI_COMM_NULL;
    SharedSettings shared = call_roll(comm, [&](const RankSet &present, std::string &message) {
        return make_own_communicator(comm, present, own, message);
    });
    if (shared.partial) entry = take_point_of_any_clock(); // the wait for who never comes is not the model's time
    if (!shared.message.empty()) tell(shared.message);
    if (!shared.settings.enabled) return {nullptr, shared.code};
    if (!shared.missing.empty()) tell(shared.missing);
    std::unique_ptr<Recording> recording(new Recording(own, std::move(shared.settings), std::move(component)));
    recording->process_map_.rank_in_model = shared.present;
    MPI_Comm_size(comm, &recording->model_processes_);
    if (!shared.missing.empty()) recording->note_partial(shared.missing);
    if (!shared.differs.empty()) recording->problems_.push_back({shared.differs, 1, 1, recording->transport_.rank()});
    // Not before it is needed: to ask the processor takes longer than the whole roll call.
    recording->clock_source_ = choose_clock(std::getenv("CPL_LB_CLOCK"));
    recording->first_point_ = of_clock(recording->clock_source_, entry);
    recording->first_switches_ = involuntary_switches();
    recording->first_no_processor_ = no_processor_of_threads(recording->settings_.procfs_root);
    Transport &transport = recording->transport_;
    transport.watch_for_distress();
    bool good = false;
    try {
        good = recording->set_up(namer);
    } catch (const std::exception &) {
        transport.send_distress(); // or the others would wait
        transport.stop_watching();
        throw;
    }
    if (!good && !transport.distressed()) transport.send_distress();
    transport.stop_watching();
    if (good) return {std::move(recording), CPL_LB_OK};
    if (transport.rank() == 0 || !transport.distressed())
        tell("the processes could not exchange who they are: switched off here");
    return {nullptr, transport.timed_out() ? CPL_LB_ETIMEOUT : CPL_LB_EMPI};
}

Recording::Recording(MPI_Comm comm, Settings settings, std::string component)
    : settings_(std::move(settings)), component_(std::move(component)), comm_(comm),
      transport_(std::make_unique<MpiCarrier>(comm, MpiCarrier::Whose::ours), settings_.timeout_s),
      started_(utc_now()) {
    component_stack_.push_back(component_);
}

Recording::~Recording() = default;

std::string Recording::without_terminate_in_words() const {
    const std::string line = "the model ended without cpl_lb_terminate: no results";
    if (!settings_.spool) return line + ". Call it before MPI_Finalize";
    return line + ". The spool files in " + settings_.spool_directory +
           " are kept: cpl-lb recover makes results from them";
}

// On the root. The model need not care, because the run goes on as it is: no error code.
void Recording::note_partial(const std::string &missing) {
    partial_ = missing + " The cost counts only the recorded processes, unless nn_cores or the batch system gives "
                         "the number of cores; the energy is that of whole nodes.";
}

bool Recording::set_up(const Namer &namer) {
    Group all(transport_, all_ranks(transport_.size()));
    const BoundCores bound = bound_cores_here(settings_.sysfs_root);
    sockets_ = sockets_here(settings_.sysfs_root);
    Hello hello{namer ? asks_for_name + component_ : component_,
                clock_domain_here(settings_.procfs_root),
                threads_here(),
                bound.cores,
                bound.processors,
                bound.whole_part};
    if (!exchange_process_map(all, hello, process_map_)) return false;
    if (somebody_asks_for_name()) { // so that all hear the names
        if (namer) take_name(namer);
        hello.component = component_;
        if (!exchange_process_map(all, hello, process_map_)) return false;
    }
    if (!check_nodes(all, process_map_, host_name())) return false;
    if (!measure_offset(all, process_map_, {}, first_offset_)) return false;
    if (settings_.spool && !agree_on_token(all)) return false;
    start_recorder();
    start_meters();
    if (all.leads()) claim_folder();
    return !settings_.spool || tell_spool_problems(all);
}

void Recording::start_recorder() {
    try {
        Recorder::Setup setup;
        setup.clock = clock_source_;
        setup.max_bytes = mark_bytes(memory_bound());
        setup.sliced = settings_.sliced();
        setup.date_first_s = settings_.date_first_s;
        setup.date_last_s = settings_.date_last_s;
        setup.chunks = make_spool(setup.max_bytes);
        if (const double threads = threads_per_processor(process_map_, transport_.rank());
            setup.chunks && is_known(threads))
            setup.chunks->threads_per_processor(threads);
        recorder_ = std::make_unique<Recorder>(std::move(setup), component_);
    } catch (const std::bad_alloc &) {
        problems_.push_back({"no memory for events: nothing recorded", 1, 1, transport_.rank(), CPL_LB_ENOMEM});
    }
}

void Recording::start_meters() {
    const WantedMeters wanted{settings_.rss, settings_.energy, !settings_.counters.empty()};
    const auto node = process_map_.node_of_rank[static_cast<std::size_t>(transport_.rank())];
    ProcessMeters::Setup setup;
    setup.readers.sysfs_root = settings_.sysfs_root;
    setup.readers.procfs_root = settings_.procfs_root;
    setup.readers.counters = settings_.counters;
    setup.wanted = wanted;
    setup.sample_s = settings_.sample_s;
    setup.leads_node = process_map_.ranks_of_node(node).front() == transport_.rank();
    setup.start = first_point_;
    setup.first_switches = first_switches_;
    try {
        meters_ = std::make_unique<ProcessMeters>(std::move(setup));
        if (recorder_) meters_->attach(*recorder_);
    } catch (const std::exception &e) {
        meters_.reset();
        problems_.push_back({fmt::format("no meters: {}", in_words(e)), 1, 1, transport_.rank(), CPL_LB_ENOMEM});
    }
}

std::size_t Recording::memory_bound() const {
    if (settings_.max_MiB > 0) return static_cast<std::size_t>(settings_.max_MiB) << 20U;
    const auto node = process_map_.node_of_rank[static_cast<std::size_t>(transport_.rank())];
    const std::size_t processes_on_node = process_map_.ranks_of_node(node).size();
    const auto pages = static_cast<double>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
    const double memory = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
    const double share = 0.05 * memory / static_cast<double>(std::max<std::size_t>(processes_on_node, 1));
    return static_cast<std::size_t>(std::clamp(share, 1048576.0, 512.0 * 1048576.0));
}

void Recording::component_begin(std::string_view name) {
    component_stack_.emplace_back(name);
    if (recorder_) recorder_->component_begin(name);
}

bool Recording::component_end() {
    if (component_stack_.size() > 1) component_stack_.pop_back();
    return recorder_ == nullptr || recorder_->component_end();
}

ComponentProperties &Recording::properties() {
    return properties_[component_stack_.back()];
}

bool Recording::set_part(OwnPart part) {
    if (part.part.form == GridForm::none) return false;
    grid_parts_[component_stack_.back()] = std::move(part);
    return true;
}

bool Recording::set_block(const std::array<std::int64_t, 2> &size, const std::array<std::int64_t, 2> &first,
                          const std::array<std::int64_t, 2> &count) {
    return set_part({block_of(size, first, count), {}});
}

bool Recording::set_points(std::span<const double> longitudes, std::span<const double> latitudes) {
    return set_part({part_of_points(longitudes, latitudes), {}});
}

bool Recording::set_left_out(std::int64_t points) {
    if (points < 0) return false;
    left_out_[component_stack_.back()] = points;
    return true;
}

std::string_view Recording::set_pieces(const std::array<std::int64_t, 2> &size, std::span<const long long> first,
                                       std::span<const long long> count) {
    PartOfPieces given = part_of_pieces(size, first, count);
    if (!given.why_not.empty()) return given.why_not;
    set_part(std::move(given.own));
    return {};
}

std::string Recording::assert_parameter(std::string_view name, double value) {
    return recorder_ == nullptr ? std::string() : annotations().parameter(name, value);
}

std::string Recording::assert_expression(int region, std::string_view quantity, std::string_view expression) {
    if (recorder_ == nullptr) return {};
    const std::vector<RegionTimer> &timers = recorder_->regions().timers();
    if (region < 1 || static_cast<std::size_t>(region) > timers.size())
        return fmt::format("there is no region {}", region);
    std::string why = annotations().expression(region, quantity, expression);
    if (!why.empty()) return fmt::format("region '{}': {}", timers[static_cast<std::size_t>(region) - 1].name, why);
    recorder_->regions().annotate(region);
    return {};
}

ProcessAnnotations &Recording::annotations() {
    if (annotations_ == nullptr) {
        annotations_ = std::make_unique<ProcessAnnotations>([recorder = recorder_.get()](int region) {
            return recorder->regions().timers()[static_cast<std::size_t>(region) - 1].calls;
        });
    }
    return *annotations_;
}

int Recording::terminate(double simulated_s, std::int64_t calls_from_other_threads) {
    return cpl_lb::terminate(hand_over(simulated_s, calls_from_other_threads));
}

ProcessRecord Recording::hand_over(double simulated_s, std::int64_t calls_from_other_threads) {
    ProcessRecord record;
    record.arrival = take_clock_point(clock_source_);
    if (recorder_ && recorder_->inside().used()) record.rank_in_world = ranks_in(MPI_COMM_WORLD, comm_);
    record.scale = TickScale(clock_source_, first_point_, record.arrival);
    if (meters_) meters_->finish(record.arrival.ticks);
    if (recorder_) recorder_->stop();
    record.transport = &transport_;
    record.memory_bound_B = memory_bound();
    record.run_id = run_id();
    record.settings = std::move(settings_);
    record.process_map = std::move(process_map_);
    record.component = std::move(component_);
    record.started = std::move(started_);
    record.clock_source = clock_source_;
    record.first_point = first_point_;
    record.first_offset = first_offset_;
    record.first_switches = first_switches_;
    record.first_no_processor = std::move(first_no_processor_);
    record.sockets = std::move(sockets_);
    record.last_no_processor = no_processor_of_threads(record.settings.procfs_root);
    record.recorder = std::move(recorder_);
    record.meters = std::move(meters_);
    record.annotations = std::move(annotations_);
    record.properties = std::move(properties_);
    record.grid_parts = std::move(grid_parts_);
    record.grids = std::move(grids_);
    record.left_out = std::move(left_out_);
    record.simulated_s = simulated_s > 0.0 ? simulated_s : 0.0;
    record.foreign_calls = calls_from_other_threads;
    record.problems = std::move(problems_);
    record.messages = std::move(messages_);
    record.roots = std::move(roots_);
    record.communicator = std::move(communicator_);
    record.coupler = std::move(coupler_);
    record.partial = std::move(partial_);
    record.model_processes = model_processes_;
    record.claim = std::move(claim_);
    record.told_of_other_run = told_of_other_run_;
    return record;
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

bool Recording::somebody_asks_for_name() const {
    const std::vector<std::string> &names = process_map_.component_names;
    return std::any_of(names.begin(), names.end(),
                       [](const std::string &name) { return !name.empty() && name.front() == asks_for_name; });
}

// Processes that call cpl_lb_init themselves have said their component: "=ocean", as CPL_LB_COMPONENT does.
void Recording::take_name(const Namer &namer) {
    std::vector<std::string> texts;
    std::vector<int> ranks;
    for (int rank = 0; rank < process_map_.size(); ++rank) {
        const std::string &name = process_map_.component_name_of(rank);
        const bool asks = !name.empty() && name.front() == asks_for_name;
        texts.push_back(asks ? name.substr(1) : "=" + name);
        ranks.push_back(process_map_.in_model(rank));
    }
    component_ = namer(texts, ranks, settings_.components, static_cast<std::size_t>(transport_.rank()));
    component_stack_.assign(1, component_);
}

void Recording::rename(std::string_view component) {
    component_ = component;
    component_stack_.assign(1, component_);
    if (recorder_) recorder_->rename(component);
}

double Recording::ticks_per_s() const {
    if (clock_source_ == ClockSource::gettime) return 1e9;
    const ClockPoint now = take_clock_point(clock_source_);
    const auto ns = static_cast<double>(now.monotonic_ns - first_point_.monotonic_ns);
    return ns > 0 ? 1e9 * static_cast<double>(now.ticks - first_point_.ticks) / ns : 1e9;
}

} // namespace cpl_lb
