// A file in memory under somebody else's descriptor: it takes what is written, and the disk gets the first block
// later.
#include "io/files/disk_stand_in.hpp"
#include "io/files/file_error.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

using cpl_lb::DiskStandIn;
using cpl_lb::test::contents;
using cpl_lb::test::TemporaryFolder;

namespace {

// What HDF5 is in the timelines: somebody who has the file open and will write to it.
class Writer {
public:
    explicit Writer(const std::string &path) : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        REQUIRE(write(std::string(10'000, 'a'), 0));
    }
    ~Writer() { close(); }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    [[nodiscard]] bool write(const std::string &text, off_t at) const {
        return ::pwrite(descriptor_, text.data(), text.size(), at) == static_cast<ssize_t>(text.size());
    }
    [[nodiscard]] bool cut(off_t bytes) const { return ::ftruncate(descriptor_, bytes) == 0; }
    [[nodiscard]] std::string first(std::size_t bytes) const {
        std::string text(bytes, ' ');
        return ::pread(descriptor_, text.data(), bytes, 0) == static_cast<ssize_t>(bytes) ? text : "";
    }
    void close() {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }

private:
    int descriptor_;
};

} // namespace

TEST_CASE("the first block reaches the disk after the writer has closed the file, not before") {
    const TemporaryFolder folder;
    Writer writer(folder / "file");
    DiskStandIn memory(folder / "file");
    CHECK(writer.first(3) == "aaa"); // the writer sees what it has written
    REQUIRE(writer.write("closed", 2));
    CHECK(contents(folder / "file") == std::string(10'000, 'a'));
    writer.close();
    memory.to_disk("result");
    CHECK(contents(folder / "file") == "aaclosed" + std::string(9992, 'a'));
}

TEST_CASE("a file that its writer makes shorter at the end is as short on the disk") {
    const TemporaryFolder folder;
    Writer writer(folder / "file");
    DiskStandIn memory(folder / "file");
    REQUIRE(writer.cut(9000));
    writer.close();
    memory.to_disk("result");
    CHECK(contents(folder / "file") == std::string(9000, 'a'));
}

// A second HDF5 might write more at the end: half of that would be worse than the file as it was flushed.
TEST_CASE("where more than the first block was written the disk keeps what it had") {
    const TemporaryFolder folder;
    Writer writer(folder / "file");
    DiskStandIn memory(folder / "file");
    REQUIRE(writer.write("b", 0));
    REQUIRE(writer.write("b", 9999));
    writer.close();
    memory.to_disk("result");
    CHECK(contents(folder / "file") == std::string(10'000, 'a'));
}

TEST_CASE("a file that is given up: the writer writes on, the disk keeps what it had") {
    const TemporaryFolder folder;
    const Writer writer(folder / "file");
    { const DiskStandIn memory(folder / "file"); }
    REQUIRE(writer.write(std::string(100'000, 'b'), 0));
    CHECK(contents(folder / "file") == std::string(10'000, 'a'));
}

TEST_CASE("a disk that refuses the first block: an error in the name of the result") {
    const TemporaryFolder folder;
    Writer writer(folder / "file");
    DiskStandIn memory(folder / "file");
    REQUIRE(writer.write("closed", 2));
    writer.close();
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit none{0, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    std::string said;
    ::setrlimit(RLIMIT_FSIZE, &none);
    try {
        memory.to_disk("result");
    } catch (const cpl_lb::FileError &e) {
        said = e.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(said == "result: cannot close: File too large");
    CHECK(contents(folder / "file") == std::string(10'000, 'a'));
}

TEST_CASE("a file that nobody writes, or that is only read: nothing happens") {
    const TemporaryFolder folder;
    { const Writer writer(folder / "file"); }
    const int reader = ::open((folder / "file").c_str(), O_RDONLY | O_CLOEXEC);
    DiskStandIn memory(folder / "file");
    memory.to_disk("result");
    char first = ' ';
    CHECK(::pread(reader, &first, 1, 9999) == 1); // still the disk's file
    CHECK(first == 'a');
    ::close(reader);
    DiskStandIn(folder / "no such file").to_disk("result");
}
