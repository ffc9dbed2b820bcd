// Properties of the readers of machines and workflows, for any bytes:
// - a file is read or refused in words, at most 2,000 bytes; no crash, no hang, no deep recursion;
// - a machine that was read can be written, and reading that gives the same text.
#include "projection/machine/machine_file.hpp"
#include "projection/models/workflow.hpp"
#include "tests/fuzz/file_in_memory.hpp"

#include <cstdint>

using namespace cpl_lb;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const fuzz::FileInMemory file("toml");
    const std::string text(reinterpret_cast<const char *>(data), size);
    fuzz::words_or_nothing([&] {
        const std::string once = machine_as_toml(parse_machine(text, "f"));
        fuzz::require(machine_as_toml(parse_machine(once, "f")) == once);
    });
    // The tables that a workflow names are other files: none are opened here.
    if (text.find('/') == std::string::npos)
        fuzz::words_or_nothing([&] { static_cast<void>(all_answers(read_workflow(file.with(text)))); });
    return 0;
}
