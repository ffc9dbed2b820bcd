// Chooses what reads the node's energy: powercap, else perf; hwmon, NVML, ROCm SMI and Cray's pm_counters beside it.
#include "meters/energy.hpp"

#include "meters/energy_check.hpp"
#include "meters/energy_readers.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::array domains = {Domain::package, Domain::dram, Domain::core,   Domain::uncore,
                                Domain::psys,    Domain::gpu,  Domain::module, Domain::node};
constexpr std::size_t sums = 2; // quantities before those of the domains

// Counters move about every millisecond: two samples close together may see the energy of the time before them.
constexpr double update_allowance_s = 1;
// A short misreading leaves the total usable, a lasting one does not.
constexpr double tolerated_rejected_share = 0.01;
// Counters that are there and count nothing (in virtual machines, and psys of most servers) stand still for ever.
// What draws any power moves its counter within a tenth of this; uncore parts may be switched off.
constexpr double counts_nothing_s = 2;
// Sockets of one node run the same model; DRAM zones of some processors are off by a factor between sockets.
constexpr double suspicious_socket_ratio = 4;

} // namespace

double most_power_W(Domain domain) noexcept {
    switch (domain) {
    case Domain::dram:
        return 500;
    case Domain::gpu:
    case Domain::module:
        return 3000;
    case Domain::psys:
    case Domain::node:
        return 20000;
    default:
        return 1000;
    }
}

void EnergyMeter::list_quantities() {
    constexpr std::array<const char *, domains.size()> names = {"package", "dram", "core",   "uncore",
                                                                "psys",    "gpu",  "module", "node"};
    for (const char *sum : {"total", "package_and_dram"})
        add_joules(sum, Scope::node, Domain::none);
    for (std::size_t i = 0; i < domains.size(); ++i)
        add_joules(names[i], domains[i] == Domain::gpu ? Scope::device : Scope::node, domains[i]);
}

Availability EnergyMeter::open_cpu() {
    Availability answer;
    for (const auto make : {make_rapl_reader, make_perf_power_reader}) {
        auto reader = make(options_);
        Availability tried = reader->open();
        if (tried.works) {
            add_source(std::move(reader));
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
    const std::string why_no_cpu = answer.works ? "" : answer.reason;
    const bool by_hwmon = open_beside(make_hwmon_reader(options_));
    answer.works |= by_hwmon;
    answer.works |= open_beside(make_nvml_reader(options_));
    answer.works |= open_beside(make_rocm_smi_reader(options_));
    answer.works |= open_beside(make_pm_counters_reader(options_));
    // Where the node is counted, or its processors in another way, nobody needs to hear of a way that is closed.
    const bool contained = has(Domain::node) || has(Domain::module);
    if (contained || (by_hwmon && has(Domain::package))) answer = Availability::good();
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const bool by_others =
            domains[i] == Domain::gpu || domains[i] == Domain::module || domains[i] == Domain::node;
        const bool nobody_looked = by_others || why_no_cpu.empty();
        if (!has(domains[i])) quantities_[i + sums].why_missing = nobody_looked ? "not here" : why_no_cpu;
    }
    quantities_[1].why_missing = quantities_[sums].why_missing; // without package no sum of it and DRAM
    if (!contained) quantities_[0].why_missing = quantities_[1].why_missing;
    values_.assign(zones_.size(), unknown);
    find_longest_gap();
    last_sample_ = options_.clock();
    return answer;
}

bool EnergyMeter::open_beside(std::unique_ptr<Reader> reader) {
    if (!reader->open().works) return false;
    add_source(std::move(reader));
    return true;
}

void EnergyMeter::add_source(std::unique_ptr<Reader> reader) {
    std::vector<double> first(reader->quantities().size(), unknown);
    reader->read(first);
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Quantity &quantity = reader->quantities()[i];
        zone_names_.push_back(quantity.name);
        const bool known = is_known(first[i]);
        zones_.push_back({.source = sources_.size(),
                          .domain = quantity.domain,
                          .last_J = known ? first[i] : 0,
                          .missing = !known});
    }
    sources_.push_back(std::move(reader));
}

std::string EnergyMeter::source() const {
    std::string names;
    for (const auto &source : sources_)
        names += (names.empty() ? "" : ", ") + std::string(source->name());
    return names;
}

void EnergyMeter::find_longest_gap() {
    for (const auto &source : sources_) {
        for (const Quantity &quantity : source->quantities()) {
            const double gap_s = quantity.wraps_after / most_power_W(quantity.domain);
            if (is_known(gap_s) && !(longest_gap_s_ <= gap_s)) longest_gap_s_ = gap_s;
        }
    }
}

void EnergyMeter::sample() noexcept {
    if (busy_.test_and_set(std::memory_order_acquire)) return;
    std::span<double> rest(values_);
    for (const auto &source : sources_) {
        const std::size_t zones = source->quantities().size();
        source->read(rest.first(zones));
        rest = rest.subspan(zones);
    }
    const Nanoseconds now = options_.clock();
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
    if (zone.missing || zone.rejected_s > tolerated_rejected_share * sampled_s_ || counts_nothing(zone))
        return unknown;
    return zone.total_J;
}

bool EnergyMeter::counts_nothing(const Zone &zone) const noexcept {
    return zone.total_J == 0 && !(zone.rejected_s > 0) && sampled_s_ >= counts_nothing_s &&
           zone.domain != Domain::core && zone.domain != Domain::uncore;
}

bool EnergyMeter::has(Domain domain) const noexcept {
    return source_of(domain) < sources_.size();
}

std::size_t EnergyMeter::source_of(Domain domain) const noexcept {
    const auto first = std::find_if(zones_.begin(), zones_.end(), [&](auto &zone) { return zone.domain == domain; });
    return first != zones_.end() ? first->source : sources_.size();
}

double EnergyMeter::sum_of(Domain domain) const noexcept {
    return sum_of(domain, source_of(domain));
}

double EnergyMeter::sum_of(Domain domain, std::size_t source) const noexcept {
    double sum = unknown;
    for (const Zone &zone : zones_) {
        if (zone.domain != domain || zone.source != source) continue;
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
                     .gpu_J = sum_of(Domain::gpu),
                     .module_J = sum_of(Domain::module),
                     .node_J = sum_of(Domain::node)};
    all.package_and_dram_J = has(Domain::dram) ? all.package_J + all.dram_J : all.package_J;
    const double parts_J = is_known(all.gpu_J) ? all.package_and_dram_J + all.gpu_J : all.package_and_dram_J;
    all.total_J = has(Domain::node) ? all.node_J : has(Domain::module) ? all.module_J : parts_J;
    return all;
}

void EnergyMeter::read_known(std::span<double> values) noexcept {
    sample();
    if (busy_.test_and_set(std::memory_order_acquire)) return;
    const EnergyTotals now = totals();
    busy_.clear(std::memory_order_release);
    const std::array all = {
        now.total_J, now.package_and_dram_J, now.package_J, now.dram_J, now.core_J, now.uncore_J, now.psys_J,
        now.gpu_J,   now.module_J,           now.node_J};
    std::ranges::copy(all, values.begin());
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
    for (const auto &source : sources_) {
        for (std::string &remark : source->remarks())
            all.push_back(std::move(remark));
    }
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        if (!zones_[i].missing && counts_nothing(zones_[i]))
            all.push_back(say(Sentence::remark_counts_nothing,
                              {{"name", zone_names_[i]}, {"seconds", fmt::format("{:.0f}", sampled_s_)}}));
        if (!(zones_[i].rejected_s > 0)) continue;
        all.push_back(say(Sentence::remark_too_much_power,
                          {{"name", zone_names_[i]},
                           {"watts", fmt::format("{:.0f}", implausible_factor * most_power_W(zones_[i].domain))},
                           {"seconds", fmt::format("{:.1f}", zones_[i].rejected_s)},
                           {"all", fmt::format("{:.1f}", sampled_s_)},
                           {"figure", is_known(zone_J(zones_[i])) ? "not counted, a lower bound" : "n/a"}}));
    }
    if (worst_gap_s_ > longest_gap_s_) {
        all.push_back(say(Sentence::remark_not_sampled, {{"seconds", fmt::format("{:.0f}", worst_gap_s_)},
                                                         {"longest", fmt::format("{:.0f}", longest_gap_s_)}}));
    }
    compare_sockets(all);
    compare_sources(all);
    compare_parts(all);
    return all;
}

void EnergyMeter::compare_sources(std::vector<std::string> &remarks) const {
    for (const Domain domain : {Domain::package, Domain::dram, Domain::gpu, Domain::module}) {
        const std::size_t used = source_of(domain);
        for (std::size_t other = used + 1; other < sources_.size(); ++other) {
            const SourceEnergy counts{sources_[used]->name(), sum_of(domain, used)};
            const SourceEnergy beside{sources_[other]->name(), sum_of(domain, other)};
            std::string remark = disagreement(energy_words(domain), counts, beside, sampled_s_);
            if (!remark.empty()) remarks.push_back(std::move(remark));
        }
    }
}

void EnergyMeter::compare_parts(std::vector<std::string> &remarks) const {
    const EnergyTotals now = totals();
    const auto compare = [&](const WholeEnergy &whole, std::initializer_list<double> parts) {
        double parts_J = 0;
        for (const double part_J : parts)
            if (is_known(part_J)) parts_J += part_J;
        std::string remark = parts_exceed_whole(whole, parts_J, sampled_s_);
        if (!remark.empty()) remarks.push_back(std::move(remark));
    };
    compare({"the whole node", "package, DRAM and GPUs", now.node_J, true}, {now.package_J, now.dram_J, now.gpu_J});
    compare({"the whole node", "the modules", now.node_J, true}, {now.module_J});
    compare({"the modules", "package, DRAM and GPUs", now.module_J, !has(Domain::node)},
            {now.package_J, now.dram_J, now.gpu_J});
    compare({"the board (psys)", "package and DRAM", now.psys_J, false}, {now.package_J, now.dram_J});
}

void EnergyMeter::compare_sockets(std::vector<std::string> &remarks) const {
    double least = unknown, most = unknown;
    for (const Zone &zone : zones_) {
        if (zone.domain != Domain::dram || zone.source != source_of(Domain::dram)) continue;
        if (!is_known(zone_J(zone))) continue;
        least = is_known(least) ? std::min(least, zone_J(zone)) : zone_J(zone);
        most = is_known(most) ? std::max(most, zone_J(zone)) : zone_J(zone);
    }
    if (most > suspicious_socket_ratio * least && most > sampled_s_) { // and above 1 W
        remarks.push_back(say(Sentence::remark_sockets_differ,
                              {{"least", fmt::format("{:.1f}", least)}, {"most", fmt::format("{:.1f}", most)}}));
    }
}

std::unique_ptr<Reader> make_energy_reader(const ReaderOptions &options) {
    return std::make_unique<EnergyMeter>(options);
}

} // namespace cpl_lb
