// Lines, words and numbers of timer files.
#include "run/timers/timer_text.hpp"

#include "data/time.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::string_view blanks = " \t\f\v";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Why a word that should be a number is none.
std::string why_no_number(std::string_view word) {
    if (word.empty()) return "is missing";
    if (word.find_first_not_of('*') == std::string_view::npos)
        return fmt::format("is {}: it was too large for its column", word);
    const auto digits = std::count_if(word.begin(), word.end(), is_digit);
    if (digits > 0 && word.find(',') != std::string_view::npos)
        return fmt::format("is '{}': a comma in a number; write it with a point", excerpt(word));
    const bool numeric = word.find_first_not_of("0123456789.+-eEdD") == std::string_view::npos;
    if (digits > 0 && numeric) return fmt::format("is '{}': two numbers without a blank between them", excerpt(word));
    return fmt::format("is '{}', no number", excerpt(word));
}

} // namespace

TimerText::TimerText(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
    const std::string_view all = text_;
    for (std::size_t first = 0; first < all.size();) {
        const std::size_t end = std::min(all.find('\n', first), all.size());
        std::string_view line = all.substr(first, end - first);
        while (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        lines_.push_back(line);
        first = end + 1;
    }
}

std::string TimerText::name() const {
    const std::size_t slash = path_.rfind('/');
    return slash == std::string::npos ? path_ : path_.substr(slash + 1);
}

std::size_t TimerText::find(std::string_view words, std::size_t first) const {
    for (std::size_t i = first; i < lines_.size(); ++i)
        if (lines_[i].find(words) != std::string_view::npos) return i;
    return lines_.size();
}

std::size_t TimerText::beginning(std::string_view words, std::size_t first) const {
    for (std::size_t i = first; i < lines_.size(); ++i)
        if (trimmed_line(lines_[i]).starts_with(words)) return i;
    return lines_.size();
}

FileError TimerText::wrong(std::size_t line, const std::string &what) const {
    return {path_, fmt::format("line {}: {}", line + 1, what)};
}

std::string TimerText::at(std::size_t line, std::string_view timer) const {
    return fmt::format("{} ({}, line {})", excerpt(timer), excerpt(name()), line + 1);
}

double TimerText::number(std::size_t line, std::string_view word, std::string_view what) const {
    std::string plain(word.starts_with('+') ? word.substr(1) : word);
    for (char &c : plain)
        if (c == 'd' || c == 'D') c = 'e';
    double value = 0;
    const char *const end = plain.data() + plain.size();
    const auto [stop, error] = std::from_chars(plain.data(), end, value);
    const bool signs = word.starts_with("+-") || word.starts_with("++");
    if (error != std::errc() || stop != end || signs || !std::isfinite(value))
        throw wrong(line, fmt::format("{} {}", what, why_no_number(word)));
    return value;
}

double TimerText::seconds(std::size_t line, std::string_view word, std::string_view what) const {
    const double value = number(line, word, what);
    constexpr double most = 1e10; // three centuries
    if (value < 0 || value > most) throw wrong(line, fmt::format("{} is {}: no time of a run", what, word));
    return value;
}

std::int64_t TimerText::count(std::size_t line, std::string_view word, std::string_view what,
                              std::int64_t least) const {
    const double value = number(line, word, what);
    constexpr double most = 2147483647;
    if (value < static_cast<double>(least) || value > most || value != std::floor(value))
        throw wrong(line, fmt::format("{} is {}: no whole number from {} on", what, word, least));
    return static_cast<std::int64_t>(value);
}

std::int64_t TimerText::processes(std::size_t line, std::string_view word, std::string_view what) const {
    const std::int64_t value = count(line, word, what, 1);
    constexpr std::int64_t most = 10'000'000;
    if (value > most) throw wrong(line, fmt::format("{} is {}: more than {} processes", what, word, most));
    return value;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t first = line.find_first_not_of(blanks); first != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, first), line.size());
        words.push_back(line.substr(first, end - first));
        first = line.find_first_not_of(blanks, end);
    }
    return words;
}

std::string_view trimmed_line(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view after(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    return at == std::string_view::npos ? std::string_view{} : trimmed_line(line.substr(at + mark.size()));
}

bool looks_like_number(std::string_view word) {
    if (word.empty()) return false;
    if (word.find_first_not_of('*') == std::string_view::npos) return true;
    if (word.find_first_not_of("0123456789.,+-eEdD*") != std::string_view::npos) return false;
    return std::any_of(word.begin(), word.end(), is_digit);
}

bool goes_on_after(const TimerText &text, std::size_t last) {
    for (std::size_t i = last + 1; i < text.lines().size(); ++i)
        if (!trimmed_line(text.lines()[i]).empty()) return true;
    return false;
}

void refuse_second_run(const TimerText &text, std::size_t first, std::string_view words) {
    const std::size_t second = text.find(words, first + 1);
    if (second < text.lines().size())
        throw text.wrong(second, "a second run begins here: give each run its own file");
}

std::string timer_utc(double unix_s) {
    return is_known(unix_s) ? utc_text(static_cast<std::int64_t>(std::llround(unix_s))) : "";
}

} // namespace cpl_lb
