// The lines of a file that a model's timers wrote. Whatever is wrong is told with file and line; nothing is guessed.
#pragma once

#include "io/files/file_error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

class TimerText {
public:
    TimerText(std::string path, std::string text);
    // Lines point into the text.
    TimerText(const TimerText &) = delete;
    TimerText &operator=(const TimerText &) = delete;

    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] std::string name() const; // of the file, without its folder
    [[nodiscard]] const std::string &text() const { return text_; }
    // Without their ends, also those of other systems.
    [[nodiscard]] const std::vector<std::string_view> &lines() const { return lines_; }

    // The first line from `first` on that has these words in it, one after the other; lines().size(): none.
    [[nodiscard]] std::size_t find(std::string_view words, std::size_t first = 0) const;

    // The first that begins with these words, after blanks.
    [[nodiscard]] std::size_t beginning(std::string_view words, std::size_t first = 0) const;

    // Lines count from 0 here, and from 1 in what a user sees.
    [[nodiscard]] FileError wrong(std::size_t line, const std::string &what) const;
    // "OCN Run Time (cesm_timing.b40, line 45)"
    [[nodiscard]] std::string at(std::size_t line, std::string_view timer) const;
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
    std::string path_, text_;
    std::vector<std::string_view> lines_;
};

// What stands between blanks and tabs.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line);
[[nodiscard]] std::string_view trimmed_line(std::string_view text); // at both ends
// What stands after the first `mark`, without blanks at its ends; empty if there is none.
[[nodiscard]] std::string_view after(std::string_view line, std::string_view mark);
// Whether a word looks like a number, also like one that is damaged: it has digits, or stars only.
[[nodiscard]] bool looks_like_number(std::string_view word);

// Whether a line that is not blank stands behind line `last`. Where a model writes something below its table, a file
// that ends with the table may have lost rows of it.
[[nodiscard]] bool goes_on_after(const TimerText &text, std::size_t last);
// Throws if a line after `first` has these words, with which a run begins.
void refuse_second_run(const TimerText &text, std::size_t first, std::string_view words);
// Seconds since 1970 as ISO 8601 in UTC; empty for NaN.
[[nodiscard]] std::string timer_utc(double unix_s);

} // namespace cpl_lb
