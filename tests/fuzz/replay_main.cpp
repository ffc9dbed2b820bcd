// Runs a fuzz target on all files of the folders and files given: the corpus as an ordinary test, with any compiler.
// Each is also given with a few bytes changed, always the same ones. The memory of all of it together has a bound.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

using Bytes = std::vector<char>;

constexpr int changed = 12;                        // of each input
constexpr std::size_t longest_changed = 1U << 16U; // larger ones cost time, and change in few of their bytes
constexpr long most_kB = 1L << 20U;                // with the sanitizers' own

void run(const Bytes &bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
}

// Some bytes become others, a piece goes, comes twice, or becomes a number that is too large.
void change(Bytes &bytes, std::mt19937 &random) {
    const auto below = [&](std::size_t n) { return static_cast<std::ptrdiff_t>(random() % n); };
    const auto at = bytes.begin() + below(bytes.size());
    const auto end = at + std::min<std::ptrdiff_t>(1 + below(16), bytes.end() - at);
    constexpr std::array<const char *, 8> hostile = {"999999999999999999", "-1",   "5e-324", "1e308",
                                                     "\xff\xff\xff\x7f",   "\x1b", "nan",    "\""};
    const std::string word = hostile[random() % hostile.size()];
    switch (random() % 4) {
    case 0:
        *at = static_cast<char>(random());
        return;
    case 1:
        bytes.erase(at, end);
        return;
    case 2: {
        const Bytes piece(at, end);
        bytes.insert(at, piece.begin(), piece.end());
        return;
    }
    default:
        bytes.insert(bytes.erase(at, end), word.begin(), word.end());
    }
}

void replay(const std::filesystem::path &file) {
    std::ifstream stream(file, std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(stream), {}};
    std::fprintf(stderr, "%s\n", file.c_str()); // the last one named is the one that fails
    run(bytes);
    std::mt19937 random(static_cast<unsigned>(bytes.size()));
    for (int i = 0; i < changed && bytes.size() <= longest_changed; ++i) {
        Bytes other = bytes;
        for (int n = 0; n <= i % 3 && !other.empty(); ++n)
            change(other, random);
        std::fprintf(stderr, "  changed, %d\n", i + 1);
        run(other);
    }
}

} // namespace

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; ++i) {
        const std::filesystem::path given = argv[i];
        if (!std::filesystem::is_directory(given)) {
            replay(given);
            ++count;
            continue;
        }
        for (const auto &entry : std::filesystem::recursive_directory_iterator(given)) {
            if (!entry.is_regular_file()) continue;
            replay(entry.path());
            ++count;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%d inputs, %ld kB\n", count, usage.ru_maxrss);
    return count > 0 && usage.ru_maxrss < most_kB ? 0 : 1;
}
