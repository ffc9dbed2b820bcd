// Trace event JSON, which ui.perfetto.dev and chrome://tracing open: a process for each component, a thread for each
// of its processes, an arrow from every PUT to its GET (between the first processes of both sides that took part).
// Format: "Trace Event Format" of the Chromium project; times in microseconds.
#pragma once

#include "analysis/exchanges.hpp"
#include "export/event_sink.hpp"
#include "io/files/stream_file.hpp"

namespace cpl_lb {

class PerfettoSink final : public EventSink {
public:
    PerfettoSink(const std::string &path, const CoupledRun &run);
    void row(const Component &component, std::int64_t process, const Row &row) override;
    void finish() override;

private:
    // Where an arrow can touch an exchange: the first process that took part in it.
    struct Touch {
        std::int64_t process = -1;
        Nanoseconds start = 0, stop = 0;
    };
    void item(const std::string &json);
    void name_threads(const Component &component, std::int64_t process);
    void arrows();
    void arrows_of_sync(const Exchange &x);
    void arrow(const Exchange &x, std::size_t source_event, std::size_t target_event);
    [[nodiscard]] std::vector<std::size_t> side(const Component &component, Kind kind, std::int32_t field,
                                                std::int32_t other) const;

    StreamFile file_;
    const CoupledRun &run_;
    std::vector<std::vector<Touch>> touches_; // by component, event; only where a row of it came
    std::vector<bool> named_;
    bool first_ = true;
    std::int64_t arrows_ = 0;
};

} // namespace cpl_lb
