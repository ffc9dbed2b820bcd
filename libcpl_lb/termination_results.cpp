// The part of cpl_lb_terminate that writes: timelines on the component masters, the summary on the root.
#include "termination.hpp"

#include "analysis/batch_system.hpp"
#include "analysis/cpmip.hpp"
#include "analysis/exchanges.hpp"
#include "cpl_lb/cpl_lb.h"
#include "gather/component_report.hpp"
#include "io/file_error.hpp"
#include "io/folder_claim.hpp"
#include "io/info_json.hpp"
#include "io/result_file.hpp"
#include "io/settings_time.hpp"
#include "io/timeline_writer.hpp"
#include "messages.hpp"
#include "prediction/run_balance.hpp"
#include "projection/assertions/check.hpp"
#include "readers/platform.hpp"
#include "report/screen_summary.hpp"
#include "report/text_summary.hpp"
#include "standard_streams.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr int report_tag = 17;

// After a failure the rows are still taken, or their senders would wait.
class TimelineSink final : public RowSink {
public:
    // bound: nn_max_mb in bytes; a compressed file's two caches take a sixteenth of it.
    TimelineSink(std::string path, TimelineHeader header, bool compress, std::size_t bound)
        : path_(std::move(path)), header_(std::move(header)), compress_(compress),
          cached_values_(std::clamp<std::int64_t>(static_cast<std::int64_t>(bound / 32 / sizeof(double)), 65'536,
                                                  TimelineWriter::most_cached_values)) {}

    void open(EventKeys &keys, std::int64_t away_intervals) override {
        attempt([&] {
            header_.away_intervals = away_intervals;
            std::swap(header_.keys, keys); // not a copy: they are millions
            try {
                writer_.emplace(path_, header_, compress_, cached_values_);
            } catch (...) {
                std::swap(header_.keys, keys);
                throw;
            }
            std::swap(header_.keys, keys);
        });
    }
    void piece(int process, std::size_t first_event, const Row &piece) override {
        attempt([&] {
            if (writer_)
                writer_->write_block(process, 1, static_cast<std::int64_t>(first_event),
                                     static_cast<std::int64_t>(piece.start.size()), piece.start, piece.stop);
        });
    }
    void raster(int process, std::span<const signed char> kinds) override {
        attempt([&] {
            if (writer_) writer_->write_raster(process, kinds);
        });
    }
    void away(int process, std::span<const Interval> intervals) override {
        attempt([&] {
            if (writer_ && !intervals.empty()) writer_->write_away(process, intervals);
        });
    }
    [[nodiscard]] bool good() const override { return error_.empty() && writer_.has_value(); }
    std::optional<RowPlace> hand_over() override {
        std::optional<RowPlace> place;
        attempt([&] {
            if (writer_ && writer_->has_fixed_places()) place = writer_->hand_over();
        });
        return place;
    }
    void fail(const std::string &why) override {
        if (error_.empty()) error_ = why;
        writer_.reset();
    }
    // Empty, or why there is no file. complete: all rows came; balance: then its steps go into the file.
    [[nodiscard]] std::string close(bool complete, const ComponentBalance &balance) {
        if (!complete && error_.empty()) error_ = path_ + ": not written, because rows of some processes are missing";
        attempt([&] {
            if (!writer_ || !error_.empty()) return;
            writer_->write_steps(balance);
            writer_->close();
        });
        writer_.reset();
        return error_;
    }

private:
    template <class Action>
    void attempt(Action action) {
        try {
            action();
        } catch (const std::bad_alloc &) {
            fail(path_ + ": not written: out of memory");
        } catch (const std::exception &e) {
            fail(e.what());
        }
    }
    std::string path_;
    TimelineHeader header_;
    bool compress_;
    std::int64_t cached_values_;
    std::optional<TimelineWriter> writer_;
    std::string error_;
};

} // namespace

TimelineHeader Termination::timeline_header(const Component &component) const {
    TimelineHeader h;
    cpl_lb::describe(h, component);
    for (std::int32_t &rank : h.ranks)
        rank = r_.layout_.in_model(rank);
    h.component_names = catalogue_.component_names;
    h.field_names = catalogue_.field_names;
    h.run_id = run_id_;
    h.run_end = latest_arrival_;
    h.simulated_s = simulated_s_ > 0.0 ? simulated_s_ : unknown;
    h.year_days = r_.settings_.year_days;
    h.clock_error_bound_s = to_seconds(clock_bound_ns_);
    return h;
}

bool Termination::gather_and_write(ComponentGather &gather, const Group &group, const Component &component) {
    if (!group.leads() || !writes_timelines()) return gather.run(writes_timelines(), nullptr);
    const std::vector<std::string> stems = file_stems(catalogue_.component_names);
    TimelinePlace place = place_of_timeline(stems[static_cast<std::size_t>(component.id) - 1]);
    TimelineSink sink(place.path, timeline_header(component), r_.settings_.compress, r_.memory_bound());
    const bool complete = gather.run(true, &sink);
    note_timeline(std::move(place), sink.close(complete, gather.figures().balance));
    return complete;
}

bool Termination::report(Group &present) {
    std::vector<Component> all;
    if (!collect_components(present, all) || !bring_timelines()) return false;
    if (!gather_all_meters(present, all)) return false;
    if (!tally_problems(present, problems_)) return false;
    if (!present.leads()) return true;
    write_results(assemble(std::move(all)));
    r_.claim_.reset();
    return true;
}

// From the masters to the root: figures, and where the timeline is.
bool Termination::collect_components(Group &present, std::vector<Component> &all) {
    const int root = present_.front();
    my_timelines_.resize(mine_.size()); // without timelines: none
    if (!present.leads()) {
        const std::size_t others = std::max<std::size_t>(catalogue_.members.size(), 2) - 1;
        const std::size_t most = Recording::most_exchanges_elsewhere(r_.memory_bound()) / others;
        for (std::size_t i = 0; i < mine_.size(); ++i) {
            if (!r_.transport_.send_all(root, report_tag, pack_component(mine_[i], most)) ||
                !r_.transport_.send(root, report_tag, as_wire(my_timelines_[i].is)))
                return false;
        }
        return true;
    }
    std::size_t next_of_mine = 0;
    for (const auto &members : catalogue_.members) {
        TimelineIs &is = timelines_.emplace_back();
        if (members.front() == root) {
            is = my_timelines_[next_of_mine].is;
            all.push_back(std::move(mine_[next_of_mine++]));
            continue;
        }
        Bytes bytes;
        if (!r_.transport_.receive_all(members.front(), report_tag, bytes) ||
            !r_.transport_.receive(members.front(), report_tag, as_wire_out(is)))
            return false;
        all.push_back(unpack_component(bytes));
    }
    return true;
}

CoupledRun Termination::assemble(std::vector<Component> components) const {
    CoupledRun run;
    run.components = std::move(components);
    run.component_names = catalogue_.component_names;
    run.field_names = catalogue_.field_names;
    run.run.id = run_id_;
    run.run.submitted = r_.settings_.submitted;
    run.run.started = r_.started_;
    run.run.ended = utc_now();
    run.run.wall_s = to_seconds(latest_arrival_);
    run.run.simulated_s = simulated_s_ > 0.0 ? simulated_s_ : unknown;
    run.run.year_days = r_.settings_.year_days;
    run.run.processes = static_cast<std::int64_t>(present_.size());
    const AllocatedCores allocated = allocated_cores([](const char *name) { return std::getenv(name); });
    if (r_.settings_.cores > 0) {
        run.run.cores = r_.settings_.cores;
        run.run.cores_from = "nn_cores";
    } else if (allocated.cores > 0) {
        run.run.cores = allocated.cores;
        run.run.cores_from = allocated.from;
    } else {
        for (const int rank : present_)
            run.run.cores += r_.layout_.threads_of_rank[static_cast<std::size_t>(rank)];
        run.run.cores_from = r_.partial_.empty() ? "processes x threads" : "recorded processes x threads";
    }
    run.clock.error_bound_s = to_seconds(clock_bound_ns_);
    run.clock.nodes = r_.layout_.nodes();
    run.clock.source = r_.clock_source_ == ClockSource::tsc ? "time stamp counter" : "clock_gettime";
    enter_all_meters(run);
    ReaderOptions roots;
    roots.sysfs_root = r_.settings_.sysfs_root;
    roots.procfs_root = r_.settings_.procfs_root;
    run.run.platform_facts = read_platform(roots, [](const char *name) { return std::getenv(name); });
    run.run.platform = platform_text(run.run.platform_facts);
    run.cpmip = cpmip_of(run);
    enter_asypd(run, {unix_seconds_or_unknown(run.run.submitted), unix_seconds_or_unknown(run.run.started),
                      unix_seconds_or_unknown(run.run.ended)});
    for (const Problem &p : problems_)
        run.remarks.push_back(p.text(r_.layout_.size(), r_.layout_.in_model(p.lowest_rank),
                                     r_.layout_.component_name_of(p.lowest_rank)));
    if (std::any_of(run.components.begin(), run.components.end(),
                    [](const Component &c) { return c.table_left_out; })) {
        run.remarks.push_back(
            fmt::format("there were more exchanges than the memory bound of {} MiB (nn_max_mb) leaves "
                        "room for on the first process: no critical path, no gain, and the order of "
                        "PUT and GET is not checked; cpl-lb summary gives them from the timelines",
                        r_.memory_bound() >> 20U));
    }
    judge_balance(run);
    count_order_violations(run);
    check_annotations(run);
    for (std::string &remark : annotation_remarks(run))
        run.remarks.push_back(std::move(remark));
    // What follows needs the figures only.
    for (Component &c : run.components) {
        c.table = {};
        for (std::int32_t &rank : c.ranks) // until here they were those of the library's own communicator
            rank = r_.layout_.in_model(rank);
    }
    return run;
}

void Termination::write_results(CoupledRun run) {
    for (const std::string &remark : run.remarks)
        tell(remark);
    if (!r_.partial_.empty()) run.remarks.insert(run.remarks.begin(), r_.partial_); // told in cpl_lb_init
    if (r_.settings_.sliced()) {                                                    // no complaint: it was asked for
        run.remarks.push_back(fmt::format("only a slice of the run was recorded, model dates {} (nn_date_first, "
                                          "nn_date_last): load balance and timelines are of it alone, SYPD and CHSY "
                                          "of the whole run",
                                          slice_in_words()));
    }
    if (!folder_remark_.empty()) run.remarks.push_back(folder_remark_); // told already
    const Nanoseconds now = to_run_time(static_cast<Nanoseconds>(monotonic_ns()));
    run.analysis_s = to_seconds(now - latest_arrival_);
    const auto write = [&](const char *name, const std::string &text) {
        try {
            write_result_file(path_in(r_.settings_.directory, name), text);
            files_.emplace_back(name);
        } catch (const std::exception &e) {
            const bool names_file = dynamic_cast<const FileError *>(&e) != nullptr;
            const std::string why = names_file ? e.what() : fmt::format("{}: {}", name, in_words(e));
            if (code_ == 0) code_ = CPL_LB_EIO;
            results_lost_ = true;
            tell(why);
            run.remarks.push_back(why);
        }
    };
    if (!no_directory_) {
        write("load_balancing_info.txt", text_summary(run));
        write("load_balancing_info.json", info_json(run));
        list_timelines();
        write_report(run);
    }
    if (r_.settings_.print) write_to_stream(STDOUT_FILENO, screen_summary(run, r_.settings_.directory, files_));
}

} // namespace cpl_lb
