// Properties of the readers of timers, for any bytes; each reader gets all of them, whether it recognises them or
// not:
// - it gives at least one run, or refuses in one line (FileError) with the file's name; no crash, no hang, and no
// memory
//   beyond what the bytes can fill;
// - what was read becomes results, and their text and json.
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "run/timers/readers.hpp"
#include "tests/fuzz/file_in_memory.hpp"

using namespace cpl_lb;
using fuzz::require;

namespace {

void reads_or_refuses(const TimerReader &reader, const TimerText &text) {
    std::vector<TimedRun> runs;
    try {
        static_cast<void>(reader.recognizes(text));
        if (text.lines().empty()) return; // import_timers refuses it itself
        runs = reader.read(text);
        require(!runs.empty());
    } catch (const FileError &error) {
        const std::string_view words = error.what();
        require(words.starts_with("bytes") && words.size() <= 2000 && words.find('\n') == std::string_view::npos);
        return;
    }
    std::int64_t processes = 0;
    for (const TimedRun &run : runs)
        for (const TimedComponent &component : run.components)
            processes += component.processes;
    if (processes > 1'000'000) return; // a list of them is long, and rightly so
    for (const TimedRun &run : joined_runs(runs)) {
        const CoupledRun results = run_of_timers(run);
        require(!text_summary(results).empty() && !info_json(results).empty());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const TimerText text("bytes", std::string(reinterpret_cast<const char *>(data), size));
    for (const TimerReader &reader : timer_readers())
        reads_or_refuses(reader, text);
    return 0;
}
