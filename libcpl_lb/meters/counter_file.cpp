// Counters of energy in files of /sys, as hwmon and Cray's pm_counters have them.
#include "meters/counter_file.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <array>
#include <cerrno>

namespace cpl_lb {
namespace {

using CounterText = std::array<char, 96>;

} // namespace

CounterFile::Opened CounterFile::open(const std::string &path, OpenFile open_file, Parse parse,
                                      std::string_view wanted, std::string *why) {
    parse_ = parse;
    error_ = file_.open(path, open_file);
    if (error_ == ENOENT || error_ == ENOTDIR) return Opened::not_there;
    CounterText text{};
    errno = 0;
    const std::string_view line = error_ == 0 ? file_.read(text) : "";
    if (error_ == 0 && line.empty()) error_ = errno;
    const auto number = parse_(line);
    if (!number) {
        *why = error_ != 0 ? fmt::format("{}: {}", path, error_text(error_))
                           : fmt::format("{}: '{}' is no {}", path, line.substr(0, line.find('\n')), wanted);
        return Opened::refused;
    }
    first_ = *number;
    sum_ = WrapCounter(first_, 0);
    return Opened::works;
}

std::optional<std::uint64_t> CounterFile::read() const noexcept {
    CounterText text{};
    return parse_(file_.read(text));
}

std::uint64_t CounterFile::count(std::uint64_t raw) noexcept {
    if (sum_.advance(raw) == WrapCounter::Step::skipped) ++skipped_;
    return sum_.total();
}

std::uint64_t CounterFile::count_anew(std::uint64_t raw) noexcept {
    sum_.start_from(raw);
    ++skipped_;
    return sum_.total();
}

std::vector<std::string> no_energy_of(const std::vector<std::string> &refused) {
    std::vector<std::string> all;
    all.reserve(refused.size());
    for (const std::string &why : refused)
        all.push_back(say(Sentence::remark_no_energy, {{"what", why}}));
    return all;
}

std::string started_again(std::string_view counter, std::int64_t times) {
    return say(Sentence::remark_started_again,
               {{"counter", std::string(counter)}, {"times", counted(times, "time")}});
}

} // namespace cpl_lb
