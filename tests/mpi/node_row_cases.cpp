// Rows of processes of several nodes into one file: who writes which, and what then stands in it.
#include "analysis/load_balance.hpp"
#include "io/timeline/timeline_times.hpp"
#include "run/live/gather_rows.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/long_row.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sched.h>

namespace cpl_lb::testing {
namespace {

// A file whose rows lie where they like, as in a classic file: no place is a multiple of 8, let alone of a page.
class RowsInFile final : public RowSink {
public:
    RowsInFile(std::string file, std::int64_t processes, std::size_t events) {
        place_.file = place_.result = std::move(file);
        place_.events = static_cast<std::int64_t>(events);
        place_.start_at = 4'100;
        place_.stop_at = place_.start_at + static_cast<std::uint64_t>(processes) * 8 * events + 300;
        place_.raster_at = place_.stop_at + static_cast<std::uint64_t>(processes) * 8 * events;
    }
    void open(EventKeys & /*keys*/, std::int64_t /*away_intervals*/) override {}
    void away(int /*process*/, std::span<const Interval> /*intervals*/) override {}
    std::optional<RowPlace> hand_over() override {
        std::ofstream(place_.file, std::ios::binary) << "head";
        place_ = [&] {
            RowPlace found = row_place(place_.file, place_.result, place_.start_at, place_.stop_at, place_.events);
            found.raster_at = place_.raster_at;
            return found;
        }();
        return place_;
    }
    void fail(const std::string &why) override { failed = why; }

    // What stands in the file, against the row and its picture.
    void check(Findings &found, int process, const Row &row, std::span<const signed char> picture) const {
        std::ifstream in(place_.file, std::ios::binary);
        const auto is_there = [&](std::uint64_t variable_at, const std::vector<Nanoseconds> &times) {
            std::vector<std::uint64_t> raw(times.size()), right(times.size());
            in.seekg(
                static_cast<std::streamoff>(variable_at + static_cast<std::uint64_t>(process) * 8 * times.size()));
            in.read(reinterpret_cast<char *>(raw.data()), static_cast<std::streamsize>(8 * raw.size()));
            to_classic(times, 0.0, right.data());
            return in.good() && raw == right;
        };
        found.expect(is_there(place_.start_at, row.start), "starts of " + std::to_string(process));
        found.expect(is_there(place_.stop_at, row.stop), "stops of " + std::to_string(process));
        std::vector<signed char> kinds(picture.size());
        in.seekg(static_cast<std::streamoff>(place_.raster_at + static_cast<std::uint64_t>(process) * kinds.size()));
        in.read(reinterpret_cast<char *>(kinds.data()), static_cast<std::streamsize>(kinds.size()));
        found.expect(in.good() && std::ranges::equal(kinds, picture), "picture of " + std::to_string(process));
    }

    std::string failed;

private:
    RowPlace place_;
};

// A folder that this process, or the thread that plays it, works in while this lives.
class WorkIn {
public:
    explicit WorkIn(const std::string &folder) : before_(std::filesystem::current_path()) {
        static_cast<void>(unshare(CLONE_FS)); // of the thread alone
        std::filesystem::current_path(folder);
    }
    ~WorkIn() { std::filesystem::current_path(before_); }
    WorkIn(const WorkIn &) = delete;
    WorkIn &operator=(const WorkIn &) = delete;

private:
    std::filesystem::path before_;
};

struct Nodes {
    const char *name;
    std::function<int(int rank, int ranks)> of;
    bool share_the_folder;
};

// The folder that this process works in: the same for all, or one that holds another file of that name.
std::string folder_of(Group &all, const Nodes &nodes, int my_node, const std::string &file,
                      std::optional<test::TemporaryFolder> &own) {
    if (all.leads()) own.emplace();
    std::string folder = all.leads() ? own->path() : std::string();
    tell_all(all, "the folder", folder);
    if (my_node == 0 || nodes.share_the_folder) return folder;
    std::ofstream(own.emplace() / file, std::ios::binary) << std::string(100'000, 'x');
    return own->path();
}

void rows_of(Transport &t, std::uint64_t seed, const Nodes &nodes, std::size_t events, Findings &found) {
    Group all(t, ranks_below(t.size()));
    std::vector<std::int32_t> node_of_rank;
    node_of_rank.reserve(static_cast<std::size_t>(t.size()));
    for (int r = 0; r < t.size(); ++r)
        node_of_rank.push_back(nodes.of(r, t.size()));
    const int my_node = node_of_rank[static_cast<std::size_t>(t.rank())];
    const std::string file = "rows_" + std::to_string(events) + "_" + nodes.name;
    std::optional<test::TemporaryFolder> own;
    const WorkIn work(folder_of(all, nodes, my_node, file, own));
    const std::vector<std::uint32_t> of_class(events, 0);
    const RasterInput as_picture{{Kind::get}, {0, 8'000'000}, 8'000'000};
    OwnRow row(long_row(seed, t.rank(), events), of_class, as_picture);
    RowsInFile sink(file, t.size(), events);
    EventKeys keys;
    keys.assign(events, EventKey{Kind::get});
    const std::string name = std::string(nodes.name) + ", " + std::to_string(events) + " events: ";
    const GatheredRows gathered = gather_rows(all, node_of_rank, row, events, 0, keys, all.leads() ? &sink : nullptr);
    found.expect(gathered.wrote_itself == (my_node == 0), name + "who wrote");
    if (own && !all.leads()) found.expect(test::contents(file) == std::string(100'000, 'x'), name + "the other file");
    if (!all.leads()) return;
    found.expect(sink.failed.empty(), name + sink.failed);
    std::vector<EventSpan> right(events);
    for (int r = 0; r < t.size(); ++r) {
        Row theirs = long_row(seed, r, events);
        add_row(right, theirs);
        OwnRow with_picture(theirs, of_class, as_picture);
        sink.check(found, r, theirs, with_picture.raster());
    }
    found.expect(gathered.spans == right, name + "spans");
}

// Rows of other nodes in blocks and one by one; and a node that sees another folder under the same name.
std::string rows_of_nodes(Transport &t, std::uint64_t seed) {
    Findings found;
    if (t.size() > 8) return found.text();
    const Nodes all_nodes[] = {
        {"two blocks", [](int r, int ranks) { return 2 * r < ranks ? 0 : 1; }, true},
        {"in turn", [](int r, int) { return r % 2; }, true},
        {"three, the last in the middle", [](int r, int) { return r == 0       ? 0
                                                                  : r % 4 == 2 ? 2
                                                                               : 1; }, true},
        {"another folder", [](int r, int ranks) { return 2 * r < ranks ? 0 : 1; }, false},
    };
    for (const Nodes &nodes : all_nodes)
        for (const std::size_t events : {std::size_t{1}, std::size_t{3'000}, std::size_t{20'000}})
            rows_of(t, seed, nodes, events, found);
    rows_of(t, seed, all_nodes[0], 0, found);
    return found.text();
}

constexpr Case cases_of_rows_of_nodes[] = {
    {"rows_of_nodes", rows_of_nodes},
};

} // namespace

std::span<const Case> node_row_cases() {
    return cases_of_rows_of_nodes;
}

} // namespace cpl_lb::testing
