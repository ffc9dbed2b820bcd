// What went wrong while the model ran, in words.
#include "cpl_lb/cpl_lb.h"
#include "termination.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cpl_lb {

void Termination::note_recording_problems(const RecordingProblems &p) {
    if (p.unknown_kind > 0) {
        problem(CPL_LB_EARGUMENT, fmt::format("cpl_lb_begin or _end with unknown kind {}: ignored", p.first_bad_kind),
                p.unknown_kind);
    }
    if (p.unknown_field > 0) {
        problem(CPL_LB_EARGUMENT,
                fmt::format("cpl_lb_begin or _end with unknown field {}: ignored", p.first_bad_field),
                p.unknown_field);
    }
    if (p.unknown_region > 0) problem(CPL_LB_EARGUMENT, "unknown region: ignored", p.unknown_region);
    if (p.region_order > 0) problem(CPL_LB_EORDER, "cpl_lb_region_end without begin: ignored", p.region_order);
    if (p.component_order > 0)
        problem(CPL_LB_EORDER, "cpl_lb_component_end without begin: ignored", p.component_order);
    const std::int64_t dropped = p.dropped + decoded_.problems.dropped;
    if (p.out_of_memory > 0) {
        problem(CPL_LB_ENOMEM, "no more memory for events: the later ones are dropped",
                std::max<std::int64_t>(dropped, 1));
    } else if (dropped > 0) {
        problem(CPL_LB_EDROPPED, dropped_in_words(), dropped);
    }
    if (r_.recorder_->store().first_source().file_is_gone()) {
        problem(CPL_LB_EIO,
                "the spool file was removed while the run went on (is the folder cleaned up?): the results "
                "are whole, but a crash would have left nothing");
    } else if (p.spool_failed > 0) {
        problem(CPL_LB_EIO, "the spool could not grow: events went to memory instead");
    }
    if (!r_.settings_.sliced()) return;
    if (!r_.recorder_->dated()) {
        problem(CPL_LB_EDATA, "nn_date_first or nn_date_last is set, but the model gave no dates: nothing recorded");
    } else if (decoded_.slice.stop <= decoded_.slice.start) {
        problem(CPL_LB_EDATA, fmt::format("no date that the model gave lies in the slice, {} (nn_date_first, "
                                          "nn_date_last): nothing recorded",
                                          slice_in_words()));
    }
}

std::string Termination::dropped_in_words() const {
    return fmt::format(
        "an event was dropped, because the memory bound of {} MiB (nn_max_mb) was reached: the figures "
        "end there",
        r_.memory_bound() >> 20U);
}

std::string Termination::slice_in_words() const {
    const Settings &s = r_.settings_;
    return s.date_last_s < 0 ? fmt::format("from {} s to the end", s.date_first_s)
                             : fmt::format("{} s to {} s", s.date_first_s, s.date_last_s);
}

std::string Termination::describe(LocalWhat what) const {
    const std::string &name = fields_[field_of(what)].name;
    return std::string(name_of(kind_of(what))) + (name.empty() ? std::string() : " of field '" + name + "'");
}

void Termination::note_decoding_problems(const DecodeProblems &p) {
    if (p.end_without_begin > 0) {
        problem(CPL_LB_EORDER,
                "cpl_lb_end without begin, for example " + describe(p.first_end_without_begin) + ": ignored",
                p.end_without_begin);
    }
    if (p.forgotten_end > 0) {
        problem(CPL_LB_EORDER,
                "cpl_lb_begin without end, for example " + describe(p.first_forgotten_end) + ": closed at terminate",
                p.forgotten_end);
    }
}

} // namespace cpl_lb
