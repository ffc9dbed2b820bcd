// The steps of cpl_lb_terminate in their order (docs/architecture.md, "At terminate"). Each is a function in its own
// file in steps/; it returns what it finds out, and adds what goes wrong to the list of problems.
#include "run/live/process_record.hpp"

#include "data/error_codes.hpp"
#include "run/live/steps/collect_components.hpp"
#include "run/live/steps/decode_record.hpp"
#include "run/live/steps/gather_components.hpp"
#include "run/live/steps/one_clock.hpp"
#include "run/live/steps/one_list.hpp"
#include "run/live/steps/output_folder.hpp"
#include "run/live/steps/own_meters.hpp"
#include "run/live/steps/tie_messages.hpp"
#include "run/live/steps/write_results.hpp"
#include "support/fmt.hpp"
#include "support/held_up.hpp"
#include "support/messages.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <exception>
#include <new>

namespace cpl_lb {
namespace {

// Each timeline names all components. So many files of them would keep the model at its end for long.
void leave_out_too_many_timelines(ProcessRecord &record, const Agreed &agreed, ProblemList &problems) {
    constexpr std::size_t most = 512;
    const std::size_t components = agreed.catalogue.component_names.size();
    if (!record.settings.timeline || record.settings.timeline_given || components <= most) return;
    record.settings.timeline = false;
    if (agreed.present.front() != record.rank()) return;
    problems.remark(fmt::format("no timelines of {} components, which are more than {}: ln_timeline = .true. in the "
                                "namelist writes them all the same",
                                components, most));
}

// Gives the folder up. If it does not answer, the claim ends with this process, because its lock does.
void release(std::shared_ptr<FolderClaim> &claim) {
    if (!claim) return;
    try {
        static_cast<void>(done_within(least_patience_s, [last = std::move(claim)]() mutable { last.reset(); }));
    } catch (const std::exception &) { // no memory for a thread: it has been given up here
        claim.reset();
    }
}

void report(Group &present, ProcessRecord &record, const DecodedRecord &decoded, Agreed &agreed, LedComponents led,
            ProblemList &problems) {
    CollectedComponents all = collect_components(present, record, agreed, led);
    bring_timelines(record, agreed, led.timelines, all.timelines, problems);
    const GatheredMeters meters = gather_all_meters(present, record, agreed, decoded.component_names, all.components);
    std::vector<Problem> of_all = problems.all();
    tally_problems(present, of_all);
    if (!present.leads()) return;
    assemble_and_write(std::move(all), meters, of_all, record, agreed, problems);
    release(record.claim);
}

void from_clock_to_report(Group &present, ProcessRecord &record, DecodedRecord &decoded, ProblemList &problems) {
    tie_messages(present, record, decoded, problems);
    Agreed agreed{present.ranks(), agree_on_clock(present, record, problems),
                  agree_on_folder(present, record, problems), agree_on_names(present, decoded)};
    leave_out_too_many_timelines(record, agreed, problems);
    LedComponents led = gather_components(record, decoded, agreed, problems);
    if (const std::string &error = record.transport->first_error(); !error.empty())
        problems.add(error::mpi, "MPI reported an error, but the message arrived: " + error);
    report(present, record, decoded, agreed, std::move(led), problems);
}

// meeting: who came; it is also needed to report an exception. False: a message failed. This is the only place where
// that ends terminate: the steps just stop.
bool all_steps(ProcessRecord &record, Meeting &meeting, ProblemList &problems) {
    DecodedRecord decoded = decode_record(record, problems);
    meeting = take_part(record, problems);
    if (meeting.present.empty()) return true; // which has said why
    Group present(*record.transport, meeting.present);
    bool good = true;
    try {
        from_clock_to_report(present, record, decoded, problems);
    } catch (const MessageFailed &) {
        good = false;
    }
    end_spool(present, record, problems.results_lost() || !meeting.missing.empty());
    return good;
}

// The others wait no longer than rn_timeout for a process that waits for its files.
bool came_late_for_its_files(const Transport &t) {
    return (t.distressed() || t.timed_out()) && HeldUp::longest_s() > std::max(t.timeout_s() / 2, least_patience_s);
}

std::string failure_in_words(const ProcessRecord &record) {
    const Transport &t = *record.transport;
    if (came_late_for_its_files(t)) {
        return fmt::format("process {}: its files in the folder {} took {:.3g} s in cpl_lb_terminate, and the others "
                           "did not wait so long: the results are not complete",
                           t.rank(), record.settings.directory, HeldUp::longest_s());
    }
    if (t.distressed()) return "another process could not go on in cpl_lb_terminate: the results are not complete";
    if (t.timed_out()) {
        return fmt::format("process {}: another process stopped answering in cpl_lb_terminate: its results are not "
                           "complete",
                           t.rank());
    }
    return fmt::format("process {}: cpl_lb_terminate: {}", t.rank(), t.first_error());
}

// After an exception here.
const char *results_in_words(const Transport &t) {
    return t.was_heard() ? "no results" : "the results are without it";
}

// Why there are no results, in words; empty: there are.
std::string try_all_steps(ProcessRecord &record, Meeting &meeting, ProblemList &problems) {
    Transport &t = *record.transport;
    try {
        t.watch_for_distress();
        if (record.recorder == nullptr) record.reserve.give_back(); // its part is small, and needs some memory
        return all_steps(record, meeting, problems) ? std::string() : failure_in_words(record);
    } catch (const std::bad_alloc &) {
        record.reserve.give_back();
        problems.end_with(error::memory);
        return fmt::format("process {}: out of memory in cpl_lb_terminate: {}", t.rank(), results_in_words(t));
    } catch (const std::exception &e) {
        problems.end_with(error::internal);
        return fmt::format("process {}: {}: {}", t.rank(), e.what(), results_in_words(t));
    }
}

} // namespace

int terminate(ProcessRecord record) {
    Transport &t = *record.transport;
    ProblemList problems(t.rank(), std::move(record.problems));
    Meeting meeting;
    const std::string failure = try_all_steps(record, meeting, problems);
    if (!failure.empty()) {
        // The others must not wait for this process. It need not tell them if another process has done so, or if it
        // has sent nothing: for them it then did not come.
        if (!t.distressed() && t.was_heard()) t.send_distress();
        const bool late = came_late_for_its_files(t);
        if (late || !t.distressed() || meeting.present.empty() || meeting.present.front() == t.rank()) tell(failure);
        problems.note(late ? error::io : t.timed_out() ? error::timeout : error::mpi);
    }
    release(record.claim);
    t.stop_watching();
    return problems.code();
}

} // namespace cpl_lb
