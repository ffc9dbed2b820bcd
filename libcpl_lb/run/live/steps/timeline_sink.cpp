// Writes rows as they come; the first failure is kept in words and ends the file.
#include "run/live/steps/timeline_sink.hpp"

#include "support/held_up.hpp"

#include <new>
#include <utility>

namespace cpl_lb {

TimelineSink::TimelineSink(std::string path, TimelineHeader header, bool compress, std::uint64_t most_compressed_B)
    : path_(std::move(path)), header_(std::move(header)), compress_(compress), most_compressed_B_(most_compressed_B) {
}

void TimelineSink::open(EventKeys &keys, std::int64_t away_intervals) {
    attempt([&] {
        header_.away_intervals = away_intervals;
        std::swap(header_.keys, keys); // not a copy: they are millions
        try {
            writer_.emplace(path_, header_, compress_, most_compressed_B_);
        } catch (...) {
            std::swap(header_.keys, keys);
            throw;
        }
        std::swap(header_.keys, keys);
    });
}

void TimelineSink::away(int process, std::span<const Interval> intervals) {
    attempt([&] {
        if (writer_ && !intervals.empty()) writer_->write_away(process, intervals);
    });
}

std::optional<RowPlace> TimelineSink::hand_over() {
    std::optional<RowPlace> place;
    attempt([&] {
        if (writer_) place = writer_->hand_over();
    });
    return place;
}

void TimelineSink::fail(const std::string &why) {
    if (error_.empty()) error_ = why;
    writer_.reset();
}

std::string TimelineSink::close(bool complete, const ComponentBalance &balance, const EventKeys &keys,
                                const ProcessFigures &figures) {
    if (!complete && error_.empty()) error_ = path_ + ": not written, because rows of some processes are missing";
    attempt([&] {
        if (!writer_ || !error_.empty()) return;
        writer_->write_sync_counterparts(keys);
        writer_->write_steps(balance);
        writer_->write_figures(figures);
        remark_ = writer_->close();
    });
    writer_.reset();
    return error_;
}

void TimelineSink::attempt(const std::function<void()> &action) {
    const HeldUp by_the_file;
    try {
        action();
    } catch (const std::bad_alloc &) {
        fail(path_ + ": not written: out of memory");
    } catch (const std::exception &e) {
        fail(e.what());
    }
}

} // namespace cpl_lb
