// Memory of this process: resident set (statm), high-water mark and size of its executable. The mark is ru_maxrss
// of getrusage; that survives exec, so as long as it may be the launcher's it is VmHWM of status, which costs 10
// times as much.
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <array>
#include <limits>
#include <sys/resource.h>
#include <sys/stat.h>

namespace cpl_lb {
namespace {

class RssReader final : public Reader {
public:
    explicit RssReader(const ReaderOptions &options)
        : options_(options), self_(options.procfs_root + "/self"), other_proc_(options.procfs_root != "/proc") {}

    [[nodiscard]] std::string_view name() const noexcept override { return "rss"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;

private:
    [[nodiscard]] double high_water_B() const noexcept;
    [[nodiscard]] double status_high_water_B() const noexcept;

    ReaderOptions options_;
    std::string self_;
    bool other_proc_; // not what getrusage knows
    ResidentSet resident_;
    KeptFile status_;
    double inherited_B_ = 0; // ru_maxrss says nothing up to here
    double executable_B_ = unknown;
};

double max_rss_now_B() noexcept {
    rusage usage = {};
    if (::getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss <= 0) return unknown;
    return static_cast<double>(usage.ru_maxrss) * 1024.0;
}

Availability RssReader::open() {
    if (const int error = resident_.open(options_.procfs_root, options_.open_file); error != 0) {
        return Availability::missing(fmt::format("{}: {}", resident_.path(), error_text(error)),
                                     "mount /proc, or name its place in CPL_LB_PROCFS");
    }
    if (status_.open(self_ + "/status", options_.open_file) == 0) {
        constexpr double lazily_summed_B = 1 << 20;
        const double mark_B = status_high_water_B(), max_rss_B = max_rss_now_B();
        if (other_proc_)
            inherited_B_ = std::numeric_limits<double>::infinity();
        else if (max_rss_B > mark_B + lazily_summed_B)
            inherited_B_ = max_rss_B;
    }
    struct stat about = {};
    if (::stat((self_ + "/exe").c_str(), &about) == 0) executable_B_ = static_cast<double>(about.st_size);
    if (!is_known(resident_.read_B())) return Availability::missing(resident_.path() + ": no resident set in it");
    quantities_ = {{.name = "rss", .unit = "B"}, {.name = "hwm", .unit = "B"}, {.name = "executable", .unit = "B"}};
    return Availability::good();
}

double RssReader::status_high_water_B() const noexcept {
    std::array<char, 4096> buffer{};
    const auto kB = number_after(status_.read(buffer), "VmHWM:");
    return kB ? static_cast<double>(*kB) * 1024.0 : unknown;
}

double RssReader::high_water_B() const noexcept {
    const double max_rss_B = max_rss_now_B();
    return max_rss_B > inherited_B_ ? max_rss_B : status_high_water_B();
}

void RssReader::read_known(std::span<double> values) noexcept {
    const double rss = resident_.read_B();
    // The kernel sums both lazily: a mark just below the resident set is the same moment seen earlier.
    const double hwm = high_water_B();
    values[0] = rss;
    values[1] = is_known(rss) && hwm < rss ? rss : hwm;
    values[2] = executable_B_;
}

} // namespace

std::unique_ptr<Reader> make_rss_reader(const ReaderOptions &options) {
    return std::make_unique<RssReader>(options);
}

} // namespace cpl_lb
