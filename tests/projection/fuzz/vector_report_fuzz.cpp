// Properties of the reader of compilers' reports on loops, for any bytes: no crash, no hang, no more loops than
// lines, each of a line from 1, and a score or a refusal in words, at most 2,000 bytes.
#include "projection/predictors/vector_report.hpp"
#include "tests/fuzz/file_in_memory.hpp"

#include <algorithm>
#include <cstdint>

using namespace cpl_lb;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    fuzz::words_or_nothing([&] {
        const std::vector<ReportedLoop> loops = reported_loops(text);
        fuzz::require(loops.size() <= 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
        for (const ReportedLoop &loop : loops)
            fuzz::require(loop.line >= 1 && loop.words.size() <= size + 16 && loop.file.size() <= size);
        static_cast<void>(mv_score(loops, "", 1, 1'000'000, false));
    });
    return 0;
}
