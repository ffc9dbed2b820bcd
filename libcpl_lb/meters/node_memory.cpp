// Memory of the node: used = MemTotal - MemAvailable of meminfo, so without caches that the kernel can give back.
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"

#include <array>

namespace cpl_lb {
namespace {

class NodeMemoryReader final : public Reader {
public:
    explicit NodeMemoryReader(const ReaderOptions &options)
        : path_(options.procfs_root + "/meminfo"), open_file_(options.open_file) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "node_memory"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;

private:
    std::string path_;
    OpenFile open_file_;
    KeptFile meminfo_;
};

Availability NodeMemoryReader::open() {
    if (const int error = meminfo_.open(path_, open_file_); error != 0) {
        return Availability::missing(fmt::format("{}: {}", path_, error_text(error)),
                                     "mount /proc, or name its place in CPL_LB_PROCFS");
    }
    std::array<double, 2> first{};
    read(first);
    if (!is_known(first[0]))
        return Availability::missing(path_ + ": MemTotal or MemAvailable (Linux 3.14) is missing");
    quantities_ = {{.name = "node_memory_used", .unit = "B", .scope = Scope::node},
                   {.name = "node_memory", .unit = "B", .scope = Scope::node}};
    return Availability::good();
}

void NodeMemoryReader::read_known(std::span<double> values) noexcept {
    std::array<char, 4096> buffer{};
    const std::string_view text = meminfo_.read(buffer);
    const auto total_kB = number_after(text, "MemTotal:");
    const auto available_kB = number_after(text, "MemAvailable:");
    if (total_kB) values[1] = static_cast<double>(*total_kB) * 1024.0;
    if (total_kB && available_kB) values[0] = values[1] - static_cast<double>(*available_kB) * 1024.0;
}

} // namespace

std::unique_ptr<Reader> make_node_memory_reader(const ReaderOptions &options) {
    return std::make_unique<NodeMemoryReader>(options);
}

} // namespace cpl_lb
