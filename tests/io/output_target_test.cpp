// An output that is not a regular file is written to and stays what it is; a link leads to the file that is replaced.
#include "io/files/result_file.hpp"
#include "tests/error_of.hpp"
#include "tests/temporary_folder.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

mode_t kind_of(const std::string &path) {
    struct stat found {};
    REQUIRE(::lstat(path.c_str(), &found) == 0);
    return found.st_mode & static_cast<mode_t>(S_IFMT);
}

std::string error_of(const std::string &path, const std::string &text) {
    return test::error_of([&] { write_result_file(path, text); });
}

void streamed(const std::string &path, const std::string &text) {
    StreamFile file(path);
    file.text(text);
    file.commit();
}

} // namespace

TEST_CASE("a link is followed, over several links and to a file that does not exist yet") {
    const TemporaryFolder folder;
    REQUIRE(::mkdir((folder / "far").c_str(), 0777) == 0);
    REQUIRE(::symlink("middle", (folder / "link").c_str()) == 0);
    REQUIRE(::symlink((folder / "far/file").c_str(), (folder / "middle").c_str()) == 0);
    write_result_file(folder / "link", "first");
    CHECK(test::contents(folder / "far/file") == "first");
    streamed(folder / "link", "second");
    CHECK(test::contents(folder / "far/file") == "second");
    CHECK(kind_of(folder / "link") == S_IFLNK);
    CHECK(kind_of(folder / "middle") == S_IFLNK);
    CHECK(kind_of(folder / "far/file") == S_IFREG);
    CHECK(folder.entries() == 3); // nothing temporary is left
}

TEST_CASE("a ring of links is an error, and stays") {
    const TemporaryFolder folder;
    REQUIRE(::symlink("b", (folder / "a").c_str()) == 0);
    REQUIRE(::symlink("a", (folder / "b").c_str()) == 0);
    write_result_file(folder / "other", "x");
    CHECK_THAT(error_of(folder / "a", "x"), Catch::Contains(folder / "a") && Catch::Contains("links"));
    CHECK(kind_of(folder / "a") == S_IFLNK);
}

TEST_CASE("a device is written to: one that takes all, and one that is full") {
    const TemporaryFolder folder;
    CHECK(error_of("/dev/null", "x").empty());
    CHECK(kind_of("/dev/null") == S_IFCHR);
    REQUIRE(::symlink("/dev/full", (folder / "link").c_str()) == 0);
    CHECK(error_of(folder / "link", "x") == folder / "link: cannot write: No space left on device");
    CHECK_THROWS_WITH(streamed("/dev/full", "x"), "/dev/full: cannot write: No space left on device");
    CHECK(kind_of("/dev/full") == S_IFCHR);
    CHECK(kind_of(folder / "link") == S_IFLNK);
}

TEST_CASE("a pipe that nobody reads, or whose reader takes nothing, does not make a model wait") {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0666) == 0);
    CHECK(error_of(pipe, "x") == pipe + ": nobody reads from this pipe");
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    const auto before = std::chrono::steady_clock::now();
    // A pipe holds 64 KiB.
    CHECK(error_of(pipe, std::string(200'000, 'x')) == pipe + ": the reader of this pipe takes nothing");
    CHECK(std::chrono::steady_clock::now() - before > std::chrono::seconds(4));
    ::close(reader);
    CHECK(kind_of(pipe) == S_IFIFO);
}

TEST_CASE("a pipe with a reader gets everything, in both ways of writing") {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0666) == 0);
    const std::string text(300'000, 'y');
    for (const bool whole : {true, false}) {
        const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
        REQUIRE(reader >= 0);
        std::string got;
        std::jthread reading([&](const std::stop_token &stop) {
            std::array<char, 4096> block{};
            for (;;) {
                const ssize_t n = ::read(reader, block.data(), block.size());
                if (n > 0) got.append(block.data(), static_cast<std::size_t>(n));
                if (n <= 0 && stop.stop_requested()) break;
                if (n <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
        if (whole)
            write_result_file(pipe, text);
        else
            streamed(pipe, text);
        reading.request_stop();
        reading.join();
        CHECK(got == text);
        ::close(reader);
    }
    CHECK(folder.entries() == 1);
}

TEST_CASE("a reader that goes away raises no signal") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const std::string path = "/proc/self/fd/" + std::to_string(ends[1]);
    ::close(ends[0]);
    CHECK(error_of(path, "x") == path + ": cannot write: Broken pipe");
    ::close(ends[1]);
    CHECK(::signal(SIGPIPE, SIG_DFL) == SIG_DFL); // and no handler was put in its place
}

TEST_CASE("a descriptor of this process is written on from where it stands") {
    const TemporaryFolder folder;
    const int file = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    REQUIRE(file >= 0);
    REQUIRE(::write(file, "before ", 7) == 7);
    write_result_file("/dev/fd/" + std::to_string(file), "after");
    ::close(file);
    CHECK(test::contents(folder / "log") == "before after");
    CHECK(folder.entries() == 1);
}
