// Takes the rows of a component and writes its timeline.
#pragma once

#include "data/balance.hpp"
#include "io/timeline/timeline.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "run/live/row_plan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace cpl_lb {

// Takes the rows even after a failure, because their senders would wait.
class TimelineSink final : public RowSink {
public:
    // most_compressed_B: a larger file is not compressed, see write_compressed().
    TimelineSink(std::string path, TimelineHeader header, bool compress, std::uint64_t most_compressed_B);

    void open(EventKeys &keys, std::int64_t away_intervals) override;
    void away(int process, std::span<const Interval> intervals) override;
    std::optional<RowPlace> hand_over() override;
    void fail(const std::string &why) override;
    // Returns why there is no file; empty: there is one. complete: all rows came. Then the steps of the balance, the
    // figures of processes and the last to come to collective operations are written to the file.
    [[nodiscard]] std::string close(bool complete, const ComponentBalance &balance, const EventKeys &keys,
                                    const ProcessFigures &figures = {});
    // After close(): what the user should know about an existing file; or "".
    [[nodiscard]] const std::string &remark() const { return remark_; }

private:
    void attempt(const std::function<void()> &action);

    std::string path_;
    TimelineHeader header_;
    bool compress_;
    std::uint64_t most_compressed_B_;
    std::optional<TimelineWriter> writer_;
    std::string error_, remark_;
};

} // namespace cpl_lb
