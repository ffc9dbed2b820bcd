// Files that are read whole, and the reason where one cannot be.
#include "io/files/file_handle.hpp"

#include "io/files/file_error.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

// By the kernel's own count.
std::uint64_t bytes_read_so_far() {
    std::ifstream io("/proc/self/io");
    std::string name;
    std::uint64_t bytes = 0;
    io >> name >> bytes;
    REQUIRE(name == "rchar:");
    return bytes;
}

} // namespace

TEST_CASE("a file is read whole, whatever is in it") {
    const TemporaryFolder folder;
    const std::string bytes{"a\0b\r\n\xff", 6}, long_one(200'000, 'x');
    CHECK(read_text_file(test::write(folder, "bytes", bytes)) == bytes);
    CHECK(read_text_file(test::write(folder, "empty", "")).empty());
    CHECK(read_text_file(test::write(folder, "long", long_one)) == long_one); // several blocks
}

TEST_CASE("a file that is larger than any text of ours is refused before it is read") {
    const TemporaryFolder folder;
    const std::string path = test::write(folder, "sparse", "");
    std::filesystem::resize_file(path, std::uintmax_t{20} << 30U); // a hole of 20 GiB
    const std::uint64_t before = bytes_read_so_far();
    CHECK_THROWS_WITH(read_text_file(path), path + ": larger than 1 GiB, which no text of cpl-lb is");
    CHECK(bytes_read_so_far() - before < std::uint64_t{1} << 20U);
}

TEST_CASE("a file that cannot be read is named, with the reason") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_text_file(folder / "none"), folder / "none" + ": cannot read: No such file or directory");
    CHECK_THROWS_WITH(read_text_file(folder.path()),
                      folder.path() + ": cannot read: it is a folder, and a file belongs here");
}
