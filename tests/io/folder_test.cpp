// Which run has a folder, and whether two processes see the same one.
#include "io/files/file_error.hpp"
#include "io/files/folder_claim.hpp"
#include "tests/io/other_run.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <memory>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cpl_lb;
using test::OtherProcess;
using test::run_named;
using test::TemporaryFolder;

namespace {

// Nothing can be opened while it lives.
class NoDescriptorLeft {
public:
    NoDescriptorLeft() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit none{0, before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptorLeft() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptorLeft(const NoDescriptorLeft &) = delete;
    NoDescriptorLeft &operator=(const NoDescriptorLeft &) = delete;

private:
    rlimit before_{};
};

} // namespace

TEST_CASE("a folder belongs to one run while that lives, and then to the next one") {
    const TemporaryFolder folder;
    OtherProcess other(folder.path());
    {
        const FolderClaim mine(folder.path(), run_named("mine"));
        CHECK_THAT(mine.other_run(),
                   Catch::StartsWith("the run other (process " + std::to_string(other.id()) + " on "));
        CHECK_THAT(mine.other_run(), Catch::EndsWith(", since 2026-01-02T03:04:05Z)"));
    }
    CHECK(std::filesystem::exists(folder / claim_file_name)); // it was not mine to remove
    other.end();
    CHECK(std::filesystem::exists(folder / claim_file_name));
    {
        const FolderClaim mine(folder.path(), run_named("mine"));
        CHECK(mine.other_run().empty());
        CHECK_THAT(test::contents(folder / claim_file_name), Catch::StartsWith("token of mine\nmine\n"));
    }
    CHECK(folder.entries() == 0);
}

TEST_CASE("where files cannot be locked, the run that came later is found in the file") {
    const TemporaryFolder folder;
    {
        const FolderClaim mine(folder.path(), run_named("mine"));
        std::ofstream(folder / claim_file_name) << "token of later\nlater\nnode7\n42\n2026-01-02T04:00:00Z\n";
        CHECK(mine.other_run() == "the run later (process 42 on node7, since 2026-01-02T04:00:00Z)");
    }
    CHECK(std::filesystem::exists(folder / claim_file_name));
}

TEST_CASE("a folder is made; one that cannot be is not claimed, and no file of another kind is") {
    const TemporaryFolder folder;
    {
        const FolderClaim mine(folder / "a/b", run_named("mine"));
        CHECK(mine.other_run().empty());
        CHECK(std::filesystem::exists(folder / "a/b/.cpl_lb_run"));
    }
    std::ofstream(folder / "file") << "x";
    CHECK(FolderClaim(folder / "file/c", run_named("mine")).other_run().empty());
    std::filesystem::create_symlink("file", folder / claim_file_name);
    CHECK(FolderClaim(folder.path(), run_named("mine")).other_run().empty());
    CHECK(test::contents(folder / "file") == "x");
}

namespace {

// What a process of a user with few rights finds in the folder.
std::string found_by_another_user(const std::string &folder) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        constexpr uid_t nobody = 65534;
        std::string found = "cannot be another user";
        if (::setgid(nobody) == 0 && ::setuid(nobody) == 0) {
            const FolderClaim mine(folder, run_named("nobody's"));
            found = mine.other_run() + "; " + test::contents(std::filesystem::path(folder) / claim_file_name);
        }
        static_cast<void>(::write(ends[1], found.data(), found.size()));
        ::_exit(0);
    }
    ::close(ends[1]);
    std::array<char, 1000> text{};
    const ssize_t got = ::read(ends[0], text.data(), text.size());
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

} // namespace

TEST_CASE("a claim of another user is seen while its run lives, and taken over when it died") {
    if (::geteuid() != 0) return; // only root can be two users
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    OtherProcess other(folder.path());
    std::filesystem::permissions(folder / claim_file_name, std::filesystem::perms(0644));
    CHECK_THAT(found_by_another_user(folder.path()), Catch::StartsWith("the run other (process "));
    other.end();
    CHECK_THAT(found_by_another_user(folder.path()), Catch::StartsWith("; token of nobody's"));
}

TEST_CASE("what somebody has written into a claim is shown without control characters") {
    const TemporaryFolder folder;
    const FolderClaim mine(folder.path(), run_named("mine"));
    std::ofstream(folder / claim_file_name) << "token\nbad\x1b[2Jname\nnode\r7\n42\nto\x07"
                                               "day\n";
    CHECK(mine.other_run() == "the run bad\\x1b[2Jname (process 42 on node\\r7, since to\\x07day)");
}

TEST_CASE("new folders have new names") {
    const TemporaryFolder folder;
    CHECK(new_folder_in(folder.path(), "a b:c") == folder / "a_b_c");
    CHECK(new_folder_in(folder.path(), "a b:c") == folder / "a_b_c_2");
    CHECK_THROWS_AS(new_folder_in(folder / "none", "a"), FileError);
}

TEST_CASE("the same path is the same folder only where the probe is seen, with its content") {
    const TemporaryFolder folder;
    {
        const FolderProbe probe(folder.path(), "0123456789abcdef");
        CHECK(FolderProbe::is_seen(folder.path(), "0123456789abcdef"));
        CHECK(!FolderProbe::is_seen(folder.path(), "0123456789abcdee"));
        CHECK(!FolderProbe::is_seen(folder / "elsewhere", "0123456789abcdef"));
        std::ofstream(folder / ".cpl_lb_probe_0123456789abcdef") << "0123456789abcdex";
        CHECK(!FolderProbe::is_seen(folder.path(), "0123456789abcdef"));
    }
    CHECK(folder.entries() == 0);
    {
        const FolderProbe probe(folder.path(), "0123456789abcdef");
        const NoDescriptorLeft here;
        CHECK(::open("/dev/null", O_RDONLY | O_CLOEXEC) == -1);
        CHECK(FolderProbe::is_seen(folder.path(), "0123456789abcdef"));
        CHECK(!FolderProbe::is_seen(folder.path(), "0123456789abcdee"));
        CHECK(!FolderProbe::is_seen(folder / "elsewhere", "0123456789abcdef"));
    }
    const FolderProbe none(folder / "none", "0123456789abcdef");
    CHECK(!FolderProbe::is_seen(folder / "none", "0123456789abcdef"));
    CHECK(!FolderProbe::is_seen(folder.path(), ""));
}
