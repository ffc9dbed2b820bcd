// Energy of a Cray node: /sys/cray/pm_counters, which the node's controller fills about ten times a second. A file is
// one line, "57012345 J 1720000000123456 us"; `energy` is the whole node and contains all others. `freshness` goes up
// with each refresh, `startup` changes when the controller started again and with it the counters.
#include "meters/counter_file.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace cpl_lb {
namespace {

// The controller refreshes about ten times a second; after so long without a change the figures are old.
constexpr double stale_s = 5;

// The joules of a line, or nothing if it has another unit.
std::optional<std::uint64_t> parse_joules(std::string_view line) noexcept {
    const auto number = parse_number(line);
    if (!number) return std::nullopt;
    const auto digits_end = line.find_first_not_of("0123456789", line.find_first_of("0123456789"));
    if (digits_end == std::string_view::npos) return std::nullopt;
    const auto unit = line.find_first_not_of(' ', digits_end);
    const bool is_J = unit != std::string_view::npos && line[unit] == 'J' &&
                      (unit + 1 == line.size() || line[unit + 1] == ' ' || line[unit + 1] == '\n');
    return is_J ? number : std::nullopt;
}

class PmCountersReader final : public Reader {
public:
    explicit PmCountersReader(const ReaderOptions &options)
        : folder_(options.sysfs_root + "/cray/pm_counters"), open_file_(options.open_file), clock_(options.clock) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "pm_counters"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    bool add(const std::string &file, const std::string &label, Domain domain);
    void add_accelerators();
    [[nodiscard]] std::optional<std::uint64_t> number_in(const KeptFile &file) const noexcept;
    [[nodiscard]] bool is_stale() noexcept;
    [[nodiscard]] bool controller_started_again() noexcept;

    std::string folder_;
    OpenFile open_file_;
    Nanoseconds (*clock_)() noexcept;
    KeptFile freshness_, startup_;
    std::uint64_t last_freshness_ = 0, last_startup_ = 0;
    Nanoseconds refreshed_ = 0; // when freshness was seen to change
    double longest_stale_s_ = 0;
    std::vector<CounterFile> counters_;
    std::vector<std::string> refused_;
};

std::optional<std::uint64_t> PmCountersReader::number_in(const KeptFile &file) const noexcept {
    if (!file.is_open()) return std::nullopt;
    std::array<char, 32> text{};
    return parse_number(file.read(text));
}

Availability PmCountersReader::open() {
    const bool node = add("energy", "cray-node", Domain::node);
    const bool cpu = add("cpu_energy", "cray-cpu", Domain::package);
    const bool memory = add("memory_energy", "cray-memory", Domain::dram);
    add_accelerators();
    if (!node && !cpu && !memory && counters_.empty()) {
        if (refused_.empty()) return Availability::missing("no " + folder_ + ": only nodes of a Cray have it");
        return Availability::missing(refused_.front(), "ask for read access to " + folder_ + " on compute nodes");
    }
    // Both are there on every system known; without them the check is left out.
    static_cast<void>(freshness_.open(folder_ + "/freshness", open_file_));
    static_cast<void>(startup_.open(folder_ + "/startup", open_file_));
    last_freshness_ = number_in(freshness_).value_or(0);
    last_startup_ = number_in(startup_).value_or(0);
    refreshed_ = clock_();
    return {true, refused_.empty() ? "" : refused_.front(), {}};
}

// A node with one accelerator has accel_energy alone; beside numbered ones it would be their sum.
void PmCountersReader::add_accelerators() {
    bool numbered = false;
    constexpr int most_accelerators = 16;
    for (int i = 0; i < most_accelerators; ++i)
        numbered |= add(fmt::format("accel{}_energy", i), fmt::format("cray-accel-{}", i), Domain::gpu);
    if (!numbered) add("accel_energy", "cray-accel", Domain::gpu);
}

bool PmCountersReader::add(const std::string &file, const std::string &label, Domain domain) {
    CounterFile counter;
    std::string why;
    const auto opened = counter.open(folder_ + "/" + file, open_file_, parse_joules, "number of joules (J)", &why);
    if (opened == CounterFile::Opened::refused) refused_.push_back(std::move(why));
    if (opened != CounterFile::Opened::works) return false;
    counters_.push_back(std::move(counter));
    add_joules(label, domain == Domain::gpu ? Scope::device : Scope::node, domain);
    return true;
}

bool PmCountersReader::is_stale() noexcept {
    const auto freshness = number_in(freshness_);
    if (!freshness) return false;
    const Nanoseconds now = clock_();
    if (*freshness != last_freshness_) {
        last_freshness_ = *freshness;
        refreshed_ = now;
    }
    const double silent_s = to_seconds(now - refreshed_);
    if (silent_s < stale_s) return false;
    longest_stale_s_ = std::max(longest_stale_s_, silent_s);
    return true;
}

bool PmCountersReader::controller_started_again() noexcept {
    const auto startup = number_in(startup_);
    if (!startup || *startup == last_startup_) return false;
    last_startup_ = *startup;
    return true;
}

void PmCountersReader::read_known(std::span<double> values) noexcept {
    const bool stale = is_stale();
    const bool anew = controller_started_again();
    for (std::size_t i = 0; i < counters_.size(); ++i) {
        const auto raw_J = counters_[i].read();
        if (!raw_J) continue;
        // What it counted since it began anew says nothing of what was lost before.
        const std::uint64_t joules = anew ? counters_[i].count_anew(*raw_J) : counters_[i].count(*raw_J);
        if (!stale) values[i] = static_cast<double>(joules);
    }
}

std::vector<std::string> PmCountersReader::remarks() const {
    std::vector<std::string> all = no_energy_of(refused_);
    if (longest_stale_s_ > 0) {
        all.push_back(say(Sentence::remark_not_refreshed, {{"seconds", fmt::format("{:.0f}", longest_stale_s_)}}));
    }
    for (std::size_t i = 0; i < counters_.size(); ++i) {
        if (counters_[i].skipped() > 0) all.push_back(started_again(quantities_[i].name, counters_[i].skipped()));
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_pm_counters_reader(const ReaderOptions &options) {
    return std::make_unique<PmCountersReader>(options);
}

} // namespace cpl_lb
