// Files that are read whole, and the reason where one cannot be.
#include "io/files/file_handle.hpp"

#include "io/files/file_error.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using test::TemporaryFolder;

TEST_CASE("a file is read whole, whatever is in it") {
    const TemporaryFolder folder;
    const std::string bytes{"a\0b\r\n\xff", 6}, long_one(200'000, 'x');
    CHECK(read_text_file(test::write(folder, "bytes", bytes)) == bytes);
    CHECK(read_text_file(test::write(folder, "empty", "")).empty());
    CHECK(read_text_file(test::write(folder, "long", long_one)) == long_one); // several blocks
}

TEST_CASE("a file that cannot be read is named, with the reason") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_text_file(folder / "none"), folder / "none" + ": cannot read: No such file or directory");
    CHECK_THROWS_WITH(read_text_file(folder.path()),
                      folder.path() + ": cannot read: it is a folder, and a file belongs here");
}
