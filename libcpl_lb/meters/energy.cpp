// Chooses what reads the node's energy: powercap, else perf; adds NVML for GPUs.
#include "meters/energy.hpp"

#include "meters/steady_clock.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::array domains = {Domain::package, Domain::dram, Domain::core,
                                Domain::uncore,  Domain::psys, Domain::gpu};

// Counters move about every millisecond: two samples close together may see the energy of the time before them.
constexpr double update_allowance_s = 1;
// A short misreading leaves the total usable, a lasting one does not.
constexpr double tolerated_rejected_share = 0.01;
// Sockets of one node run the same model; DRAM zones of some processors are off by a factor between sockets.
constexpr double suspicious_socket_ratio = 4;

} // namespace

double most_power_W(Domain domain) noexcept {
    switch (domain) {
    case Domain::dram:
        return 500;
    case Domain::gpu:
        return 3000;
    case Domain::psys:
        return 20000;
    default:
        return 1000;
    }
}

EnergyMeter::EnergyMeter(ReaderOptions options, Nanoseconds (*clock)() noexcept)
    : options_(std::move(options)), clock_(clock) {}

void EnergyMeter::list_quantities() {
    constexpr std::array<const char *, domains.size()> names = {"package", "dram", "core", "uncore", "psys", "gpu"};
    quantities_.push_back(
        {.name = "package_and_dram", .unit = "J", .scope = Scope::node, .measure = Measure::counter});
    for (std::size_t i = 0; i < domains.size(); ++i) {
        quantities_.push_back({.name = names[i],
                               .unit = "J",
                               .scope = domains[i] == Domain::gpu ? Scope::device : Scope::node,
                               .measure = Measure::counter,
                               .domain = domains[i]});
    }
}

Availability EnergyMeter::open_cpu() {
    Availability answer;
    for (const auto make : {make_rapl_reader, make_perf_power_reader}) {
        auto reader = make(options_);
        Availability tried = reader->open();
        if (tried.works) {
            cpu_ = std::move(reader);
            return tried;
        }
        answer.reason += fmt::format("{}{}: {}", answer.reason.empty() ? "" : "; ", reader->name(), tried.reason);
        if (answer.remedy.empty()) answer.remedy = tried.remedy;
    }
    return answer;
}

Availability EnergyMeter::open() {
    list_quantities();
    Availability answer = open_cpu();
    if (cpu_) add_zones(*cpu_);
    auto gpu = make_nvml_reader(options_);
    if (gpu->open().works) {
        gpu_ = std::move(gpu);
        add_zones(*gpu_);
        answer.works = true;
    }
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const bool there =
            std::any_of(zones_.begin(), zones_.end(), [&](auto &zone) { return zone.domain == domains[i]; });
        if (!there) quantities_[i + 1].why_missing = cpu_ || domains[i] == Domain::gpu ? "not here" : answer.reason;
    }
    quantities_[0].why_missing = quantities_[1].why_missing;
    values_.assign(zones_.size(), unknown);
    find_longest_gap();
    last_sample_ = clock_();
    return answer;
}

void EnergyMeter::add_zones(Reader &reader) {
    std::vector<double> first(reader.quantities().size(), unknown);
    reader.read(first);
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Quantity &quantity = reader.quantities()[i];
        zone_names_.push_back(quantity.name);
        const bool known = is_known(first[i]);
        zones_.push_back({.domain = quantity.domain, .last_J = known ? first[i] : 0, .missing = !known});
    }
}

void EnergyMeter::find_longest_gap() {
    if (!cpu_) return;
    for (const Quantity &quantity : cpu_->quantities()) {
        const double gap_s = quantity.wraps_after / most_power_W(quantity.domain);
        if (is_known(gap_s) && !(longest_gap_s_ <= gap_s)) longest_gap_s_ = gap_s;
    }
}

void EnergyMeter::sample() noexcept {
    if (busy_.test_and_set(std::memory_order_acquire)) return;
    const std::span<double> all(values_);
    const std::size_t cpu_zones = cpu_ ? cpu_->quantities().size() : 0;
    if (cpu_) cpu_->read(all.first(cpu_zones));
    if (gpu_) gpu_->read(all.subspan(cpu_zones));
    const Nanoseconds now = clock_();
    account(to_seconds(now - last_sample_));
    last_sample_ = now;
    busy_.clear(std::memory_order_release);
}

void EnergyMeter::account(double elapsed_s) noexcept {
    sampled_s_ += elapsed_s;
    worst_gap_s_ = std::max(worst_gap_s_, elapsed_s);
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        Zone &zone = zones_[i];
        zone.since_s += elapsed_s;
        // Where one reading is missing the next difference spans both intervals.
        zone.missing = !is_known(values_[i]);
        if (zone.missing) continue;
        const double used_J = values_[i] - zone.last_J;
        const double most_J = implausible_factor * most_power_W(zone.domain) * (zone.since_s + update_allowance_s);
        if (used_J < 0 || used_J > most_J) {
            zone.rejected_s += zone.since_s;
        } else {
            zone.total_J += used_J;
        }
        zone.last_J = values_[i];
        zone.since_s = 0;
    }
}

double EnergyMeter::zone_J(const Zone &zone) const noexcept {
    if (zone.missing || zone.rejected_s > tolerated_rejected_share * sampled_s_) return unknown;
    return zone.total_J;
}

double EnergyMeter::sum_of(Domain domain) const noexcept {
    double sum = unknown;
    for (const Zone &zone : zones_) {
        if (zone.domain != domain) continue;
        sum = is_known(sum) ? sum + zone_J(zone) : zone_J(zone);
        if (!is_known(sum)) return unknown; // half of the sockets is no figure
    }
    return sum;
}

EnergyTotals EnergyMeter::totals() const noexcept {
    EnergyTotals all{.package_J = sum_of(Domain::package),
                     .dram_J = sum_of(Domain::dram),
                     .core_J = sum_of(Domain::core),
                     .uncore_J = sum_of(Domain::uncore),
                     .psys_J = sum_of(Domain::psys),
                     .gpu_J = sum_of(Domain::gpu)};
    const bool has_dram =
        std::any_of(zones_.begin(), zones_.end(), [](const Zone &zone) { return zone.domain == Domain::dram; });
    all.package_and_dram_J = has_dram ? all.package_J + all.dram_J : all.package_J;
    return all;
}

void EnergyMeter::read(std::span<double> values) noexcept {
    std::fill(values.begin(), values.end(), unknown);
    sample();
    if (busy_.test_and_set(std::memory_order_acquire)) return;
    const EnergyTotals now = totals();
    busy_.clear(std::memory_order_release);
    const std::array all = {now.package_and_dram_J, now.package_J, now.dram_J, now.core_J,
                            now.uncore_J,           now.psys_J,    now.gpu_J};
    std::copy_n(all.begin(), std::min(values.size(), all.size()), values.begin());
}

std::vector<EnergyMeter::ZoneTotal> EnergyMeter::zones() const {
    std::vector<ZoneTotal> all;
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        all.push_back({zone_names_[i], zones_[i].domain, zone_J(zones_[i])});
    }
    return all;
}

std::vector<std::string> EnergyMeter::remarks() const {
    std::vector<std::string> all;
    for (const Reader *reader : {cpu_.get(), gpu_.get()}) {
        if (reader == nullptr) continue;
        for (std::string &remark : reader->remarks())
            all.push_back(std::move(remark));
    }
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        if (!(zones_[i].rejected_s > 0)) continue;
        all.push_back(fmt::format("{} claimed more than {:.0f} W, or went back, during {:.1f} s of {:.1f} s: {}",
                                  zone_names_[i], implausible_factor * most_power_W(zones_[i].domain),
                                  zones_[i].rejected_s, sampled_s_,
                                  is_known(zone_J(zones_[i])) ? "not counted, a lower bound" : "n/a"));
    }
    if (worst_gap_s_ > longest_gap_s_) {
        all.push_back(fmt::format("energy was not sampled for {:.0f} s; a counter can wrap twice after {:.0f} s: the "
                                  "energy is a lower bound",
                                  worst_gap_s_, longest_gap_s_));
    }
    compare_sockets(all);
    return all;
}

void EnergyMeter::compare_sockets(std::vector<std::string> &remarks) const {
    double least = unknown, most = unknown;
    for (const Zone &zone : zones_) {
        if (zone.domain != Domain::dram || !is_known(zone_J(zone))) continue;
        least = is_known(least) ? std::min(least, zone_J(zone)) : zone_J(zone);
        most = is_known(most) ? std::max(most, zone_J(zone)) : zone_J(zone);
    }
    if (most > suspicious_socket_ratio * least && most > sampled_s_) { // and above 1 W
        remarks.push_back(
            fmt::format("DRAM energy differs from {:.1f} J to {:.1f} J between sockets: some processors "
                        "report it with a wrong unit",
                        least, most));
    }
}

std::unique_ptr<Reader> make_energy_reader(const ReaderOptions &options) {
    return std::make_unique<EnergyMeter>(options, steady_now);
}

} // namespace cpl_lb
