// The lines of a file that a model's timers wrote. Whatever is wrong is told with file and line; nothing is guessed.
#pragma once

#include "io/files/file_error.hpp"
#include "run/timers/timed_run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

using LineTest = bool (*)(std::string_view line);

// Labels of `srun --label` ("12: ") are taken off, and the lines of each process stand together.
class TimerText {
public:
    TimerText(std::string path, std::string text);
    // Lines point into the text.
    TimerText(const TimerText &) = delete;
    TimerText &operator=(const TimerText &) = delete;

    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] std::string name() const;   // of the file, without its folder and ".gz"
    [[nodiscard]] std::string folder() const; // "." without one
    [[nodiscard]] const std::string &text() const { return text_; }
    // Without their ends, also those of other systems.
    [[nodiscard]] const std::vector<std::string_view> &lines() const { return lines_; }

    // The first line from `first` on that has these words in it, one after the other; lines().size(): none.
    [[nodiscard]] std::size_t find(std::string_view words, std::size_t first = 0) const;
    [[nodiscard]] std::size_t find(LineTest is, std::size_t first = 0) const;
    // The first that begins with these words, after blanks.
    [[nodiscard]] std::size_t beginning(std::string_view words, std::size_t first = 0) const;

    [[nodiscard]] bool has(std::string_view words) const { return find(words) < lines_.size(); }
    [[nodiscard]] bool has(LineTest is) const { return find(is) < lines_.size(); }

    // Lines count from 0 here, and from 1 in what a user sees, as they stand in the file.
    [[nodiscard]] std::size_t place(std::size_t line) const { return (places_.empty() ? line : places_[line]) + 1; }
    [[nodiscard]] FileError wrong(std::size_t line, const std::string &what) const;
    // Something is missing up to the last line.
    [[nodiscard]] FileError ends_without(const std::string &what) const;
    [[nodiscard]] FileError second_run(std::size_t line) const;
    // For the first line after `first` with which another run begins.
    void refuse_second_run(std::size_t first, std::string_view words) const;
    // The one line of these with which the run begins. `missing` says what is wrong without one.
    [[nodiscard]] std::size_t only_line(LineTest is, const std::string &missing = {}) const;
    // "OCN Run Time (cesm_timing.b40, line 45)"
    [[nodiscard]] std::string at(std::size_t line, std::string_view timer) const;
    // A row of a table of timers, of which a reader knows its name and its line so far.
    [[nodiscard]] TimedPart part(std::size_t line, std::string_view name) const;
    // A number as Fortran and C print it. Throws FileError for anything else: stars, two numbers without a blank
    // between them, a comma, an infinity. `what` names it: "OCN Run Time".
    [[nodiscard]] double number(std::size_t line, std::string_view word, std::string_view what) const;
    // The same, and not below 0.
    [[nodiscard]] double seconds(std::size_t line, std::string_view word, std::string_view what) const;
    // A whole number from `least` to 2^31 - 1.
    [[nodiscard]] std::int64_t count(std::size_t line, std::string_view word, std::string_view what,
                                     std::int64_t least = 0) const;
    // A number of processes, which no machine has 10 million of.
    [[nodiscard]] std::int64_t processes(std::size_t line, std::string_view word, std::string_view what) const;

private:
    void take_off_labels();

    std::string path_, text_;
    std::vector<std::string_view> lines_;
    std::vector<std::size_t> places_; // of lines in the file, where they were sorted; else empty
};

// Rows of a table that cannot be used, and that no figure of the run or of a component comes from.
class LeftOutRows {
public:
    void add(const FileError &why);
    void remark_on(TimedRun &run) const; // in one line

private:
    std::size_t rows_ = 0;
    std::string first_;
};

inline constexpr std::string_view blanks = " \t\f\v", blanks_and_brackets = " \t\f\v()";

// What stands between blanks and tabs.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line, std::string_view between = blanks);
[[nodiscard]] std::string_view trimmed_line(std::string_view text); // at both ends
[[nodiscard]] std::string_view first_word(std::string_view line);   // empty if there is none
// What stands after the first `mark`, without blanks at its ends; empty if there is none.
[[nodiscard]] std::string_view after(std::string_view line, std::string_view mark);
// What stands before `word`, which is a part of the line, without blanks at its ends.
[[nodiscard]] std::string_view before(std::string_view line, std::string_view word);
// What stands between these marks, and at both ends.
[[nodiscard]] std::vector<std::string_view> pieces_of(std::string_view text, char mark);
[[nodiscard]] std::string lower_case(std::string_view text);
// "tmax of 'Ocean'", for errors.
[[nodiscard]] std::string column_of(std::string_view column, std::string_view row);
[[nodiscard]] bool is_digits(std::string_view word); // and not empty
// "20200101120500" -> "2020-01-01T12:05:00"; empty for anything else.
[[nodiscard]] std::string iso_of_digits(std::string_view digits);
// Whether a word looks like a number, also like one that is damaged: it has digits, or stars only.
[[nodiscard]] bool looks_like_number(std::string_view word);

// Whether a line that is not blank stands behind line `last`. Where a model writes something below its table, a file
// that ends with the table may have lost rows of it.
[[nodiscard]] bool goes_on_after(const TimerText &text, std::size_t last);
// Seconds since 1970 as ISO 8601 in UTC; empty for NaN.
[[nodiscard]] std::string timer_utc(double unix_s);

} // namespace cpl_lb
