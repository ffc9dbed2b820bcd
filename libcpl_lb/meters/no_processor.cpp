// For how long the thread that records was ready and had no processor: the second figure of its schedstat, in
// nanoseconds. The kernel counts it at each switch, so it is exact and costs the model nothing.
#include "meters/processors.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <array>
#include <sys/syscall.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

class NoProcessorReader final : public Reader {
public:
    explicit NoProcessorReader(const ReaderOptions &options)
        : self_(options.procfs_root + "/self"), open_file_(options.open_file) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "no_processor"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;

private:
    [[nodiscard]] int open_schedstat();
    [[nodiscard]] double seconds() const noexcept;

    std::string self_;
    OpenFile open_file_;
    KeptFile file_;
    double first_s_ = 0;
};

// The file of the process is that of its first thread, which need not be the one that records.
int NoProcessorReader::open_schedstat() {
    const auto thread = ::syscall(SYS_gettid);
    if (thread != ::getpid() && file_.open(fmt::format("{}/task/{}/schedstat", self_, thread), open_file_) == 0)
        return 0;
    return file_.open(self_ + "/schedstat", open_file_);
}

Availability NoProcessorReader::open() {
    if (const int error = open_schedstat(); error != 0)
        return Availability::missing(fmt::format("{}: {}", file_.path(), error_text(error)),
                                     "a kernel with CONFIG_SCHED_INFO");
    first_s_ = seconds();
    if (!is_known(first_s_))
        return Availability::missing(file_.path() + ": the kernel does not count it",
                                     "a kernel with CONFIG_SCHED_INFO");
    quantities_ = {{.name = "no_processor", .unit = "s", .scope = Scope::process, .measure = Measure::counter}};
    return Availability::good();
}

double NoProcessorReader::seconds() const noexcept {
    std::array<char, 128> buffer{};
    return no_processor_s(file_.read(buffer));
}

void NoProcessorReader::read_known(std::span<double> values) noexcept {
    values[0] = seconds() - first_s_;
}

} // namespace

std::unique_ptr<Reader> make_no_processor_reader(const ReaderOptions &options) {
    return std::make_unique<NoProcessorReader>(options);
}

} // namespace cpl_lb
