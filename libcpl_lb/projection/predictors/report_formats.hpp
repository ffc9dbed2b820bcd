// The lines in which compilers say what became of loops. One reader for each way of writing; each is given all lines
// of a report, and takes those that are its own.
#pragma once

#include "projection/predictors/vector_report.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace cpl_lb {

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
[[nodiscard]] std::string_view report_trimmed(std::string_view text);

} // namespace cpl_lb
