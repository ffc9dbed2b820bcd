// The events of cn_counters straight from the kernel, named by libpfm4. PAPI switches itself off as a whole where it
// does not know the processor (a new one, many virtual machines); the kernel's software events still work there.
#include "meters/event_names.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <cerrno>
#include <utility>

namespace cpl_lb {
namespace {

class PerfEventsReader final : public Reader {
public:
    explicit PerfEventsReader(ReaderOptions options) : options_(std::move(options)) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "perf_events"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    // Software events are read together; each hardware event by itself, because a group of more events than the
    // processor has counters would never count at all.
    struct Group {
        std::vector<PerfEventFile> files; // the leader first
        std::vector<std::size_t> quantities;
        std::vector<std::uint64_t> counts;
        bool software = false, failed = false;
    };

    void start(Group &group);
    void open_event(const Pfm &pfm, std::size_t quantity);
    [[nodiscard]] Group &group_for(const PerfEventRequest &request);

    ReaderOptions options_;
    std::vector<Group> groups_;
    std::string remedy_;
};

Availability PerfEventsReader::open() {
    const std::vector<std::string> names = split_event_names(options_.counters);
    if (names.empty()) return Availability::missing("no events asked for", "name some in cn_counters");
    Pfm pfm;
    if (Availability answer = pfm.open(options_.pfm_library); !answer.works) return answer;
    for (const std::string &name : names) {
        quantities_.push_back({.name = name, .unit = "1", .measure = Measure::counter});
        open_event(pfm, quantities_.size() - 1);
    }
    for (Group &group : groups_)
        start(group);
    return availability_of(quantities_, remedy_);
}

void PerfEventsReader::start(Group &group) {
    if (group.files.empty()) return;
    errno = 0;
    if (group.files.front().start() && group.files.front().read_group(group.counts)) return;
    for (const std::size_t quantity : group.quantities)
        quantities_[quantity].why_missing = perf_failure_reason(errno);
    group.files.clear();
}

PerfEventsReader::Group &PerfEventsReader::group_for(const PerfEventRequest &request) {
    constexpr std::uint32_t software = 1; // PERF_TYPE_SOFTWARE
    for (Group &group : groups_) {
        const bool room = group.files.size() < PerfEventFile::most_in_group;
        if (group.software && request.type == software && room) return group;
    }
    groups_.emplace_back().software = request.type == software;
    return groups_.back();
}

// As the event's name says (":u", ":k"), else user and kernel mode where allowed, else user mode, but for events that
// only ever happen in the kernel.
void PerfEventsReader::open_event(const Pfm &pfm, std::size_t quantity) {
    const std::string &name = quantities_[quantity].name;
    std::string &why = quantities_[quantity].why_missing;
    auto request = pfm.encode(name, &why);
    if (!request) return;
    Group &group = group_for(*request);
    request->stopped = group.files.empty();
    if (!group.files.empty()) request->group = group.files.front().descriptor();
    const bool in_kernel = request->exclude_user || happens_in_kernel(name);
    errno = 0;
    PerfEventFile file(options_.perf_event_open(*request));
    int error = errno;
    if (!file.is_open() && (error == EACCES || error == EPERM) && !in_kernel) {
        request->exclude_kernel = true;
        file = PerfEventFile(options_.perf_event_open(*request));
        error = errno;
    }
    if (file.is_open()) {
        group.files.push_back(std::move(file));
        group.quantities.push_back(quantity);
        group.counts.push_back(0);
        return;
    }
    why = perf_failure_reason(error);
    if (remedy_.empty()) remedy_ = perf_failure_remedy(error, options_.procfs_root, in_kernel ? 1 : 2);
}

void PerfEventsReader::read_known(std::span<double> values) noexcept {
    for (Group &group : groups_) {
        if (group.files.empty() || group.failed) continue;
        group.failed = !group.files.front().read_group(group.counts);
        if (group.failed) continue;
        for (std::size_t i = 0; i < group.quantities.size(); ++i)
            values[group.quantities[i]] = static_cast<double>(group.counts[i]);
    }
}

std::vector<std::string> PerfEventsReader::remarks() const {
    std::vector<std::string> all;
    for (const Group &group : groups_) {
        if (!group.failed) continue;
        all.push_back(
            say(Sentence::remark_counters_not_running, {{"name", quantities_[group.quantities.front()].name}}));
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_perf_events_reader(const ReaderOptions &options) {
    return std::make_unique<PerfEventsReader>(options);
}

} // namespace cpl_lb
