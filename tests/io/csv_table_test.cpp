// Tables as people write them are read; what is wrong in them is named with file, line and column.
#include "io/files/csv_table.hpp"
#include "support/csv_cells.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace cpl_lb;

namespace {

std::string error_of(const std::string &text, const std::function<void(const CsvTable &)> &use = nullptr) {
    try {
        const CsvTable table("t.csv", text);
        if (use) use(table);
    } catch (const FileError &error) {
        return error.what();
    }
    return "no error";
}

} // namespace

TEST_CASE("columns by name, in any order, among comments and blank lines") {
    const CsvTable table("t.csv", "\xEF\xBB\xBF# measured on Monday\r\n\r\n time_s , kernel,cores\r\n"
                                  "1.5e-3,\"a, \"\"b\"\"\",+4\r\n# between\n 2,c, 8 ");
    REQUIRE(table.rows() == 2);
    table.require({"kernel", "cores", "time_s"});
    CHECK(table.number(0, "time_s") == 1.5e-3);
    CHECK(table.text(0, "kernel") == "a, \"b\"");
    CHECK(table.positive(0, "cores") == 4);
    CHECK(table.text(1, "kernel") == "c");
    CHECK(table.not_negative(1, "cores") == 8);
}

TEST_CASE("what is not known is NaN, never 0") {
    const CsvTable table("t.csv", "a,b\n,1\nn/a,2\n0,3\n");
    CHECK(std::isnan(table.known_or_nan(0, "a")));
    CHECK(std::isnan(table.known_or_nan(1, "a")));
    CHECK(table.known_or_nan(2, "a") == 0);
    CHECK(std::isnan(table.known_or_nan(0, "no such column")));
}

TEST_CASE("errors in cells: file, line of the file, column") {
    const std::string text =
        "# first\nname,time_s\n\nx,1\ny,two\n,0\nz,\nw,-1\nv,inf\nu,1 s\nt,1e101\ns,-1e-101\nr,1e99\n";
    const auto number = [&](std::size_t row) {
        return error_of(text, [row](const CsvTable &t) { (void)t.number(row, "time_s"); });
    };
    CHECK(number(1) == "t.csv:5: column time_s: not a number: two");
    CHECK(number(3) == "t.csv:7: column time_s: empty");
    CHECK(number(5) == "t.csv:9: column time_s: not a number: inf");
    CHECK(number(6) == "t.csv:10: column time_s: not a number: 1 s");
    CHECK(number(7) == "t.csv:11: column time_s: too large or too small for a measured value: 1e101");
    CHECK(number(8) == "t.csv:12: column time_s: too large or too small for a measured value: -1e-101");
    CHECK(number(9) == "no error");
    CHECK(error_of(text, [](const CsvTable &t) { (void)t.text(2, "name"); }) == "t.csv:6: column name: empty");
    CHECK(error_of(text, [](const CsvTable &t) { (void)t.positive(2, "time_s"); }) ==
          "t.csv:6: column time_s: must be more than 0: 0");
    CHECK(error_of(text, [](const CsvTable &t) { (void)t.not_negative(4, "time_s"); }) ==
          "t.csv:8: column time_s: must not be negative: -1");
    CHECK(error_of(text, [](const CsvTable &t) { (void)t.known_or_nan(4, "time_s"); }) ==
          "t.csv:8: column time_s: must not be negative: -1");
}

TEST_CASE("a cell that is quoted in an error is cut") {
    const std::string text = "time_s\n" + std::string(100'000, 'x') + "\n";
    CHECK(error_of(text, [](const CsvTable &t) { (void)t.number(0, "time_s"); }) ==
          "t.csv:2: column time_s: not a number: " + std::string(60, 'x') + "...");
    std::string header = "a";
    for (int i = 0; i < 50'000; ++i)
        header += ",c" + std::to_string(i);
    CHECK(error_of(header + "\n" + std::string(50'000, ','), [](const CsvTable &t) {
              t.require({"time_s"});
          }).size() < 500);
}

TEST_CASE("cells of text: quotes where needed, and no formula for a spreadsheet") {
    const std::vector<std::pair<std::string, std::string>> cells = {{"ocean", "ocean"},
                                                                    {"a, b", "\"a, b\""},
                                                                    {R"(say "hi")", R"("say ""hi""")"},
                                                                    {" a", "\" a\""},
                                                                    {"#1", "\"#1\""},
                                                                    {"=1+1", "'=1+1"},
                                                                    {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
                                                                    {"-a", "'-a"},
                                                                    {"@SUM(A1)", "'@SUM(A1)"},
                                                                    {"=a,b", "\"'=a,b\""},
                                                                    {"'=a", "''=a"},
                                                                    {"-3.5", "-3.5"}, // a number is harmless
                                                                    {"+1e3", "+1e3"},
                                                                    {"+-5", "'+-5"}, // no number: two signs
                                                                    {"'tis", "'tis"},
                                                                    {"", ""}};
    for (const auto &[text, cell] : cells) {
        CHECK(csv_cell(text) == cell);
        std::vector<std::string> again;
        CHECK(split_csv_line(cell + ",1", again));
        CHECK(again == std::vector<std::string>{text, "1"});
    }
    CHECK(csv_cell("a\x1b[2J\nb") == "a\\x1b[2J\\nb");
    CHECK(csv_cell("a\u2028b") == "a\u2028b"); // moves no cursor: a name stays as it is
}

TEST_CASE("a missing column, and one in another unit") {
    const auto needs = [](const std::string &header, std::string_view column) {
        return error_of("#\n" + header + "\n1,2\n", [column](const CsvTable &t) { t.require({column}); });
    };
    CHECK(needs("a,b", "time_s") == "t.csv:2: column time_s: missing; the columns are a, b");
    CHECK(needs("a,time_ms", "time_s") == "t.csv:2: column time_s: missing; there is time_ms: give its values in the "
                                          "unit of time_s, under this name");
    CHECK(needs("a,GBytes", "bytes").find("there is GBytes: give") != std::string::npos);
    CHECK(needs("a,milliseconds", "seconds").find("there is milliseconds: give") != std::string::npos);
}

TEST_CASE("what is no table") {
    CHECK(error_of("") == "t.csv: an empty table");
    CHECK(error_of("# nothing\n") == "t.csv: an empty table");
    CHECK(error_of("a,b\n") == "t.csv: no rows below the header");
    CHECK(error_of("a;b\n1;2\n") == "t.csv:1: columns are separated by commas, not by semicolons or tabs");
    CHECK(error_of("a,a\n1,2\n") == "t.csv:1: column a: twice in the header");
    CHECK(error_of("a,\n1,2\n") == "t.csv:1: a column without a name");
    CHECK(error_of("a,b\n1,2\n1,2,3\n") == "t.csv:3: 3 cells where the header has 2");
    CHECK(error_of("a,b\n1\n") == "t.csv:2: 1 cell where the header has 2");
    CHECK(error_of("a,b\n\"1,2\n") == "t.csv:2: a quote is not closed, or stands inside a cell");
    CHECK(error_of("a,b\n\"1\"2,3\n") == "t.csv:2: a quote is not closed, or stands inside a cell");
    const test::TemporaryFolder folder;
    CHECK_THROWS_WITH(CsvTable::from_file(folder / "none.csv"),
                      folder / "none.csv" + ": cannot read: No such file or directory");
}

TEST_CASE("bars between the cells, as batch systems print them") {
    const CsvTable open("jobs", "JobID|Name|Energy\n11|a \"b\"|\n12|c, d|5\n", '|');
    REQUIRE(open.rows() == 2);
    CHECK(open.is_empty(0, "Energy")); // a bar before an empty cell, not one at the end of the line
    CHECK(open.text(0, "Name") == "a \"b\"");
    CHECK(open.text(1, "Name") == "c, d");
    CHECK(open.line(1) == 3);
    const CsvTable closed("jobs", "JobID|Energy|\n11||\n12|5|\n", '|');
    CHECK(closed.columns().size() == 2);
    CHECK(closed.is_empty(0, "Energy"));
    CHECK(closed.number(1, "Energy") == 5);
}
