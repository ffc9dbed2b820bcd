// Properties of the reader of load_balancing_info.json, for any bytes:
// - it either reads them or throws a FileError; nothing else, no crash, no hang, no deep recursion;
// - what it reads can be written again, and reading that gives the same text (writing is a fixed point);
// - neither that text nor the summary holds what a terminal would obey.
#include "io/files/file_error.hpp"
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "support/utf8.hpp"

#include <cstdint>
#include <cstdlib>

using namespace cpl_lb;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    try {
        const CoupledRun run = run_from_json("fuzz", {reinterpret_cast<const char *>(data), size});
        const std::string once = info_json(run);
        const std::string twice = info_json(run_from_json("fuzz", once));
        if (info_json(run_from_json("fuzz", twice)) != twice) std::abort();
        const std::string shown = once + text_summary(run);
        if (safe_text(shown) != shown) std::abort();
    } catch (const FileError &) {
        return 0;
    }
    return 0;
}
