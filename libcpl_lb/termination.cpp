#include "termination.hpp"

#include "cpl_lb/cpl_lb.h"
#include "io/result_file.hpp"
#include "messages.hpp"
#include "metering/process_meters.hpp"
#include "record/whole_event_times.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

// The processes of a list, for a message: "4, 5, 6 and 12 more".
std::string some_of(const std::vector<std::string> &names) {
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

std::string missing_in_words(const Meeting &meeting, const Layout &layout) {
    std::map<std::string, std::size_t> by_component;
    for (const int rank : meeting.missing) {
        const auto component = static_cast<std::size_t>(layout.component_of_rank[static_cast<std::size_t>(rank)]);
        ++by_component[layout.component_names[component]];
    }
    std::vector<std::string> parts;
    parts.reserve(by_component.size());
    for (const auto &[name, count] : by_component)
        parts.push_back(fmt::format("{} of {}", count, name));
    return some_of(parts);
}

} // namespace

Termination::Termination(Recording &recording, double simulated_s, std::int64_t calls_from_other_threads)
    : r_(recording), simulated_s_(simulated_s > 0.0 ? simulated_s : 0.0), foreign_calls_(calls_from_other_threads),
      arrival_(take_clock_point(recording.clock_source_)), problems_(std::move(recording.problems_)) {
    scale_ = TickScale(r_.clock_source_, r_.first_point_, arrival_);
    if (r_.meters_) r_.meters_->finish(arrival_.ticks);
    if (r_.recorder_) r_.recorder_->stop();
}

int Termination::run() {
    Transport &t = r_.transport_;
    t.watch_for_distress();
    std::string failure;
    try {
        if (!work() && failure.empty()) failure = failure_in_words();
    } catch (const std::bad_alloc &) {
        failure = fmt::format("process {}: out of memory in cpl_lb_terminate: no results", t.rank());
        code_ = CPL_LB_ENOMEM;
    } catch (const std::exception &e) {
        failure = fmt::format("process {}: {}: no results", t.rank(), e.what());
        code_ = CPL_LB_EINTERNAL;
    }
    if (!failure.empty()) {
        // The others must not wait for this process. Those that were told need not tell again.
        if (!t.distressed()) t.send_distress();
        if (!t.distressed() || present_.empty() || present_.front() == t.rank()) tell(failure);
        if (code_ == 0) code_ = t.timed_out() ? CPL_LB_ETIMEOUT : CPL_LB_EMPI;
    }
    t.stop_watching();
    return code_;
}

std::string Termination::failure_in_words() const {
    const Transport &t = r_.transport_;
    if (t.distressed()) return "another process could not go on in cpl_lb_terminate: the results are not complete";
    if (t.timed_out()) {
        return fmt::format("process {}: another process stopped answering in cpl_lb_terminate: its results are not "
                           "complete",
                           t.rank());
    }
    return fmt::format("process {}: cpl_lb_terminate: {}", t.rank(), t.first_error());
}

// False: a message failed.
bool Termination::work() {
    decode_marks();
    if (!take_part()) return true; // which has said why
    Group present(r_.transport_, present_);
    bool good = agree_on_clock(present) && agree_on_names(present) && gather_components();
    if (good && !r_.transport_.first_error().empty())
        problem(CPL_LB_EMPI, "MPI reported an error, but its message came: " + r_.transport_.first_error());
    good = good && report(present);
    if (r_.settings_.spool) end_spool(present);
    return good;
}

// The files go when everything that they hold is in the results.
void Termination::end_spool(Group &present) {
    std::int32_t keep = results_lost_ || !meeting_.missing.empty() ? 1 : 0;
    const auto either = [](std::int32_t &mine, std::int32_t theirs) { mine |= theirs; };
    const bool agreed = !r_.transport_.failed() && present.reduce(std::span(&keep, 1), either) &&
                        present.broadcast(as_wire_out(keep));
    r_.end_spool(agreed && keep == 0);
    if (present.leads() && (!agreed || keep != 0)) {
        tell(fmt::format("the spool files in {} are kept: cpl-lb recover makes results of them",
                         r_.settings_.spool_directory));
    }
}

void Termination::problem(int code, std::string cause, std::int64_t count) {
    if (code_ == 0) code_ = code;
    problems_.push_back({std::move(cause), count, 1, r_.transport_.rank(), code});
}

void Termination::decode_marks() {
    if (!problems_.empty()) code_ = problems_.front().code;
    if (foreign_calls_ > 0)
        problem(CPL_LB_ETHREAD, "calls from threads other than that of cpl_lb_init, not recorded", foreign_calls_);
    component_names_ = {r_.component_};
    fields_.resize(1);
    decoded_.components.resize(1);
    try {
        if (r_.recorder_ != nullptr) decode_recorder(*r_.recorder_);
    } catch (const std::bad_alloc &) {
        // The others must not suffer: this process takes part with no events.
        problem(CPL_LB_ENOMEM, "no memory to read the events: they are lost");
        component_names_ = {r_.component_};
        fields_.assign(1, {});
        decoded_ = {};
        decoded_.components.resize(1);
    }
    if (r_.annotations_) r_.annotations_->finish();
    facts_.clear();
    for (std::size_t c = 0; c < component_names_.size(); ++c)
        facts_.push_back(local_facts(c));
}

DecodeInput Termination::decode_input(Recorder &recorder) const {
    DecodeInput input;
    input.chunks = recorder.store().chunk_count();
    input.chunk = [&](std::size_t i) { return recorder.store().chunk(i); };
    input.done_with = [&](std::size_t i) { recorder.store().release(i); };
    input.scale = scale_;
    input.components = component_names_.size();
    input.fields = static_cast<std::uint32_t>(fields_.size());
    input.close_ticks = arrival_.ticks;
    input.full = recorder.full();
    input.times_may_stay = true;
    input.list_open_at_end = false;
    input.most_events = Recording::most_events(r_.memory_bound());
    return input;
}

void Termination::decode_recorder(Recorder &recorder) {
    component_names_ = recorder.components();
    fields_ = recorder.fields();
    decoded_ = decode(decode_input(recorder));
    note_recording_problems(recorder.problems());
    note_decoding_problems(decoded_.problems);
    if (recorder.first_drop_ticks() != 0)
        decoded_.first_dropped = std::min(decoded_.first_dropped, scale_.to_ns(recorder.first_drop_ticks()));
}

// False: the others went on without this process, or nobody came.
bool Termination::take_part() {
    const Nanoseconds arrival = arrival_.monotonic_ns + r_.first_offset_.offset;
    meeting_ = meet(r_.transport_, r_.layout_, arrival, r_.first_offset_.offset);
    if (meeting_.held && meeting_.includes_me) {
        present_ = meeting_.present;
        if (!meeting_.missing.empty() && present_.front() == r_.transport_.rank()) {
            problem(
                CPL_LB_ETIMEOUT,
                fmt::format("{} of {} processes did not come to cpl_lb_terminate within {} s ({}): the results are "
                            "without them",
                            meeting_.missing.size(), r_.layout_.size(), r_.settings_.timeout_s,
                            missing_in_words(meeting_, r_.layout_)));
        }
        return true;
    }
    code_ = CPL_LB_ETIMEOUT;
    // One line for each component is enough.
    const auto component = r_.layout_.component_of_rank[static_cast<std::size_t>(r_.transport_.rank())];
    if (r_.layout_.lowest_rank_of_component(component) == r_.transport_.rank()) {
        tell(meeting_.held
                 ? fmt::format("{} came to cpl_lb_terminate too late: the others went on without it", r_.component_)
                 : fmt::format("{}: the other processes did not come to cpl_lb_terminate within {} s: no "
                               "results",
                               r_.component_, r_.settings_.timeout_s));
    }
    return false;
}

CatalogueEntry Termination::entry_of(std::size_t component, LocalWhat what) const {
    const std::uint32_t f = field_of(what);
    CatalogueEntry e{component_names_[component], kind_of(what), fields_[f].name, fields_[f].counterpart};
    if (f != 0 && e.field.empty()) e.field = fmt::format("(field {})", f); // its name never became known
    return e;
}

std::vector<CatalogueEntry> Termination::local_entries() const {
    std::vector<CatalogueEntry> entries;
    for (std::size_t c = 0; c < component_names_.size(); ++c) {
        for (const LocalWhat what : decoded_.components[c].distinct)
            entries.push_back(entry_of(c, what));
        entries.push_back({component_names_[c], Kind::term, {}, {}});
    }
    return entries;
}

bool Termination::agree_on_names(Group &present) {
    Bytes id;
    if (present.leads()) {
        run_id_ = r_.run_id();
        prepare_folder();
        WireWriter out;
        out.put(run_id_);
        out.put(std::int32_t{results_lost_ ? 1 : 0});
        out.put(r_.settings_.directory);
        out.put(probe_token_);
        id = out.take();
    }
    if (!present.broadcast_all(id)) return false;
    WireReader in(id);
    run_id_ = in.get_text();
    no_directory_ = in.get<std::int32_t>() != 0;
    r_.settings_.directory = in.get_text();
    probe_token_ = in.get_text();
    return agree_on_catalogue(present, component_names_, local_entries(), catalogue_);
}

// Takes the decoded events: they are converted in place.
LocalEvents Termination::local_events(std::size_t component) {
    LocalTimeline timeline = std::exchange(decoded_.components[component], {});
    LocalEvents events;
    events.dated = timeline.dated || timeline.size() == 0;
    events.end_order = timeline.end_order;
    events.dates = std::move(timeline.dates);
    events.dates.push_back({timeline.size(), no_date});
    events.place = std::move(timeline.place);
    events.order = timeline.order;
    for (const LocalWhat what : timeline.distinct)
        events.class_of_place.push_back(catalogue_.class_of(entry_of(component, what)));
    if (timeline.times_in_marks) {
        events.times_in_marks = [this](const TakeTimes &take) { times_from_marks(take); };
        events.release_marks = [this] {
            MarkStore &store = r_.recorder_->store();
            for (std::size_t i = 0; i < store.chunk_count(); ++i)
                store.release(i);
        };
    } else {
        events.start = std::move(timeline.start);
        events.stop = std::move(timeline.stop);
        for (std::vector<Nanoseconds> *times : {&events.start, &events.stop})
            clock_.to_common(*times, -zero_);
    }
    const Nanoseconds entry = to_run_time(r_.first_point_.monotonic_ns);
    const Nanoseconds arrival = to_run_time(arrival_.monotonic_ns);
    for (const Interval &a : timeline.away) {
        const bool from_start = a.start < r_.first_point_.monotonic_ns;
        events.away.push_back({from_start ? entry : to_run_time(a.start), to_run_time(a.stop)});
    }
    const auto term = static_cast<std::uint32_t>(events.class_of_place.size());
    events.class_of_place.push_back(catalogue_.class_of({component_names_[component], Kind::term, {}, {}}));
    events.place.push_back(term);
    events.order.add(term);
    if (timeline.times_in_marks) return events; // which gives TERM, too
    events.start.push_back(arrival);
    events.stop.push_back(latest_arrival_);
    return events;
}

void Termination::times_from_marks(const TakeTimes &take) const {
    DecodeInput input = decode_input(*r_.recorder_);
    const std::optional<std::int64_t> offset = clock_.one_offset();
    if (offset) input.scale = scale_.ahead(*offset - zero_);
    std::size_t events = 0;
    const auto take_block = [&](std::size_t first, std::span<Nanoseconds> start, std::span<Nanoseconds> stop) {
        for (const std::span<Nanoseconds> times : {start, stop})
            if (!offset) clock_.to_common(times, -zero_);
        take(first, start, stop);
        events = first + start.size();
    };
    for_each_block_of_times(input, take_block);
    Nanoseconds arrival = to_run_time(arrival_.monotonic_ns);
    Nanoseconds latest = latest_arrival_;
    take(events, {&arrival, 1}, {&latest, 1});
}

// Times are set in gather_component, when the run's zero is known.
ComponentFacts Termination::local_facts(std::size_t component) const {
    ComponentFacts facts;
    if (component == 0) facts.dropped_events = decoded_.problems.dropped;
    if (r_.recorder_ == nullptr) return facts;
    if (const auto given = r_.properties_.find(component_names_[component]); given != r_.properties_.end())
        facts.properties = given->second;
    if (component != 0) return facts;
    facts.dropped_events += r_.recorder_->problems().dropped;
    const std::vector<RegionTimer> &timers = r_.recorder_->regions().timers();
    for (std::size_t i = 0; i < timers.size(); ++i) {
        const RegionTimer &t = timers[i];
        if (t.calls == 0) continue;
        const double seconds = to_seconds(scale_.length_ns(t.total_at(arrival_.ticks)));
        facts.regions.push_back({t.name, t.calls, 1, seconds, seconds, seconds, region_meters(t)});
        if (r_.annotations_) facts.regions.back().annotations = r_.annotations_->of_region(static_cast<int>(i) + 1);
    }
    if (r_.annotations_) facts.parameters = r_.annotations_->parameters();
    enter_control_flow(facts);
    return facts;
}

void Termination::enter_control_flow(ComponentFacts &facts) const {
    const RegionFlow *flow = r_.recorder_->regions().flow();
    if (flow == nullptr) return;
    const std::vector<RegionTimer> &timers = r_.recorder_->regions().timers();
    const auto name = [&](int region) {
        return region == 0 ? std::string() : timers[static_cast<std::size_t>(region) - 1].name;
    };
    for (const RegionFlow::Edge &edge : flow->edges())
        facts.control_flow.push_back({name(edge.from), name(edge.to), edge.times});
}

bool Termination::gather_components() {
    for (std::size_t i = 0; i < catalogue_.members.size(); ++i) {
        const auto at = std::find(component_names_.begin(), component_names_.end(), catalogue_.component_names[i]);
        if (at == component_names_.end()) continue;
        const auto local = static_cast<std::size_t>(at - component_names_.begin());
        if (!gather_component(static_cast<std::int32_t>(i) + 1, local)) return false;
    }
    return true;
}

bool Termination::gather_component(std::int32_t id, std::size_t local_index) {
    Group group(r_.transport_, catalogue_.members[static_cast<std::size_t>(id) - 1]);
    ComponentFacts facts = facts_[local_index];
    facts.first_init = to_run_time(r_.first_point_.monotonic_ns);
    facts.last_terminate = to_run_time(arrival_.monotonic_ns);
    if (decoded_.first_dropped != std::numeric_limits<Nanoseconds>::max())
        facts.window_last = to_run_time(decoded_.first_dropped);
    if (decoded_.slice.stop > decoded_.slice.start) {
        facts.window_first = to_run_time(decoded_.slice.start);
        facts.window_last = std::min(facts.window_last, to_run_time(decoded_.slice.stop));
    }
    if (!agree_on_facts(group, facts)) return false;
    for (const std::string &name : facts.disagreements) {
        if (group.leads()) {
            problem(CPL_LB_EDATA,
                    fmt::format("processes of {} disagree about its {}", component_names_[local_index], name));
        }
    }
    ComponentInput input;
    input.catalogue = &catalogue_;
    input.id = id;
    input.run = {facts.first_init, facts.last_terminate};
    input.run_end = latest_arrival_;
    input.limits = {facts.window_first, facts.window_last};
    for (const int rank : group.ranks())
        input.nodes.push_back(r_.layout_.node_of_rank[static_cast<std::size_t>(rank)]);
    input.most_events = Recording::most_united_events(r_.memory_bound());
    ComponentGather gather(group, input, local_events(local_index));
    if (!gather.agree_on_events()) return false;
    const std::int64_t left_out = gather.figures().left_out;
    if (group.leads() && left_out > 0) problem(CPL_LB_EDROPPED, dropped_in_words(), left_out);
    Component component;
    component.name = catalogue_.component_names[static_cast<std::size_t>(id) - 1];
    component.id = id;
    component.ranks = catalogue_.members[static_cast<std::size_t>(id) - 1];
    if (!gather_clock_bounds(group, component.clock_error_bounds_s)) return false;
    component.threads = r_.layout_.threads_of_rank[static_cast<std::size_t>(component.ranks.front())];
    component.first_init = facts.first_init;
    component.last_terminate = facts.last_terminate;
    component.dropped_events = facts.dropped_events + left_out;
    component.window_first = facts.window_first;
    component.window_last = std::min(facts.window_last, gather.figures().events_end);
    component.properties = facts.properties;
    component.regions = facts.regions;
    component.parameters = facts.parameters;
    component.control_flow = facts.control_flow;
    if (!gather_and_write(gather, group, component)) return false;
    if (!group.leads()) return true;
    component.events = static_cast<std::int64_t>(gather.figures().table.keys.size());
    component.table = std::move(gather.figures().table);
    component.balance = std::move(gather.figures().balance);
    component.away = std::move(gather.figures().away.times);
    component.away_differs = gather.figures().away.differ;
    mine_.push_back(std::move(component));
    return !r_.transport_.failed();
}

} // namespace cpl_lb
