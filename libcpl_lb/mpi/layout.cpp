// Collects what each process says of itself, and numbers components, nodes and clocks.
#include "mpi/layout.hpp"

#include "support/host_name.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <unistd.h>

namespace cpl_lb {
namespace {

struct Entry {
    std::int32_t rank;
    std::int32_t threads;
    std::string component;
    std::string domain;
};

std::vector<Entry> read_entries(const Bytes &bytes) {
    std::vector<Entry> entries;
    WireReader in(bytes);
    while (!in.done()) {
        Entry e;
        e.rank = in.get<std::int32_t>();
        e.threads = in.get<std::int32_t>();
        e.component = in.get_text();
        e.domain = in.get_text();
        entries.push_back(std::move(e));
    }
    in.finish("who is where");
    std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.rank < b.rank; });
    return entries;
}

// Number of `name` among the names met so far, a new one for a new name.
std::int32_t number_of(std::map<std::string, std::int32_t> &numbers, const std::string &name,
                       std::vector<std::string> *names) {
    const auto [at, is_new] = numbers.emplace(name, static_cast<std::int32_t>(numbers.size()));
    if (is_new && names != nullptr) names->push_back(name);
    return at->second;
}

Layout number_all(const std::vector<Entry> &entries) {
    Layout layout;
    std::map<std::string, std::int32_t> components;
    std::map<std::string, std::int32_t> domains;
    for (const Entry &e : entries) {
        layout.component_of_rank.push_back(number_of(components, e.component, &layout.component_names));
        layout.node_of_rank.push_back(number_of(domains, e.domain, nullptr));
        layout.threads_of_rank.push_back(e.threads);
    }
    return layout;
}

} // namespace

Bytes pack_layout(const Layout &layout) {
    WireWriter out;
    out.put(layout.component_names.size());
    for (const std::string &name : layout.component_names)
        out.put(name);
    out.put(layout.component_of_rank);
    out.put(layout.node_of_rank);
    out.put(layout.threads_of_rank);
    return out.take();
}

Layout unpack_layout(const Bytes &bytes) {
    Layout layout;
    WireReader in(bytes);
    const auto names = in.get<std::size_t>();
    for (std::size_t i = 0; i < names && in.good(); ++i)
        layout.component_names.push_back(in.get_text());
    layout.component_of_rank = in.get_vector<std::int32_t>();
    layout.node_of_rank = in.get_vector<std::int32_t>();
    layout.threads_of_rank = in.get_vector<std::int32_t>();
    const auto all_below = [](const std::vector<std::int32_t> &numbers, std::size_t end) {
        return std::all_of(numbers.begin(), numbers.end(),
                           [&](std::int32_t n) { return n >= 0 && static_cast<std::size_t>(n) < end; });
    };
    const std::size_t size = layout.component_of_rank.size();
    in.finish("the layout", layout.node_of_rank.size() == size && layout.threads_of_rank.size() == size &&
                                all_below(layout.component_of_rank, layout.component_names.size()) &&
                                all_below(layout.node_of_rank, size));
    return layout;
}

int Layout::nodes() const {
    return node_of_rank.empty() ? 0 : *std::max_element(node_of_rank.begin(), node_of_rank.end()) + 1;
}

std::vector<int> Layout::ranks_of_node(std::int32_t node) const {
    std::vector<int> ranks;
    for (int r = 0; r < size(); ++r)
        if (node_of_rank[static_cast<std::size_t>(r)] == node) ranks.push_back(r);
    return ranks;
}

const std::string &Layout::component_name_of(int rank) const {
    return component_names[static_cast<std::size_t>(component_of_rank[static_cast<std::size_t>(rank)])];
}

int Layout::lowest_rank_of_component(std::int32_t component) const {
    const auto at = std::find(component_of_rank.begin(), component_of_rank.end(), component);
    return static_cast<int>(at - component_of_rank.begin());
}

std::string clock_domain_here(const std::string &procfs_root) {
    std::string boot_id;
    std::ifstream(procfs_root + "/sys/kernel/random/boot_id") >> boot_id;
    if (boot_id.empty()) return host_name();
    std::array<char, 256> text{};
    const auto length = readlink((procfs_root + "/self/ns/time").c_str(), text.data(), text.size() - 1);
    return boot_id + ' ' + std::string(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
}

std::int32_t threads_here() {
    // OMP_NUM_THREADS may be a list, one number for each level of nesting.
    const char *text = std::getenv("OMP_NUM_THREADS");
    const long threads = text == nullptr ? 1 : std::strtol(text, nullptr, 10);
    return threads >= 1 && threads <= 1'000'000 ? static_cast<std::int32_t>(threads) : 1;
}

bool exchange_layout(Group &all, const Hello &mine, Layout &layout) {
    WireWriter out;
    out.put(static_cast<std::int32_t>(all.transport().rank()));
    out.put(mine.threads);
    out.put(mine.component);
    out.put(mine.clock_domain);
    Bytes bytes = out.take();
    const auto append = [](Bytes &a, const Bytes &b) { a.insert(a.end(), b.begin(), b.end()); };
    if (!all.combine_up(bytes, append)) return false;
    if (all.leads()) bytes = pack_layout(number_all(read_entries(bytes)));
    if (!all.broadcast_all(bytes)) return false;
    std::vector<int> rank_in_model = std::move(layout.rank_in_model);
    layout = unpack_layout(bytes);
    layout.rank_in_model = std::move(rank_in_model);
    return layout.size() == all.size();
}

} // namespace cpl_lb
