// Trace event JSON, which ui.perfetto.dev and chrome://tracing open: a process for each component, a thread for each
// of its processes, an arrow from every PUT to its GET (between the first processes of both sides that took part).
// Format: "Trace Event Format" of the Chromium project; times in microseconds.
#pragma once

#include "export/arrows.hpp"
#include "export/event_sink.hpp"
#include "io/files/result_file.hpp"

namespace cpl_lb {

class PerfettoSink final : public EventSink {
public:
    PerfettoSink(const std::string &path, const CoupledRun &run);
    void row(const Component &component, std::int64_t process, const Row &row) override;
    void finish() override;

private:
    void item(const std::string &json);
    void name_threads(const Component &component, std::int64_t process);
    void arrows();

    StreamFile file_;
    const CoupledRun &run_;
    Arrows arrows_;
    std::vector<bool> named_;
    bool first_ = true;
};

} // namespace cpl_lb
