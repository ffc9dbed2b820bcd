// The MV score of a block from the compiler's report on its loops (Modeling Assertions, section 3.1, which uses
// Cray's loopmark listings). gcc and gfortran: -fopt-info-loop-vec-all, or -fopt-info-vec-all; clang:
// -Rpass=loop-vectorize -Rpass-missed=loop-vectorize; Intel: -qopt-report; NVIDIA: -Minfo; Cray: -hlist=m.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct ReportedLoop {
    std::string file; // as the compiler was given it; empty: the report does not say
    int line = 0;
    bool vectorised = false;
    bool threaded = false; // in threads, as the compiler made it or was told to
    std::string words;     // what the compiler says, the first line of it
};
// Loops in the order of their files' first mention and of their lines; other lines of the report are left out.
[[nodiscard]] std::vector<ReportedLoop> reported_loops(std::string_view report);

struct MvScore {
    std::string mv; // "00", "01", "10", "11"; empty: the report has no loop there
    std::vector<ReportedLoop> loops;
    // Loops of the block that are not vectorised beside some that are: it should be split, unless they are the loops
    // around those.
    [[nodiscard]] bool is_mixed() const;
};
// The score of lines first to last of `file`: a path or the last part of one; empty if the report is of one file.
// threaded: the block runs in a parallel region of OpenMP, which reports do not tell. Throws std::runtime_error
// when the file is not in the report, or there are several.
[[nodiscard]] MvScore mv_score(const std::vector<ReportedLoop> &loops, const std::string &file, int first, int last,
                               bool threaded);

// The lines in which compilers say what became of loops. One reader for each way of writing; each is given all lines
// of a report, and takes those that are its own.
class ReportFormat {
public:
    ReportFormat() = default;
    ReportFormat(const ReportFormat &) = delete;
    ReportFormat &operator=(const ReportFormat &) = delete;
    virtual ~ReportFormat() = default;

    // line: without its end. Adds the loops that are known after it; the same loop may come again.
    virtual void read(std::string_view line, std::vector<ReportedLoop> &found) = 0;
    virtual void finish(std::vector<ReportedLoop> & /*found*/) {}
};

// "file:line:column: optimized: loop vectorized ..." of gcc, "remark: vectorized loop ..." of clang.
[[nodiscard]] std::unique_ptr<ReportFormat> gcc_and_clang_report();
// -qopt-report of Intel's compilers: "LOOP BEGIN at file(line,column)", in it "remark #15300: LOOP WAS VECTORIZED",
// to "LOOP END"; nested as the loops are.
[[nodiscard]] std::unique_ptr<ReportFormat> intel_report();
// -Minfo of nvfortran, nvc and nvc++ (once PGI): "function:", under it "  line, message" and further messages of that
// line without a number. Names no file, but those that are included and, where it compiles several, each of them.
[[nodiscard]] std::unique_ptr<ReportFormat> nvidia_report();
// Cray's loopmark listings: "12.  MV--<  do i = 1, n", or messages "ftn-6204 ftn: VECTOR NAME, File = f, Line = n".
[[nodiscard]] std::unique_ptr<ReportFormat> cray_report();

// What the readers share.
[[nodiscard]] bool report_holds(std::string_view text, std::string_view words);
[[nodiscard]] int report_line_number(std::string_view digits); // 0: is none

} // namespace cpl_lb
