// Each event of cn_counters by what can count it here: PAPI, else the kernel's perf events. Events that only happen
// inside the kernel are for perf events first, because PAPI counts user mode, where they are always 0.
#include "meters/event_names.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <utility>

namespace cpl_lb {
namespace {

class CountersReader final : public Reader {
public:
    explicit CountersReader(ReaderOptions options) : options_(std::move(options)) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "counters"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    struct Source {
        std::unique_ptr<Reader> reader;
        std::vector<std::size_t> from, to; // its quantity from[i] is this reader's quantity to[i]
        std::vector<double> values;
    };

    void try_source(std::unique_ptr<Reader> (*make)(const ReaderOptions &), std::vector<std::size_t> wanted);
    [[nodiscard]] std::vector<std::size_t> still_missing() const;

    ReaderOptions options_;
    std::vector<Source> sources_;
    std::vector<bool> counted_; // by quantity
    std::string remedy_;
};

Availability CountersReader::open() {
    for (const std::string &event : split_event_names(options_.counters)) {
        quantities_.push_back({.name = event, .unit = "1", .measure = Measure::counter});
    }
    if (quantities_.empty()) return Availability::missing("no events asked for", "name some in cn_counters");
    counted_.assign(quantities_.size(), false);
    const auto in_kernel = [&](std::size_t i) { return happens_in_kernel(quantities_[i].name); };
    std::vector<std::size_t> others = still_missing();
    std::erase_if(others, in_kernel);
    try_source(make_papi_reader, std::move(others));
    // Opened together with the events that PAPI cannot count: software events in one group are one system call.
    try_source(make_perf_events_reader, still_missing());
    std::vector<std::size_t> kernel = still_missing();
    std::erase_if(kernel, [&](std::size_t i) { return !in_kernel(i); });
    try_source(make_papi_reader, std::move(kernel));

    Availability answer{!sources_.empty(), {}, {}};
    for (const std::size_t i : still_missing()) {
        answer.reason += fmt::format("{}{}: {}", answer.reason.empty() ? "" : "; ", quantities_[i].name,
                                     quantities_[i].why_missing);
        answer.remedy = remedy_;
    }
    return answer;
}

std::vector<std::size_t> CountersReader::still_missing() const {
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < quantities_.size(); ++i) {
        if (!counted_[i]) missing.push_back(i);
    }
    return missing;
}

void CountersReader::try_source(std::unique_ptr<Reader> (*make)(const ReaderOptions &),
                                std::vector<std::size_t> wanted) {
    if (wanted.empty()) return;
    ReaderOptions options = options_;
    options.counters.clear();
    for (const std::size_t i : wanted)
        options.counters += quantities_[i].name + ",";
    Source source{make(options), {}, {}, {}};
    const Availability answer = source.reader->open();
    const auto offered = source.reader->quantities();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        Quantity &quantity = quantities_[wanted[i]];
        const std::string &why = i < offered.size() ? offered[i].why_missing : answer.reason;
        if (answer.works && why.empty()) {
            source.from.push_back(i);
            source.to.push_back(wanted[i]);
            counted_[wanted[i]] = true;
            quantity.why_missing.clear();
        } else if (quantity.why_missing.find(why) == std::string::npos) {
            quantity.why_missing += (quantity.why_missing.empty() ? "" : "; ") + why;
        }
    }
    if (remedy_.empty()) remedy_ = answer.remedy;
    source.values.assign(offered.size(), unknown);
    if (!source.from.empty()) sources_.push_back(std::move(source));
}

void CountersReader::read_known(std::span<double> values) noexcept {
    for (Source &source : sources_) {
        source.reader->read(source.values);
        for (std::size_t i = 0; i < source.from.size(); ++i)
            values[source.to[i]] = source.values[source.from[i]];
    }
}

std::vector<std::string> CountersReader::remarks() const {
    std::vector<std::string> all;
    for (const Source &source : sources_) {
        for (std::string &remark : source.reader->remarks())
            all.push_back(std::move(remark));
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_counters_reader(const ReaderOptions &options) {
    return std::make_unique<CountersReader>(options);
}

} // namespace cpl_lb
