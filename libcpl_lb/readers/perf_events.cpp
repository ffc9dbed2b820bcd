// The events of cn_counters straight from the kernel, named by libpfm4. PAPI switches itself off as a whole where it
// does not know the processor (a new one, many virtual machines); the kernel's software events still work there.
#include "readers/event_names.hpp"
#include "readers/options.hpp"
#include "readers/pfm.hpp"
#include "readers/table.hpp"

#include <cerrno>
#include <fmt/format.h>

namespace cpl_lb {
namespace {

class PerfEventsReader final : public Reader {
public:
    explicit PerfEventsReader(const ReaderOptions &options) : options_(options) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "perf_events"; }
    [[nodiscard]] Availability open() override;
    [[nodiscard]] std::span<const Quantity> quantities() const noexcept override { return quantities_; }
    void read(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    [[nodiscard]] PerfEventFile open_event(const Pfm &pfm, Quantity &quantity);

    struct Event {
        PerfEventFile file;
        bool failed = false;
    };

    ReaderOptions options_;
    std::vector<Event> events_; // one for each quantity
    std::vector<Quantity> quantities_;
    std::string remedy_;
};

Availability PerfEventsReader::open() {
    const std::vector<std::string> names = split_event_names(options_.counters);
    if (names.empty()) return Availability::missing("no events asked for", "name some in cn_counters");
    Pfm pfm;
    if (Availability answer = pfm.open(options_.pfm_library); !answer.works) return answer;
    Availability answer;
    for (const std::string &name : names) {
        Quantity quantity{.name = name, .unit = "1", .measure = Measure::counter};
        events_.push_back({open_event(pfm, quantity)});
        if (quantity.why_missing.empty()) {
            answer.works = true;
        } else {
            answer.reason += fmt::format("{}{}: {}", answer.reason.empty() ? "" : "; ", name, quantity.why_missing);
        }
        quantities_.push_back(std::move(quantity));
    }
    answer.remedy = remedy_;
    return answer;
}

// User and kernel mode where allowed, else user mode, but for events that only ever happen in the kernel.
PerfEventFile PerfEventsReader::open_event(const Pfm &pfm, Quantity &quantity) {
    auto request = pfm.encode(quantity.name, &quantity.why_missing);
    if (!request) return {};
    errno = 0;
    PerfEventFile file(options_.perf_event_open(*request));
    int error = errno;
    if (!file.is_open() && (error == EACCES || error == EPERM) && !happens_in_kernel(quantity.name)) {
        request->exclude_kernel = true;
        file = PerfEventFile(options_.perf_event_open(*request));
        error = errno;
    }
    if (file.is_open() && file.read()) return file;
    quantity.why_missing = perf_failure_reason(error);
    const int needed_paranoid = happens_in_kernel(quantity.name) ? 1 : 2;
    if (remedy_.empty()) remedy_ = perf_failure_remedy(error, options_.procfs_root, needed_paranoid);
    return {};
}

void PerfEventsReader::read(std::span<double> values) noexcept {
    for (std::size_t i = 0; i < events_.size() && i < values.size(); ++i) {
        values[i] = unknown;
        if (!events_[i].file.is_open() || events_[i].failed) continue;
        const auto count = events_[i].file.read();
        if (count) values[i] = static_cast<double>(*count);
        events_[i].failed = !count.has_value();
    }
}

std::vector<std::string> PerfEventsReader::remarks() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        if (!events_[i].failed) continue;
        all.push_back(fmt::format("counter {} was not running all the time (too many events at once) or could not be "
                                  "read any more",
                                  quantities_[i].name));
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_perf_events_reader(const ReaderOptions &options) {
    return std::make_unique<PerfEventsReader>(options);
}

} // namespace cpl_lb
