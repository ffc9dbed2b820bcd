// Properties of the readers of TOML, for any bytes: a file, and the rules of cpl-lb check, are read or refused in
// words, at most 2,000 bytes; no crash, no hang, no deep recursion.
#include "io/toml/toml_table.hpp"
#include "tests/fuzz/file_in_memory.hpp"
#include "tools/check/check_rules.hpp"

#include <cstdint>

using namespace cpl_lb;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    fuzz::words_or_nothing([&] { static_cast<void>(parse_toml(text, "f")); });
    fuzz::words_or_nothing([&] {
        CoupledRun run;
        run.components.emplace_back().name = "ocean";
        static_cast<void>(check(run, read_rules(text, "f", run)));
    });
    return 0;
}
