// Decodes the recorder's marks; a process that has no memory for that goes on without events.
#include "run/live/steps/decode_record.hpp"

#include "data/error_codes.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <new>
#include <span>

namespace cpl_lb {
namespace {

DecodedRecord without_events(const ProcessRecord &record) {
    DecodedRecord decoded;
    decoded.component_names = {record.component};
    decoded.fields.resize(1);
    decoded.process.components.resize(1);
    return decoded;
}

DecodedRecord decode_recorder(const ProcessRecord &record, ProblemList &problems) {
    const Recorder &recorder = *record.recorder;
    DecodedRecord decoded;
    decoded.component_names = recorder.components();
    decoded.fields = recorder.fields();
    decoded.process = decode(decode_input(record, decoded));
    note_recording_problems(record, decoded.process, problems);
    note_decoding_problems(decoded.process.problems, decoded.fields, problems);
    if (recorder.first_drop_ticks() != 0)
        decoded.process.first_dropped =
            std::min(decoded.process.first_dropped, record.scale.to_ns(recorder.first_drop_ticks()));
    return decoded;
}

DecodedRecord decode_if_possible(ProcessRecord &record, ProblemList &problems) {
    if (record.recorder == nullptr) return without_events(record);
    try {
        return decode_recorder(record, problems);
    } catch (const std::bad_alloc &) {
        record.reserve.give_back(); // the others count on the rest
        problems.add(error::memory, "no memory to read the events: they are lost");
        return without_events(record);
    }
}

RegionMeters region_meters(const ProcessMeters *meters, const RegionTimer &timer, const Regions &regions) {
    RegionMeters m;
    if (regions.counts_messages()) {
        const SentMessages sent = regions.messages_in(timer);
        m.messages.add(static_cast<double>(sent.count));
        m.message_B.add(static_cast<double>(sent.bytes));
    }
    if (meters == nullptr) return m;
    const std::span<const Quantity> counters = meters->counter_quantities();
    for (std::size_t i = 0; i < std::min(counters.size(), timer.counts.size()); ++i) {
        NamedSpread &one = m.counters.emplace_back();
        one.name = counters[i].name;
        one.why_missing = counters[i].why_missing;
        one.over.add(timer.counts[i]);
    }
    if (meters->energy() != nullptr) m.energy_J.add(timer.energy_J);
    m.memory_calls = timer.memory_calls;
    if (timer.memory_calls > 0) m.memory_B.add(timer.change_B);
    return m;
}

void enter_regions(const ProcessRecord &record, ComponentFacts &facts) {
    const Regions &regions = record.recorder->regions();
    const std::vector<RegionTimer> &timers = regions.timers();
    for (std::size_t i = 0; i < timers.size(); ++i) {
        const RegionTimer &t = timers[i];
        if (t.calls == 0) continue;
        const double seconds = to_seconds(record.scale.length_ns(t.total_at(record.arrival.ticks)));
        facts.regions.push_back({t.name, t.calls, 1, seconds, seconds, seconds, record.rank(),
                                 region_meters(record.meters.get(), t, regions)});
        if (record.annotations)
            facts.regions.back().annotations = record.annotations->of_region(static_cast<int>(i) + 1);
    }
}

void enter_control_flow(const ProcessRecord &record, ComponentFacts &facts) {
    const RegionFlow *flow = record.recorder->regions().flow();
    if (flow == nullptr) return;
    const std::vector<RegionTimer> &timers = record.recorder->regions().timers();
    const auto name = [&](int region) {
        return region == 0 ? std::string() : timers[static_cast<std::size_t>(region) - 1].name;
    };
    for (const RegionFlow::Edge &edge : flow->edges())
        facts.control_flow.push_back({name(edge.from), name(edge.to), edge.times});
}

void note_calls(const RecordingProblems &p, ProblemList &problems) {
    const auto note = [&](std::int64_t calls, int code, std::string cause) {
        if (calls > 0) problems.add(code, std::move(cause), calls);
    };
    note(p.unknown_kind, error::argument,
         fmt::format("cpl_lb_begin or _end with unknown kind {}: ignored", p.first_bad_kind));
    note(p.unknown_field, error::argument,
         fmt::format("cpl_lb_begin or _end with unknown field {}: ignored", p.first_bad_field));
    note(p.unknown_region, error::argument, "unknown region: ignored");
    note(p.region_order, error::order, "cpl_lb_region_end without begin: ignored");
    note(p.too_deep, error::argument,
         fmt::format("cpl_lb_component_begin inside {} others: ignored", Recorder::deepest));
    note(p.component_order, error::order, "cpl_lb_component_end without begin: ignored");
}

void note_lost_events(const ProcessRecord &record, std::int64_t dropped, ProblemList &problems) {
    const RecordingProblems &p = record.recorder->problems();
    if (p.out_of_memory > 0) {
        problems.add(error::memory, "no more memory for events: the later ones are dropped",
                     std::max<std::int64_t>(dropped, 1));
    } else if (dropped > 0) {
        problems.add(error::dropped, dropped_in_words(record.memory_bound_B), dropped);
    }
    if (record.recorder->store().first_source().file_is_gone()) {
        problems.add(error::io,
                     "the spool file was removed while the run went on (is the folder cleaned up?): the results "
                     "are whole, but a crash would have left nothing");
    } else if (p.spool_failed > 0) {
        problems.add(error::io, "the spool could not grow: events went to memory instead");
    }
}

// The figures hold for what is recorded: no errors.
void note_what_is_not_recorded(const ProcessRecord &record, ProblemList &problems) {
    constexpr double worth_telling = 0.01; // of the run
    const RecordingProblems &p = record.recorder->problems();
    const auto remark = [&](std::int64_t calls, double seconds, std::string cause) {
        if (calls > 0) problems.remark({std::move(cause), calls, 1, record.rank(), 0, seconds});
    };
    remark(p.elsewhere, p.elsewhere_s, say(Sentence::remark_other_threads));
    // Nobody knows when such a call was left.
    remark(p.left_calls, 0,
           "a call of MPI was left by a jump (longjmp): its time counts as computing, and calls after it may be "
           "missing");
    const double run_s = 1e-9 * static_cast<double>(record.arrival.monotonic_ns - record.first_point.monotonic_ns);
    const double share =
        static_cast<double>(p.balance_ticks) / static_cast<double>(record.arrival.ticks - record.first_point.ticks);
    if (!(share >= worth_telling)) return;
    remark(p.balance_calls, share * run_s,
           "the time of cpl_lb_balance_now, in which processes wait for each other, is 1 % of the run or more, and "
           "counts as computing");
}

void note_empty_slice(const ProcessRecord &record, const Interval &slice, ProblemList &problems) {
    if (!record.recorder->dated()) {
        problems.add(error::data,
                     "nn_date_first or nn_date_last is set, but the model gave no dates: nothing recorded");
    } else if (slice.stop <= slice.start) {
        problems.add(error::data, fmt::format("no date that the model gave lies in the slice, {} (nn_date_first, "
                                              "nn_date_last): nothing recorded",
                                              slice_in_words(record.settings)));
    }
}

std::string describe(LocalWhat what, const std::vector<LocalField> &fields) {
    const std::string &name = fields[field_of(what)].name;
    return std::string(name_of(kind_of(what))) + (name.empty() ? std::string() : " of field '" + name + "'");
}

} // namespace

DecodeInput decode_input(const ProcessRecord &record, const DecodedRecord &decoded) {
    Recorder &recorder = *record.recorder;
    DecodeInput input;
    input.chunks = recorder.store().chunk_count();
    input.chunk = [&](std::size_t i) { return recorder.store().chunk(i); };
    input.done_with = [&](std::size_t i) { recorder.store().release(i); };
    input.scale = record.scale;
    input.components = decoded.component_names.size();
    input.fields = static_cast<std::uint32_t>(decoded.fields.size());
    input.close_ticks = record.arrival.ticks;
    input.full = recorder.full();
    input.times_may_stay = true;
    input.list_open_at_end = false;
    input.most_events = record.most_decoded_events();
    return input;
}

DecodedRecord decode_record(ProcessRecord &record, ProblemList &problems) {
    if (record.foreign_calls > 0) {
        problems.add(error::thread, "calls from threads other than that of cpl_lb_init, not recorded",
                     record.foreign_calls);
    }
    DecodedRecord decoded = decode_if_possible(record, problems);
    if (record.annotations) record.annotations->finish();
    for (std::size_t c = 0; c < decoded.component_names.size(); ++c)
        decoded.facts.push_back(local_facts(record, decoded, c));
    return decoded;
}

ComponentFacts local_facts(const ProcessRecord &record, const DecodedRecord &decoded, std::size_t component) {
    ComponentFacts facts;
    if (component == 0) facts.dropped_events = decoded.process.problems.dropped;
    if (record.recorder == nullptr) return facts;
    facts.mpi_recorded = record.recorder->inside().used() ? 1 : 0;
    const std::string &name = decoded.component_names[component];
    if (const auto given = record.properties.find(name); given != record.properties.end())
        facts.properties = given->second;
    if (component != 0) return facts;
    facts.dropped_events += record.recorder->problems().dropped;
    enter_regions(record, facts);
    if (record.annotations) facts.parameters = record.annotations->parameters();
    enter_control_flow(record, facts);
    return facts;
}

void note_recording_problems(const ProcessRecord &record, const DecodedProcess &decoded, ProblemList &problems) {
    const RecordingProblems &p = record.recorder->problems();
    note_calls(p, problems);
    note_lost_events(record, p.dropped + decoded.problems.dropped, problems);
    if (p.nameless > 0) {
        problems.add(error::dropped,
                     fmt::format("a new name of a field, region or component came when the memory for names was full "
                                 "({} MiB, nn_max_mb): such regions and components are together in '{}', such fields "
                                 "have no name",
                                 record.memory_bound_B >> 20U, Recorder::further_names),
                     p.nameless);
    }
    note_what_is_not_recorded(record, problems);
    if (record.settings.sliced()) note_empty_slice(record, decoded.slice, problems);
}

bool is_of_other_threads(const Problem &problem) {
    return problem.cause == say(Sentence::remark_other_threads);
}

void note_decoding_problems(const DecodeProblems &p, const std::vector<LocalField> &fields, ProblemList &problems) {
    if (p.end_without_begin > 0) {
        problems.add(error::order,
                     "cpl_lb_end without begin, for example " + describe(p.first_end_without_begin, fields) +
                         ": ignored",
                     p.end_without_begin);
    }
    if (p.forgotten_end > 0) {
        problems.add(error::order,
                     "cpl_lb_begin without end, for example " + describe(p.first_forgotten_end, fields) +
                         ": closed at terminate",
                     p.forgotten_end);
    }
}

std::string dropped_in_words(std::size_t memory_bound_B) {
    return fmt::format(
        "an event was dropped, because the memory bound of {} MiB (nn_max_mb) was reached: the figures "
        "end there",
        memory_bound_B >> 20U);
}

std::string slice_in_words(const Settings &s) {
    return s.date_last_s < 0 ? fmt::format("from {} s to the end", s.date_first_s)
                             : fmt::format("{} s to {} s", s.date_first_s, s.date_last_s);
}

} // namespace cpl_lb
