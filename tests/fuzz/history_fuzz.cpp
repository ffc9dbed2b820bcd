// Properties of the reader of the history's database, for any bytes: a file is read or refused in words, at most
// 2,000 bytes; no crash, no hang, no memory beyond what the bytes can fill, and nothing is written.
#include "history/history_file.hpp"
#include "tests/fuzz/file_in_memory.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const fuzz::FileInMemory file("history");
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    const std::string path = file.with(bytes);
    fuzz::words_or_nothing([&] {
        std::size_t all = 0;
        for (const cpl_lb::RunRecord &run : cpl_lb::read_history(path))
            all += run.key.size() + run.name.size() + run.folder.size() + run.components.size();
        fuzz::require(all <= 4096 * size);
    });
    fuzz::require(fuzz::text_of(path) == bytes);
    return 0;
}
