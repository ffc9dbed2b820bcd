// A reader to copy: the load average of the node. It is compiled and tested, but not in the table.
//
// To make your own meter: copy this file within this folder, rename the class, the make function and what name()
// says, and add a row to rows.inc. That is all: runs read it then, and its figures come out (docs/meters.md).
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <array>
#include <charconv>

namespace cpl_lb {
namespace {

class TemplateReader final : public Reader {
public:
    // Keep what you need of the options. Do nothing else here: a reader that is never opened must cost nothing.
    explicit TemplateReader(const ReaderOptions &options)
        : path_(options.procfs_root + "/loadavg"), open_file_(options.open_file) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "template"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;

private:
    std::string path_;
    OpenFile open_file_; // never ::open: tests hand in one that fails
    KeptFile file_;      // open files, handles and buffers live here, so that read() allocates nothing
};

Availability TemplateReader::open() {
    // Say why in words a user understands, and what would help.
    if (const int error = file_.open(path_, open_file_); error != 0) {
        return Availability::missing(fmt::format("{}: {}", path_, error_text(error)), "mount /proc");
    }
    // It works when it has been read, not when it exists.
    std::array<double, 1> first{};
    read(first);
    if (!is_known(first[0])) return Availability::missing(path_ + ": no number in it");
    // A counter would be .measure = Measure::counter and start from 0 here.
    quantities_ = {{.name = "load", .unit = "1", .scope = Scope::node, .measure = Measure::gauge}};
    return Availability::good();
}

void TemplateReader::read_known(std::span<double> values) noexcept {
    std::array<char, 64> buffer{};
    const std::string_view text = file_.read(buffer);
    double load = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), load);
    if (result.ec == std::errc()) values[0] = load; // missing is NaN, never 0
}

} // namespace

std::unique_ptr<Reader> make_template_reader(const ReaderOptions &options) {
    return std::make_unique<TemplateReader>(options);
}

} // namespace cpl_lb
