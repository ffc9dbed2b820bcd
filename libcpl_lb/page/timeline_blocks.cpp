// Reads the timelines and makes their blocks of bins and events.
#include "analysis/members.hpp"
#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "page/bins.hpp"
#include "page/event_bytes.hpp"
#include "page/page_json.hpp"
#include "page/page_plan.hpp"
#include "page/timeline_piece.hpp"
#include "support/fmt.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

using Json = JsonTree;
constexpr std::size_t block_bytes = 2U << 20U; // before compression
// Limits in base64. With the groups (at most 0.9 MB) and everything else the page stays below 15 MB.
constexpr double most_bins_B = 8.5e6, most_events_B = 4.5e6;

struct Source {
    std::unique_ptr<TimelineReader> reader;
    const Component *component = nullptr;
    EventKeys keys;                      // until the next two are made of them
    std::vector<std::uint16_t> class_of; // by event
    std::vector<std::int64_t> dates;     // empty: there are none
    std::unique_ptr<TimelineRows> rows;
    std::int64_t first_row = 0; // of the page
};

// Rows of a component that one thread turns into one piece; if the component is folded, a whole group.
struct Unit {
    std::size_t source = 0;
    std::size_t first = 0, count = 0; // in the component's plan
};

struct PieceTexts {
    TimelinePiece piece; // without the bytes of bins and events
    BlockText bins, inside, events;
};

// The component of a timeline: by its id, or by the name in the file's name if it has no id.
const Component *component_of(const CoupledRun &run, const TimelineReader &reader) {
    const TimelineHeader &header = reader.header();
    const std::string name = reader.path().substr(reader.path().rfind('/') + 1);
    const std::string stem = name.substr(0, name.rfind('.'));
    const auto found = std::find_if(run.components.begin(), run.components.end(), [&](const Component &c) {
        return header.component_id != 0 ? c.id == header.component_id : "timeline_" + c.name == stem;
    });
    return found == run.components.end() ? nullptr : &*found;
}

class Writer {
public:
    Writer(PageFile &file, const CoupledRun &run, const PageSources &sources)
        : file_(file), run_(run), sources_(sources), began_(std::chrono::steady_clock::now()) {}

    Json write() {
        open_all();
        if (!opened_.empty()) make_plan();
        if (!opened_.empty()) write_all();
        if (next_block_ > 0 && !file_.packs()) {
            notes_.emplace_back(
                "This page is larger than necessary: zlib, which packs its data, was not found when it was written.");
        }
        json_["notes"] = notes_;
        json_["why_not"] = json_.has("rows") ? Json(nullptr) : Json(why_not());
        return std::move(json_);
    }

private:
    [[nodiscard]] std::string why_not() const {
        if (!sources_.why_no_timeline.empty()) return sources_.why_no_timeline;
        return notes_.empty() ? "there is no timeline file" : notes_.front();
    }

    void open_all() {
        for (const std::string &path : sources_.timelines) {
            check_time();
            try {
                Source source;
                source.reader = std::make_unique<TimelineReader>(path);
                source.component = component_of(run_, *source.reader);
                if (source.component == nullptr) throw FileError(path, "is of no component of this run");
                source.keys = source.reader->take_keys();
                source.keys.set_occurrences({}); // 8 bytes for an event
                opened_.push_back(std::move(source));
            } catch (const FileError &error) {
                notes_.emplace_back(error.what());
            }
        }
        std::sort(opened_.begin(), opened_.end(),
                  [](const Source &a, const Source &b) { return a.component->id < b.component->id; });
        for (Source &source : opened_) { // in this order, so that the page does not depend on the order of the files
            const EventKeys keys = std::exchange(source.keys, {}); // another 4
            source.class_of.reserve(keys.size());
            for (std::size_t k = 0; k < keys.size(); ++k)
                source.class_of.push_back(classes_.number_of(keys[k]));
            source.dates = keys.dates();
        }
    }

    void make_plan() {
        std::vector<TimelineSize> sizes;
        std::set<std::int32_t> members;
        for (const ComponentGroup &group : component_groups(run_))
            for (const std::size_t place : group.of)
                if (group.is_folded()) members.insert(run_.components[place].id);
        for (Source &s : opened_) {
            sizes.push_back({s.reader->processes(), s.reader->events(), s.reader->header().away_intervals > 0,
                             members.contains(s.component->id)});
            s.rows = std::make_unique<TimelineRows>(*s.reader);
        }
        extent_ = {0, 1};
        for (const Component &c : run_.components)
            extent_.stop = std::max(extent_.stop, c.last_terminate);
        plan_ = plan_page(sizes, sources_.most_read);
        if (plan_.bins > 0) plan_ = plan_page(sizes, sources_.most_read, bounds_by_samples());
    }

    void write_all() {
        blocks_ = Json::array();
        std::int64_t row = 0;
        for (std::size_t i = 0; i < opened_.size(); ++i) {
            opened_[i].first_row = row;
            row += static_cast<std::int64_t>(plan_.components[i].rows.size());
            if (!plan_.components[i].exact.empty()) write_keys(opened_[i]);
        }
        write_rows();
        write_groups();
        json_["extent_s"] = {to_seconds(extent_.start), to_seconds(extent_.stop)};
        json_["bins"] = plan_.bins;
        json_["group_bins"] = plan_.group_bins;
        json_["inside_bins"] = plan_.inside_bins;
        json_["rows"] = rows_json();
        json_["blocks"] = std::move(blocks_);
        json_["classes"] = Json::array();
        for (const EventClass &c : classes_.list())
            json_["classes"].push_back({static_cast<int>(c.kind), c.field, c.counterpart});
    }

    // The size of a cell and of an event depends on the run, so it is measured on some rows: that of events on as
    // many as the page may hold of them. With a million events each, two dozen rows would take most of a gigabyte.
    [[nodiscard]] PageBounds bounds_by_samples() {
        constexpr std::size_t most_components = 24, rows_of_all = 24;
        PagePlan plan = plan_;
        plan.group_bins = 0;
        PieceMaker maker(extent_, plan, classes_.list());
        double cells = 0, cell_bytes = 0, events = 0, event_bytes = 0;
        const std::size_t stride = (opened_.size() + most_components - 1) / most_components;
        for (std::size_t i = 0; i < opened_.size(); i += stride) {
            const std::vector<std::int64_t> &rows = plan_.components[i].rows;
            if (rows.empty()) continue;
            const std::size_t wanted = std::clamp<std::size_t>(
                rows_of_all * rows.size() / static_cast<std::size_t>(plan_.rows()), 1, rows.size());
            std::vector<std::int64_t> some;
            for (std::size_t n = 0; n < wanted; ++n)
                some.push_back(rows[(2 * n + 1) * rows.size() / (2 * wanted)]);
            const auto here = static_cast<std::int64_t>(std::max<std::size_t>(opened_[i].class_of.size(), 1));
            const auto exact = static_cast<std::size_t>(most_events_beside_bins / here);
            const std::span<const std::int64_t> with_events =
                std::span(some).first(std::clamp<std::size_t>(exact, 1, some.size()));
            const TimelinePiece piece =
                maker.make(wanted_of(opened_[i], some, with_events), [this] { check_time(); });
            const auto share = [&](std::size_t sampled) {
                return static_cast<double>(rows.size()) / static_cast<double>(sampled);
            };
            cells += share(some.size()) * static_cast<double>(some.size() * plan_.bins);
            cell_bytes +=
                share(some.size()) * static_cast<double>(block_text(file_.zlib(), piece.bins).text.size() +
                                                         block_text(file_.zlib(), piece.inside).text.size());
            events +=
                share(with_events.size()) * static_cast<double>(with_events.size() * opened_[i].class_of.size());
            event_bytes +=
                share(with_events.size()) * static_cast<double>(block_text(file_.zlib(), piece.events).text.size());
        }
        PageBounds bounds;
        const auto fitting = [](double bytes, double count, double most, std::int64_t bound) {
            return bytes > 0 && count > 0 ? std::min(bound, static_cast<std::int64_t>(most / bytes * count)) : bound;
        };
        bounds.cells = fitting(cell_bytes, cells, most_bins_B, bounds.cells);
        bounds.events = fitting(event_bytes, events, most_events_B, bounds.events);
        return bounds;
    }

    [[nodiscard]] PieceMaker::Wanted wanted_of(const Source &s, std::span<const std::int64_t> processes,
                                               std::span<const std::int64_t> exact) const {
        const Interval running{s.component->first_init, s.component->last_terminate};
        return {*s.rows, s.class_of, processes, exact, false, sources_.most_held, running};
    }

    // Where a unit that starts at `first` ends.
    [[nodiscard]] std::size_t end_of_unit(std::size_t source, std::size_t first) const {
        const ComponentPlan &plan = plan_.components[source];
        if (plan.group > 0) {
            const std::int64_t next = (plan.rows[first] / plan.group + 1) * plan.group;
            return static_cast<std::size_t>(std::lower_bound(plan.rows.begin(), plan.rows.end(), next) -
                                            plan.rows.begin());
        }
        const std::size_t row_bytes =
            plan_.bins > 0 ? bin_planes * plan_.bins : 8 * std::max<std::size_t>(opened_[source].class_of.size(), 1);
        return std::min(plan.rows.size(), first + std::max<std::size_t>(block_bytes / row_bytes, 1));
    }

    void write_rows() {
        std::vector<Unit> units;
        bool shareable = sources_.threads;
        std::size_t most_events = 0;
        for (std::size_t i = 0; i < opened_.size(); ++i) {
            shareable = shareable && opened_[i].rows->shareable();
            most_events = std::max(most_events, opened_[i].class_of.size());
            const std::size_t rows = plan_.components[i].rows.size();
            for (std::size_t first = 0; first < rows;) {
                const std::size_t end = end_of_unit(i, first);
                units.push_back({i, first, end - first});
                first = end;
            }
        }
        const auto count = static_cast<std::int64_t>(units.size());
        const std::size_t workers = shareable ? row_workers(count, 4 * block_bytes + 64 * most_events) : 1;
        std::vector<std::unique_ptr<PieceMaker>> makers(workers);
        for (auto &maker : makers)
            maker = std::make_unique<PieceMaker>(extent_, plan_, classes_.list());
        share_rows(count, 1, workers, sources_.progress, [&](std::size_t worker, std::int64_t n, std::int64_t) {
            const Unit &unit = units[static_cast<std::size_t>(n)];
            write_in_order(n, units, made(*makers[worker], unit));
        });
    }

    [[nodiscard]] PieceTexts made(PieceMaker &maker, const Unit &unit) const {
        const ComponentPlan &plan = plan_.components[unit.source];
        PieceMaker::Wanted wanted = wanted_of(
            opened_[unit.source], std::span(plan.rows).subspan(unit.first, unit.count), std::span(plan.exact));
        wanted.group = plan.group > 0;
        PieceTexts texts;
        texts.piece = maker.make(wanted, [this] { check_time(); });
        if (plan_.bins > 0) texts.bins = block_text(file_.zlib(), texts.piece.bins);
        if (!texts.piece.exact.empty()) texts.events = block_text(file_.zlib(), texts.piece.events);
        if (!texts.piece.inside.empty()) texts.inside = block_text(file_.zlib(), texts.piece.inside);
        texts.piece.bins = {};
        const bool tells = !std::exchange(texts.piece.inside, {}).empty();
        if (!tells) texts.piece.group_inside.assign(texts.piece.group_inside.size(), 0);
        texts.piece.events = {};
        return texts;
    }

    // Pieces come from several threads, and are written to the file in their order.
    void write_in_order(std::int64_t n, const std::vector<Unit> &units, PieceTexts texts) {
        const std::lock_guard lock(mutex_);
        waiting_.emplace(n, std::move(texts));
        while (!waiting_.empty() && waiting_.begin()->first == next_unit_) {
            write_piece(units[static_cast<std::size_t>(next_unit_)], waiting_.begin()->second);
            waiting_.erase(waiting_.begin());
            ++next_unit_;
        }
    }

    void write_piece(const Unit &unit, PieceTexts &texts) {
        const Source &s = opened_[unit.source];
        const std::vector<std::int64_t> &rows = plan_.components[unit.source].rows;
        const auto add_rows = [&](const char *what, const BlockText &text) {
            blocks_.push_back({{"what", what},
                               {"id", new_block(text)},
                               {"first_row", s.first_row + static_cast<std::int64_t>(unit.first)},
                               {"rows", unit.count}});
        };
        if (plan_.bins > 0) add_rows("bins", texts.bins);
        if (!texts.inside.text.empty()) add_rows("inside", texts.inside);
        if (!texts.piece.exact.empty()) {
            Json event_rows = Json::array();
            for (const std::int64_t p : texts.piece.exact)
                event_rows.push_back(s.first_row + (std::lower_bound(rows.begin(), rows.end(), p) - rows.begin()));
            blocks_.push_back({{"what", "events"},
                               {"id", new_block(texts.events)},
                               {"component", s.component->id},
                               {"rows", std::move(event_rows)},
                               {"gap_bytes", texts.piece.gap_bytes},
                               {"length_bytes", texts.piece.length_bytes}});
        }
        if (!texts.piece.group.empty()) {
            groups_.push_back(std::move(texts.piece.group));
            groups_inside_.push_back(std::move(texts.piece.group_inside));
        }
    }

    // Means of all groups, in the order of the page's rows.
    void write_groups() {
        if (groups_.empty()) return;
        write_planes("groups", bin_planes, groups_);
        const auto tells = [](const std::vector<std::uint8_t> &group) {
            return std::any_of(group.begin(), group.end(), [](std::uint8_t b) { return b != 0; });
        };
        if (std::any_of(groups_inside_.begin(), groups_inside_.end(), tells))
            write_planes("groups_inside", 2, groups_inside_);
    }

    void write_planes(const char *what, std::size_t planes, const std::vector<std::vector<std::uint8_t>> &groups) {
        const std::vector<std::uint8_t> bytes = plane_by_plane(groups, planes, plan_.group_bins);
        blocks_.push_back(
            {{"what", what}, {"id", new_block(block_text(file_.zlib(), bytes))}, {"groups", groups.size()}});
    }

    [[nodiscard]] Json rows_json() const {
        Json rows = Json::array();
        for (std::size_t i = 0; i < opened_.size(); ++i) {
            const Source &s = opened_[i];
            Json one;
            one["component"] = s.component->id;
            one["of"] = s.reader->processes();
            one["group"] = plan_.components[i].group;
            one["mpi_recorded"] = s.rows->has_inside();
            one["processes"] = plan_.components[i].rows;
            one["ranks"] = Json::array();
            for (const std::int64_t p : plan_.components[i].rows)
                if (static_cast<std::size_t>(p) < s.component->ranks.size())
                    one["ranks"].push_back(s.component->ranks[static_cast<std::size_t>(p)]);
            rows.push_back(std::move(one));
        }
        return rows;
    }

    void check_time() const {
        if (sources_.budget.used_up()) throw FileError("the timelines", sources_.budget.why_not());
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
        if (spent.count() > sources_.longest_s)
            throw FileError("the timelines",
                            fmt::format("reading them took more than {:g} s and was given up", sources_.longest_s));
    }

    std::string new_block(const BlockText &block) {
        std::string id = "b" + std::to_string(next_block_++);
        file_.block(id, block);
        return id;
    }

    void write_keys(const Source &s) {
        const KeyBytes keys = key_bytes(s.class_of, s.dates);
        blocks_.push_back({{"what", "keys"},
                           {"id", new_block(block_text(file_.zlib(), keys.bytes))},
                           {"component", s.component->id},
                           {"events", s.class_of.size()},
                           {"date_bytes", keys.date_bytes}});
    }

    PageFile &file_;
    const CoupledRun &run_;
    const PageSources &sources_;
    std::chrono::steady_clock::time_point began_;
    std::vector<Source> opened_;
    ShownClasses classes_;
    PagePlan plan_;
    Interval extent_;
    std::mutex mutex_;                           // protects the members below while several threads work
    std::map<std::int64_t, PieceTexts> waiting_; // by unit: written when it is their turn
    std::int64_t next_unit_ = 0;
    std::vector<std::vector<std::uint8_t>> groups_, groups_inside_;
    Json blocks_;
    int next_block_ = 0;
    std::vector<std::string> notes_;
    Json json_;
};

} // namespace

Json write_timeline_blocks(PageFile &file, const CoupledRun &run, const PageSources &sources) {
    return Writer(file, run, sources).write();
}

} // namespace cpl_lb
