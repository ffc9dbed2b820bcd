// Result files appear whole or not at all, and every component gets a file of its own.
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "tests/error_of.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <sys/resource.h>

using namespace cpl_lb;
using test::TemporaryFolder;

TEST_CASE("a result file replaces what was there") {
    const TemporaryFolder folder;
    write_result_file(folder / "a.txt", "old and long");
    write_result_file(folder / "a.txt", "new");
    CHECK(test::contents(folder / "a.txt") == "new");
    CHECK(folder.entries() == 1);
    CHECK_THROWS_WITH(write_result_file(folder / "no/a.txt", "x"), Catch::Contains("no/a.txt: cannot create: "));
}

TEST_CASE("a file over the size limit leaves the old one and raises no signal") {
    const TemporaryFolder folder;
    write_result_file(folder / "a.txt", "old");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string error = test::error_of([&] { write_result_file(folder / "a.txt", std::string(100'000, 'x')); });
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_THAT(error, Catch::Contains("cannot write: File too large"));
    CHECK(test::contents(folder / "a.txt") == "old");
    CHECK(folder.entries() == 1);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    CHECK(sigismember(&blocked, SIGXFSZ) == 0);
}

TEST_CASE("folders are made with their parents") {
    const TemporaryFolder folder;
    create_directory(folder / "a/b/c");
    create_directory(folder / "a/b/c");
    create_directory("");
    CHECK(std::filesystem::is_directory(folder / "a/b/c"));
    std::ofstream(folder / "file") << "x";
    CHECK_THROWS_WITH(create_directory(folder / "file/d"), Catch::Contains("cannot create the directory"));
}

TEST_CASE("component names become file names") {
    using Names = std::vector<std::string>;
    CHECK(file_stems(Names{"ocean", "atm 2", "a/b", "\xc3\xa9", "", "x.y-Z_9"}) ==
          Names{"ocean", "atm_2", "a_b", "__", "_", "x.y-Z_9"});
    // No folder above, and no hidden one.
    CHECK(file_stems(Names{"../../evil", ".hidden", ".."}) == Names{"_._.._evil", "_hidden", "_."});
    // Those that collide all get their id; "a_b_1" collides only then, with the first.
    CHECK(file_stems(Names{"a/b", "a b", "a_b_1", "c"}) == Names{"a_b_1", "a_b_2", "a_b_1_3", "c"});
    CHECK(timeline_file_name("a_b") == "timeline_a_b.nc");
}

TEST_CASE("long names are cut at 100 and stay apart") {
    std::vector<std::string> names(1000, std::string(10'000, 'n'));
    const std::vector<std::string> stems = file_stems(names);
    CHECK(std::set<std::string>(stems.begin(), stems.end()).size() == 1000);
    for (const std::string &stem : stems)
        if (stem.size() != 100) FAIL(stem);
    CHECK(file_stems(std::vector<std::string>{std::string(101, 'n')}).front() == std::string(100, 'n'));
}
