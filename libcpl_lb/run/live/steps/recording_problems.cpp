// Puts the recorder's and the decoder's counts of what went wrong into words.
#include "run/live/steps/recording_problems.hpp"

#include "data/error_codes.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

void note_wrong_calls(const RecordingProblems &p, ProblemList &problems) {
    if (p.unknown_kind > 0) {
        problems.add(error::argument,
                     fmt::format("cpl_lb_begin or _end with unknown kind {}: ignored", p.first_bad_kind),
                     p.unknown_kind);
    }
    if (p.unknown_field > 0) {
        problems.add(error::argument,
                     fmt::format("cpl_lb_begin or _end with unknown field {}: ignored", p.first_bad_field),
                     p.unknown_field);
    }
    if (p.unknown_region > 0) problems.add(error::argument, "unknown region: ignored", p.unknown_region);
    if (p.region_order > 0) problems.add(error::order, "cpl_lb_region_end without begin: ignored", p.region_order);
    if (p.component_order > 0)
        problems.add(error::order, "cpl_lb_component_end without begin: ignored", p.component_order);
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

// The figures hold for the thread that is recorded: no error.
void note_other_threads(const ProcessRecord &record, ProblemList &problems) {
    const RecordingProblems &p = record.recorder->problems();
    if (p.elsewhere > 0)
        problems.remark(
            {say(Sentence::remark_other_threads), p.elsewhere, 1, record.transport->rank(), 0, p.elsewhere_s});
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

void note_recording_problems(const ProcessRecord &record, const DecodedProcess &decoded, ProblemList &problems) {
    const RecordingProblems &p = record.recorder->problems();
    note_wrong_calls(p, problems);
    note_lost_events(record, p.dropped + decoded.problems.dropped, problems);
    note_other_threads(record, problems);
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
