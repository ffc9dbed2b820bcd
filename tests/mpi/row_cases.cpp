// Rows of all processes to the timeline, their waiting and times away, and finished files, against plain loops over
// all of them.
#include "analysis/imbalance_parts.hpp"
#include "analysis/load_balance.hpp"
#include "data/raster.hpp"
#include "run/live/file_transfer.hpp"
#include "run/live/gather_rows.hpp"
#include "run/live/loop_and_waiting.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/long_row.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <fstream>

namespace cpl_lb::testing {
namespace {

constexpr std::size_t coupled_events = 60;

EventKeys keys_of_events() {
    EventKeys keys;
    constexpr Kind kinds[] = {Kind::get, Kind::map, Kind::put, Kind::out};
    for (std::size_t k = 0; k < coupled_events; ++k)
        keys.push_back({kinds[k % 4], static_cast<std::int32_t>(k % 4) + 1, k % 2 == 0 ? 2 : 0, no_date,
                        static_cast<std::int64_t>(k / 4)});
    return keys;
}

// MAP lies inside GET; PUT and OUT follow. Lengths by chance. with_gaps: each rank misses some exchanges.
Row row_of(std::uint64_t seed, int rank, bool with_gaps) {
    Row row;
    for (std::size_t k = 0; k < coupled_events; ++k) {
        const auto step = static_cast<Nanoseconds>(k / 4) * 10'000;
        const auto place = static_cast<Nanoseconds>(k % 4);
        const auto late = static_cast<Nanoseconds>(figure_at(seed, rank, 2 * k) % 500);
        const Nanoseconds start = step + (place == 1 ? 1'000 : place * 2'400) + late;
        const auto length = static_cast<Nanoseconds>(figure_at(seed, rank, 2 * k + 1) % 300);
        row.start.push_back(start);
        row.stop.push_back(place == 0 ? step + 2'000 + length : start + length);
        if (with_gaps && figure_at(seed, rank, 1000 + k) % 5 == 0) row.start.back() = row.stop.back() = absent;
    }
    return row;
}

std::vector<EventSpan> spans_of(std::uint64_t seed, int ranks, bool with_gaps) {
    std::vector<EventSpan> spans(coupled_events);
    for (int r = 0; r < ranks; ++r) {
        const Row row = row_of(seed, r, with_gaps);
        for (std::size_t k = 0; k < coupled_events; ++k)
            if (row.start[k] != absent) spans[k].add(row.start[k], row.stop[k]);
    }
    return spans;
}

constexpr Interval whole_run{0, 200'000};

std::string shared_waiting(Transport &t, std::uint64_t seed, bool with_gaps, bool away) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    const auto row_with_away = [&](int rank) {
        Row row = row_of(seed, rank, with_gaps);
        if (away) row.away = {{4'000 + rank, 5'000 + rank}, {34'000, 36'000 + rank}};
        return row;
    };
    EventTable known{keys_of_events(), spans_of(seed, t.size(), with_gaps)};
    const Window window = find_window(known);
    Share right;
    for (int r = 0; r < t.size(); ++r)
        right += share_of(known, row_with_away(r), window, whole_run, 2);
    EventTable mine{known.keys, all.leads() ? known.spans : std::vector<EventSpan>()};
    const Window none;
    OwnRow row(row_with_away(t.rank()), {}, {});
    const ShareInput input{with_gaps ? Alike::nothing : Alike::events, away, whole_run, 2};
    const Share sum = sum_of_shares(all, mine, all.leads() ? window : none, row, input);
    found.expect(!all.leads() || sum == right, "the sum of the shares");
    return found.text();
}

std::string waiting_of_same_events(Transport &t, std::uint64_t seed) {
    return shared_waiting(t, seed, false, false);
}
std::string waiting_with_times_away(Transport &t, std::uint64_t seed) {
    return shared_waiting(t, seed, false, true);
}
std::string waiting_of_different_events(Transport &t, std::uint64_t seed) {
    return shared_waiting(t, seed, true, false);
}

// There is no file.
class NoFile final : public RowSink {
public:
    explicit NoFile(int processes) : away_of(static_cast<std::size_t>(processes)) {}
    void open(EventKeys & /*keys*/, std::int64_t /*away_intervals*/) override {}
    void away(int process, std::span<const Interval> intervals) override {
        away_of[static_cast<std::size_t>(process)].assign(intervals.begin(), intervals.end());
    }
    std::optional<RowPlace> hand_over() override { return std::nullopt; }
    void fail(const std::string & /*why*/) override {}

    std::vector<std::vector<Interval>> away_of;
};

// The spans of all by messages alone, and the times away of each.
std::string rows(Transport &t, std::uint64_t seed) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    const std::vector<std::int32_t> nodes(static_cast<std::size_t>(t.size()), 0);
    for (const std::size_t events : {std::size_t{0}, std::size_t{100}, t.size() <= 8 ? std::size_t{70'000} : 1'000}) {
        const std::vector<std::uint32_t> of_class(events, 0);
        OwnRow row(long_row(seed, t.rank(), events), of_class, {{Kind::get}, {0, 8'000'000}, 8'000'000});
        NoFile sink(t.size());
        EventKeys keys;
        keys.assign(events, EventKey{Kind::get});
        const GatheredRows gathered =
            gather_rows(all, nodes, row, events, t.size(), keys, all.leads() ? &sink : nullptr);
        if (!all.leads()) continue;
        std::vector<EventSpan> right(events);
        for (int r = 0; r < t.size(); ++r) {
            const Row theirs = long_row(seed, r, events);
            add_row(right, theirs);
            found.expect(sink.away_of[static_cast<std::size_t>(r)] == theirs.away,
                         "times away of rank " + std::to_string(r));
        }
        found.expect(gathered.spans == right, "spans");
    }
    return found.text();
}

// ---- Times away.

// Times away of ranks 0, 1, 3, 4, 6, ...; the others are never in another component.
std::vector<Interval> away_of(std::uint64_t seed, int rank, Nanoseconds times_away) {
    std::vector<Interval> times;
    if (rank % 3 == 2) return times;
    for (Nanoseconds n = 0; n < times_away; ++n) {
        const auto late = static_cast<Nanoseconds>(figure_at(seed, rank, static_cast<std::size_t>(n)) % 40);
        times.push_back({100 * n + late, 100 * n + 50 + late / 2});
    }
    return times;
}

// From the last leave to the last return.
std::string times_away(Transport &t, std::uint64_t seed) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    const TimesAway known = gather_away(all, away_of(seed, t.rank(), 5));
    std::vector<Interval> right = away_of(seed, 0, 5);
    for (int r = 1; r < t.size(); ++r) {
        const std::vector<Interval> theirs = away_of(seed, r, 5);
        for (std::size_t n = 0; n < theirs.size(); ++n)
            right[n] = {std::max(right[n].start, theirs[n].start), std::max(right[n].stop, theirs[n].stop)};
    }
    found.expect(!all.leads() || (known.times == right && !known.differ), "the times away");
    return found.text();
}

// All were away once, the last of them twice: its part of the tree knows, and the rest has nothing else to see.
std::string times_away_that_differ(Transport &t, std::uint64_t seed) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    const int last = t.size() % 3 == 0 ? t.size() - 2 : t.size() - 1;
    const TimesAway known = gather_away(all, away_of(seed, t.rank(), t.rank() == last ? 2 : 1));
    found.expect(!all.leads() || known.differ == (t.size() > 1), "that they differ");
    return found.text();
}

// ---- Files.

std::string file_text(std::uint64_t seed, int rank, std::size_t length) {
    std::string text(length, ' ');
    for (std::size_t i = 0; i < length; ++i)
        text[i] = static_cast<char>(figure_at(seed, rank, i / 64) >> (i % 8));
    return text;
}

// How it has to end, and what makes it end so.
struct Transfer {
    std::size_t length;
    FileFate fate;
};

std::vector<Transfer> transfers(int ranks) {
    std::vector<Transfer> all = {{0, FileFate::arrived},
                                 {1'000, FileFate::arrived},
                                 {1'000, FileFate::not_readable},
                                 {1'000, FileFate::not_writable},
                                 {1'000, FileFate::too_slow}};
    if (ranks > 8) return all;
    all.push_back({file_piece_bytes, FileFate::arrived});
    all.push_back({2 * file_piece_bytes + 17, FileFate::arrived});
    return all;
}

void send_one(Transport &t, std::uint64_t seed, const Transfer &one, Findings &found) {
    const test::TemporaryFolder here;
    const std::string path = here / "timeline.nc";
    if (one.fate != FileFate::not_readable)
        std::ofstream(path, std::ios::binary) << file_text(seed, t.rank(), one.length);
    found.expect(send_file(t, 0, path) == one.fate, "the fate of what was sent");
}

void receive_one(Transport &t, int from, std::uint64_t seed, const Transfer &one, Findings &found) {
    const test::TemporaryFolder folder;
    const std::string path = folder / (one.fate == FileFate::not_writable ? "nowhere/timeline.nc" : "timeline.nc");
    std::string why;
    const std::int64_t until_ns = one.fate == FileFate::too_slow ? t.now_ns() - 1 : t.ns_after(60);
    const FileFate fate = receive_file(t, from, path, until_ns, why);
    found.expect(fate == one.fate, "the fate of what came");
    found.expect(why.empty() == (fate != FileFate::not_writable), "why: " + why);
    found.expect(test::contents(path) == (fate == FileFate::arrived ? file_text(seed, from, one.length) : ""),
                 "the text of the file");
    found.expect(folder.entries() == (fate == FileFate::arrived ? 1U : 0U), "files in the folder");
}

// From all others to rank 0, one after the other, as after the timelines were written.
std::string files(Transport &t, std::uint64_t seed) {
    Findings found;
    for (const Transfer &one : transfers(t.size())) {
        if (t.rank() > 0) send_one(t, seed, one, found);
        for (int from = 1; t.rank() == 0 && from < t.size(); ++from)
            receive_one(t, from, seed, one, found);
    }
    return found.text();
}

// ---- Why processes wait for each other.

// PUTs of steps of 10 us: rank 1 is late every time, rank 2 once, all by chance. Nodes have two ranks.
Row late_row(std::uint64_t seed, int rank, std::size_t events) {
    Row row;
    for (std::size_t k = 0; k < events; ++k) {
        const auto chance = static_cast<Nanoseconds>(figure_at(seed, rank, k) % 200);
        const Nanoseconds late = chance + (rank == 1 ? 900 : 0) + (rank == 2 && k == 50 ? 2'000 : 0);
        row.start.push_back(static_cast<Nanoseconds>(k) * 10'000 + late);
        row.stop.push_back(static_cast<Nanoseconds>(k) * 10'000 + 5'000);
    }
    return row;
}

bool same(double a, double b) {
    return a == b || (!is_known(a) && !is_known(b));
}

bool same(const ImbalanceParts &a, const ImbalanceParts &b) {
    if (a.last.size() != b.last.size()) return false;
    for (std::size_t i = 0; i < a.last.size(); ++i)
        if (a.last[i].process != b.last[i].process || !same(a.last[i].share, b.last[i].share)) return false;
    return a.why_missing == b.why_missing && same(a.processes_s, b.processes_s) && same(a.nodes_s, b.nodes_s) &&
           same(a.random_s, b.random_s) && same(a.overtaken_s, b.overtaken_s) && same(a.carried_s, b.carried_s) &&
           a.exchanges == b.exchanges && a.late_node_process == b.late_node_process &&
           a.why_no_nodes == b.why_no_nodes && a.stalls.count == b.stalls.count &&
           a.stalls.longest_step == b.stalls.longest_step && same(a.stalls.longest_s, b.stalls.longest_s);
}

// By messages it is to the last bit what a program finds that has the rows of all.
std::string imbalance(Transport &t, std::uint64_t seed) {
    Findings found;
    Group all(t, ranks_below(t.size()));
    constexpr std::size_t events = 100;
    std::vector<EventKey> keys;
    for (std::size_t k = 0; k < events; ++k)
        keys.push_back({Kind::put, 1, 2, no_date, static_cast<std::int64_t>(k)});
    EventTable table{EventKeys(keys), std::vector<EventSpan>(events)};
    NumberList nodes;
    for (int r = 0; r < t.size(); ++r) {
        add_row(table.spans.whole(), late_row(seed, r, events));
        nodes.push_back(r / 2);
    }
    const Window window = find_window(table);
    ArrivalsOfAll arrivals(table, window, static_cast<std::size_t>(t.size()));
    for (int r = 0; r < t.size(); ++r)
        arrivals.set(static_cast<std::size_t>(r), late_row(seed, r, events));
    const std::vector<std::uint32_t> of_class(events);
    OwnRow row(late_row(seed, t.rank(), events), of_class, {{Kind::put}, {0, 1'000'000}, 1'000'000});
    if (!all.leads()) table = {}; // only the leader knows it
    CouplingLoop loop;
    loop.chosen = arrivals.chosen();
    loop.starts = row.look_at_loop(window.interval(), loop.chosen.list).starts;
    if (all.leads()) loop.window = window;
    const ImbalanceParts parts = gather_imbalance(all, loop, nodes);
    if (!all.leads()) return found.text();
    found.expect(same(parts, arrivals.parts(nodes.all())), "the parts of the imbalance");
    if (t.size() > 1) found.expect(parts.known() && parts.processes_s > 0, "rank 1 is always late");
    if (t.size() > 2) found.expect(parts.stalls.count == 1, "one step stalls");
    return found.text();
}

constexpr Case cases_of_rows[] = {
    {"waiting_of_same_events", waiting_of_same_events},
    {"waiting_with_times_away", waiting_with_times_away},
    {"waiting_of_different_events", waiting_of_different_events},
    {"imbalance", imbalance},
    {"rows", rows},
    {"times_away", times_away},
    {"times_away_that_differ", times_away_that_differ},
    {"files", files},
};

} // namespace

std::span<const Case> row_cases() {
    return cases_of_rows;
}

} // namespace cpl_lb::testing
