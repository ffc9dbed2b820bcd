// Links, pipes and other files that somebody with the right to write into a folder has put in the place of ours.
#include "io/files/file_handle.hpp"
#include "io/files/folder_claim.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/row_file.hpp"
#include "io/timeline/timeline.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "tests/error_of.hpp"
#include "tests/io/other_run.hpp"
#include "tests/io/small_header.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cpl_lb;
using test::error_of, test::TemporaryFolder;

namespace {

constexpr const char *replaced = "somebody has removed or replaced its temporary file";

struct Planted {
    const char *what;
    std::function<void(const std::string &path, const std::string &victim)> put;
};

const std::vector<Planted> &plants() {
    static const std::vector<Planted> all = {
        {"link", [](const std::string &path,
                    const std::string &victim) { REQUIRE(::symlink(victim.c_str(), path.c_str()) == 0); }},
        {"second name", [](const std::string &path,
                           const std::string &victim) { REQUIRE(::link(victim.c_str(), path.c_str()) == 0); }},
        {"pipe",
         [](const std::string &path, const std::string & /*victim*/) { REQUIRE(::mkfifo(path.c_str(), 0666) == 0); }},
        {"folder",
         [](const std::string &path, const std::string & /*victim*/) { REQUIRE(::mkdir(path.c_str(), 0777) == 0); }}};
    return all;
}

// The hidden file that is there while a result is written.
std::string hidden_in(const std::string &folder) {
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        if (entry.path().filename().string().front() == '.') return entry.path();
    return "";
}

ComponentBalance one_step() {
    ComponentBalance balance;
    balance.steps = {{1.5, 2, 0.5, 1.5, 0.25}};
    balance.step_count = 1;
    return balance;
}

const std::vector<Nanoseconds> times = {1'000'000'000, 2'000'000'000, 3'000'000'000};

void write_row(TimelineWriter &writer, bool apart) {
    if (!apart) return writer.write_rows(0, 1, times, times);
    const RowPlace place = writer.hand_over();
    CHECK_FALSE(place.file.empty());
}

void chown_link(const std::string &path, uid_t owner) {
    REQUIRE(::lchown(path.c_str(), owner, static_cast<gid_t>(-1)) == 0);
}

} // namespace

TEST_CASE("temporary names cannot be guessed, and end with the result") {
    const TemporaryFolder folder;
    const ResultFile one(folder / "a.txt");
    const ResultFile two(folder / "a.txt");
    CHECK(one.temporary() != two.temporary());
    CHECK(one.temporary().find(std::to_string(::getpid())) == std::string::npos);
    // .a.txt. and 16 letters and .part
    CHECK(one.temporary().size() == (folder / ".a.txt.").size() + 16 + 5);
    // A name of 250 characters has no room for more: 255 is what file systems allow.
    const std::string longest(250, 'n');
    write_result_file(folder / longest, "x");
    CHECK(test::contents(folder / longest) == "x");
}

TEST_CASE("a temporary file has the rights that the umask leaves, as any new file") {
    const TemporaryFolder folder;
    const mode_t before = ::umask(0027);
    write_result_file(folder / "a.txt", "x");
    ::umask(before);
    struct stat found {};
    REQUIRE(::stat((folder / "a.txt").c_str(), &found) == 0);
    CHECK((found.st_mode & 07777U) == 0640U);
}

TEST_CASE("text: what is planted in the place of the temporary file is neither written to nor put in place") {
    for (const Planted &plant : plants()) {
        INFO(plant.what);
        const TemporaryFolder folder;
        const std::string victim = test::write(folder, "victim", "precious");
        {
            ResultFile file(folder / "a.txt");
            REQUIRE(::unlink(file.temporary().c_str()) == 0);
            plant.put(file.temporary(), victim);
            file.write("text");
            CHECK(error_of([&] { file.commit(); }) == folder / "a.txt: " + replaced);
        }
        CHECK(test::contents(victim) == "precious");
        CHECK_FALSE(std::filesystem::exists(folder / "a.txt"));
        const TemporaryFolder another; // what was planted in the first may lie there still
        StreamFile stream(another / "page.html");
        const std::string temporary = hidden_in(another.path());
        std::filesystem::remove(temporary);
        plant.put(temporary, victim);
        stream.text(std::string(100'000, 'x'));
        CHECK(error_of([&] { stream.commit(); }) == another / "page.html: " + replaced);
        CHECK(test::contents(victim) == "precious");
    }
}

TEST_CASE("timelines: the same, whole, by rows of other processes, and compressed") {
    enum class Way { whole, apart, compressed };
    for (const Way way : {Way::whole, Way::apart, Way::compressed}) {
        for (const Planted &plant : plants()) {
            INFO(plant.what << ", way " << static_cast<int>(way));
            const TemporaryFolder folder;
            const std::string victim = test::write(folder, "victim", "precious");
            TimelineWriter writer(folder / "t.nc", test::small_header(1, 3), way == Way::compressed);
            const std::string temporary = hidden_in(folder.path());
            std::filesystem::remove(temporary);
            plant.put(temporary, victim);
            write_row(writer, way == Way::apart);
            writer.write_steps(one_step());
            if (way == Way::compressed) { // from the writer's own descriptor, into a file of another name
                CHECK(writer.close().empty());
                CHECK(test::contents(folder / "t.nc").substr(0, 4) == "\211HDF");
            } else {
                CHECK(error_of([&] { writer.close(); }) == folder / "t.nc: " + replaced);
                CHECK_FALSE(std::filesystem::exists(folder / "t.nc"));
            }
            CHECK(test::contents(victim) == "precious");
        }
    }
}

TEST_CASE("rows: a process that opens the file by its name sees that it is another one") {
    for (const Planted &plant : plants()) {
        INFO(plant.what);
        const TemporaryFolder folder;
        const std::string victim = test::write(folder, "victim", std::string(100'000, 'p'));
        TimelineWriter writer(folder / "t.nc", test::small_header(1, 3), false);
        const RowPlace place = writer.hand_over();
        REQUIRE(::unlink(place.file.c_str()) == 0);
        plant.put(place.file, victim);
        CHECK_THROWS_AS(RowFile(place), FileError);
        CHECK(test::contents(victim) == std::string(100'000, 'p'));
    }
    const TemporaryFolder folder;
    TimelineWriter writer(folder / "t.nc", test::small_header(1, 3), false);
    RowPlace place = writer.hand_over();
    place.file = folder / "nowhere";
    CHECK_THROWS_AS(RowFile(place), FileError);
}

TEST_CASE("what is read again is a regular file, and nobody waits for a pipe") {
    const TemporaryFolder folder;
    REQUIRE(::mkfifo((folder / "timeline_ocean.nc").c_str(), 0666) == 0);
    CHECK(error_of([&] { TimelineReader reader(folder / "timeline_ocean.nc"); }) ==
          folder / "timeline_ocean.nc: is not a regular file");
    CHECK_FALSE(is_foreign_timeline(folder / "timeline_ocean.nc"));
    CHECK(error_of([] { static_cast<void>(open_to_read("/dev/null")); }) == "/dev/null: is not a regular file");
    CHECK(error_of([&] { static_cast<void>(open_to_read(folder.path())); }) ==
          folder.path() + ": is not a regular file");
    CHECK(error_of([&] { static_cast<void>(open_to_read(folder / "none")); }) ==
          folder / "none: cannot open: No such file or directory");
    // By its number the file is still there when another has its name.
    const FileHandle file = open_to_read(test::write(folder, "a", "mine"));
    std::filesystem::remove(folder / "a");
    test::write(folder, "a", "theirs");
    CHECK(test::contents(file.path(folder / "a")) == "mine");
    CHECK_FALSE(file.is_at(folder / "a"));
}

TEST_CASE("a claim is never written into a file that has another name, too") {
    const TemporaryFolder folder;
    const std::string victim = test::write(folder, "victim", "precious");
    REQUIRE(::link(victim.c_str(), (folder / claim_file_name).c_str()) == 0);
    CHECK(FolderClaim(folder.path(), test::run_named("mine")).other_run().empty());
    CHECK(test::contents(victim) == "precious");
}

TEST_CASE("a file that takes the place of a pipe before it is opened is not written to") {
    const TemporaryFolder folder;
    const std::string victim = test::write(folder, "victim", "precious");
    REQUIRE(::mkfifo((folder / "a.txt").c_str(), 0666) == 0);
    const OutputTarget target = output_target(folder / "a.txt");
    REQUIRE(target.special);
    std::filesystem::remove(folder / "a.txt");
    REQUIRE(::symlink("victim", (folder / "a.txt").c_str()) == 0);
    CHECK_THROWS_AS(SpecialOutput(target, "a.txt"), FileError);
    std::filesystem::remove(folder / "a.txt");
    REQUIRE(::link(victim.c_str(), (folder / "a.txt").c_str()) == 0);
    CHECK(error_of([&] { SpecialOutput(target, "a.txt"); }) == "a.txt: somebody has put another file there");
    CHECK(test::contents(victim) == "precious");
}

// A reader that takes 4 KiB every second never lets a model wait for 5 s at once.
TEST_CASE("a pipe that is read too slowly does not hold up a model for long") {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0666) == 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    std::jthread slow([&](const std::stop_token &stop) {
        std::array<char, 4096> block{};
        for (int n = 0; n < 100 && !stop.stop_requested(); ++n) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            static_cast<void>(::read(reader, block.data(), block.size()));
        }
    });
    // 64 KiB fit at once; the rest would take 50 s.
    CHECK(error_of([&] { write_result_file(pipe, std::string(65'536 + 50 * 4096, 'x')); }) ==
          pipe + ": the reader of this pipe is too slow");
    slow.request_stop();
    slow.join();
    ::close(reader);
}

TEST_CASE("a link of another user is not followed: the result takes its place", "[root]") {
    const TemporaryFolder folder;
    const std::string victim = test::write(folder, "victim", "precious");
    constexpr uid_t another = 12345;
    REQUIRE(::symlink("victim", (folder / "planted").c_str()) == 0);
    chown_link(folder / "planted", another);
    const OutputTarget target = output_target(folder / "planted");
    CHECK(target.path == folder / "planted");
    CHECK(target.remark ==
          "there was a link that belongs to another user (12345): it was not followed, and the file has "
          "taken its place");
    write_result_file(folder / "planted", "result");
    CHECK(test::contents(victim) == "precious");
    CHECK(test::contents(folder / "planted") == "result");
    CHECK_FALSE(std::filesystem::is_symlink(folder / "planted"));
    // Behind a link of this user, too; and one to a device or a pipe is as little followed.
    REQUIRE(::symlink("/dev/full", (folder / "theirs").c_str()) == 0);
    chown_link(folder / "theirs", another);
    REQUIRE(::symlink("theirs", (folder / "mine").c_str()) == 0);
    write_result_file(folder / "mine", "result");
    CHECK(std::filesystem::is_symlink(folder / "mine"));
    CHECK(test::contents(folder / "theirs") == "result");
}
