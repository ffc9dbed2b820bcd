// Lines, words and numbers of timer files.
#include "run/timers/timer_text.hpp"

#include "data/time.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace cpl_lb {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Why a word that should be a number is none.
std::string why_no_number(std::string_view word) {
    if (word.empty()) return "is missing";
    if (word.find_first_not_of('*') == std::string_view::npos)
        return fmt::format("is {}: it was too large for its column", word);
    const bool digits = std::ranges::any_of(word, is_digit);
    if (digits && word.find(',') != std::string_view::npos)
        return fmt::format("is '{}': a comma in a number; write it with a point", excerpt(word));
    const bool numeric = word.find_first_not_of("0123456789.+-eEdD") == std::string_view::npos;
    if (digits && numeric) return fmt::format("is '{}': two numbers without a blank between them", excerpt(word));
    return fmt::format("is '{}', no number", excerpt(word));
}

} // namespace

TimerText::TimerText(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
    if (text_.empty()) return;
    lines_ = pieces_of(text_, '\n');
    if (text_.ends_with('\n')) lines_.pop_back();
    for (std::string_view &line : lines_)
        while (line.ends_with('\r'))
            line.remove_suffix(1);
    take_off_labels();
}

void TimerText::take_off_labels() {
    std::vector<std::int64_t> labels(lines_.size(), -1);
    std::vector<std::string_view> rests(lines_);
    std::size_t labelled = 0, others = 0; // words of srun and of the job's script
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const std::string_view line = trimmed_line(lines_[i]);
        const std::size_t end = line.find(':');
        const std::string_view rest = end < line.size() ? line.substr(end + 1) : "x";
        if (!is_digits(line.substr(0, end)) || (!rest.empty() && rest.front() != ' ')) {
            others += line.empty() ? 0 : 1;
            continue;
        }
        std::from_chars(line.data(), line.data() + end, labels[i]);
        rests[i] = rest.empty() ? rest : rest.substr(1);
        ++labelled;
    }
    if (labelled <= others) return;
    places_.resize(lines_.size());
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    std::ranges::stable_sort(places_, {}, [&](std::size_t i) { return labels[i]; });
    for (std::size_t i = 0; i < lines_.size(); ++i)
        lines_[i] = rests[places_[i]];
}

std::string TimerText::name() const {
    const std::string name = path_.substr(path_.rfind('/') + 1); // without a slash all of it
    return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
}

std::string TimerText::folder() const {
    const std::size_t slash = path_.rfind('/');
    return slash == std::string::npos ? "." : path_.substr(0, slash);
}

std::size_t TimerText::find(std::string_view words, std::size_t first) const {
    for (std::size_t i = first; i < lines_.size(); ++i)
        if (lines_[i].find(words) != std::string_view::npos) return i;
    return lines_.size();
}

std::size_t TimerText::find(LineTest is, std::size_t first) const {
    for (std::size_t i = first; i < lines_.size(); ++i)
        if (is(lines_[i])) return i;
    return lines_.size();
}

std::size_t TimerText::beginning(std::string_view words, std::size_t first) const {
    for (std::size_t i = first; i < lines_.size(); ++i)
        if (trimmed_line(lines_[i]).starts_with(words)) return i;
    return lines_.size();
}

FileError TimerText::wrong(std::size_t line, const std::string &what) const {
    return {path_, fmt::format("line {}: {}", place(line), what)};
}

FileError TimerText::ends_without(const std::string &what) const {
    return wrong(lines_.empty() ? 0 : lines_.size() - 1, what);
}

FileError TimerText::second_run(std::size_t line) const {
    return wrong(line, "a second run begins here: give each run its own file");
}

void TimerText::refuse_second_run(std::size_t first, std::string_view words) const {
    if (const std::size_t second = find(words, first + 1); second < lines_.size()) throw second_run(second);
}

std::size_t TimerText::only_line(LineTest is, const std::string &missing) const {
    const std::size_t first = find(is);
    if (first == lines_.size()) throw ends_without(missing);
    if (const std::size_t second = find(is, first + 1); second < lines_.size()) throw second_run(second);
    return first;
}

std::string TimerText::at(std::size_t line, std::string_view timer) const {
    return fmt::format("{} ({}, line {})", excerpt(timer), excerpt(name()), place(line));
}

TimedPart TimerText::part(std::size_t line, std::string_view name) const {
    TimedPart part;
    part.name = name;
    part.from = at(line, name);
    part.line = line;
    return part;
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

void LeftOutRows::add(const FileError &why) {
    if (rows_++ > 0) return;
    const std::string_view line = why.what(); // PATH: line 5: ...
    first_ = line.substr(line.rfind('/', line.find(": ")) + 1);
}

void LeftOutRows::remark_on(TimedRun &run) const {
    if (rows_ > 0) run.remark(Sentence::timers_rows_left_out, {{"rows", counted(rows_, "row")}, {"first", first_}});
}

std::vector<std::string_view> words_of(std::string_view line, std::string_view between) {
    std::vector<std::string_view> words;
    for (std::size_t first = line.find_first_not_of(between); first != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(between, first), line.size());
        words.push_back(line.substr(first, end - first));
        first = line.find_first_not_of(between, end);
    }
    return words;
}

std::string_view trimmed_line(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view first_word(std::string_view line) {
    line = trimmed_line(line);
    return line.substr(0, line.find_first_of(blanks));
}

std::string_view after(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    return at == std::string_view::npos ? std::string_view{} : trimmed_line(line.substr(at + mark.size()));
}

std::string_view before(std::string_view line, std::string_view word) {
    return trimmed_line({line.data(), word.data()});
}

std::vector<std::string_view> pieces_of(std::string_view text, char mark) {
    std::vector<std::string_view> pieces;
    for (std::size_t end = text.find(mark); end != std::string_view::npos; end = text.find(mark)) {
        pieces.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    pieces.push_back(text);
    return pieces;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::string column_of(std::string_view column, std::string_view row) {
    return fmt::format("{} of '{}'", column, row);
}

bool looks_like_number(std::string_view word) {
    if (word.empty()) return false;
    if (word.find_first_not_of('*') == std::string_view::npos) return true;
    if (word.find_first_not_of("0123456789.,+-eEdD*") != std::string_view::npos) return false;
    return std::ranges::any_of(word, is_digit);
}

bool is_digits(std::string_view word) {
    return !word.empty() && std::ranges::all_of(word, is_digit);
}

std::string iso_of_digits(std::string_view digits) {
    if (digits.size() != 14 || !is_digits(digits)) return "";
    return fmt::format("{}-{}-{}T{}:{}:{}", digits.substr(0, 4), digits.substr(4, 2), digits.substr(6, 2),
                       digits.substr(8, 2), digits.substr(10, 2), digits.substr(12, 2));
}

bool goes_on_after(const TimerText &text, std::size_t last) {
    const auto has_words = [](std::string_view line) { return !trimmed_line(line).empty(); };
    return text.find(has_words, last + 1) < text.lines().size();
}

std::string timer_utc(double unix_s) {
    return is_known(unix_s) ? utc_text(static_cast<std::int64_t>(std::llround(unix_s))) : "";
}

} // namespace cpl_lb
