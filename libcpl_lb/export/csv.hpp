// CSV (RFC 4180), a line for each event and process:
// component,process,rank,kind,field,counterpart,date,start_s,stop_s.
#pragma once

#include "export/event_sink.hpp"
#include "io/files/result_file.hpp"

namespace cpl_lb {

class CsvSink final : public EventSink {
public:
    CsvSink(const std::string &path, const CoupledRun &run);
    void row(const Component &component, std::int64_t process, const Row &row) override;
    void finish() override { file_.commit(); }

private:
    StreamFile file_;
    const CoupledRun &run_;
};

// Nanoseconds as seconds, exactly: "-0.000000001".
[[nodiscard]] std::string exact_seconds(Nanoseconds t);

} // namespace cpl_lb
