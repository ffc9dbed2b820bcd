// Reads the timelines and makes their blocks of bins and events.
#include "page/timeline_blocks.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "page/bins.hpp"
#include "page/event_bytes.hpp"
#include "page/page_plan.hpp"
#include "page/shown_class.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>

namespace cpl_lb {
namespace {

using Json = JsonTree;
constexpr std::size_t block_bytes = 2U << 20U;       // before compression
constexpr std::size_t planes = time_class_count + 2; // and both bytes of the event class that fills most

struct Source {
    std::unique_ptr<TimelineReader> reader;
    const Component *component = nullptr;
    std::vector<std::uint16_t> class_of; // by event
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
        if (!opened_.empty()) write_all();
        if (next_block_ > 0 && !file_.packs()) {
            notes_.emplace_back(
                "This page is larger than it need be: zlib, which packs its data, was not found where it "
                "was written.");
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
            try {
                Source source;
                source.reader = std::make_unique<TimelineReader>(path);
                source.component = component_of(run_, *source.reader);
                if (source.component == nullptr) throw FileError(path, "is of no component of this run");
                for (const EventKey &key : source.reader->header().keys)
                    source.class_of.push_back(classes_.number_of(key));
                opened_.push_back(std::move(source));
            } catch (const FileError &error) {
                notes_.emplace_back(error.what());
            }
        }
        std::sort(opened_.begin(), opened_.end(),
                  [](const Source &a, const Source &b) { return a.component->id < b.component->id; });
    }

    void write_all() {
        std::vector<TimelineSize> sizes;
        for (const Source &s : opened_)
            sizes.push_back({s.reader->processes(), s.reader->events(), s.reader->header().away_intervals > 0});
        plan_ = plan_page(sizes, sources_.most_read);
        extent_ = {0, 1};
        for (const Component &c : run_.components)
            extent_.stop = std::max(extent_.stop, c.last_terminate);
        bin_planes_.resize(plan_.bins == 0 ? 0 : planes);
        Json blocks = Json::array();
        std::int64_t row = 0;
        for (std::size_t i = 0; i < opened_.size(); ++i) {
            write_component(opened_[i], plan_.components[i], row, blocks);
            row += static_cast<std::int64_t>(plan_.components[i].rows.size());
        }
        flush_bins(blocks);
        json_["extent_s"] = {to_seconds(extent_.start), to_seconds(extent_.stop)};
        json_["bins"] = plan_.bins;
        json_["rows"] = rows_json();
        json_["blocks"] = std::move(blocks);
        json_["classes"] = Json::array();
        for (const EventClass &c : classes_.list())
            json_["classes"].push_back({static_cast<int>(c.kind), c.field, c.counterpart});
    }

    [[nodiscard]] Json rows_json() const {
        Json rows = Json::array();
        for (std::size_t i = 0; i < opened_.size(); ++i) {
            const Source &s = opened_[i];
            Json one;
            one["component"] = s.component->id;
            one["of"] = s.reader->processes();
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
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
        if (spent.count() > sources_.longest_s)
            throw FileError("the timelines",
                            fmt::format("reading them took more than {:g} s and was given up", sources_.longest_s));
    }

    // Rows that follow each other are read together.
    template <class Each>
    void for_each_row(const Source &s, const std::vector<std::int64_t> &wanted, Each &&each) {
        constexpr std::int64_t values = 131'072;
        const std::int64_t events = s.reader->events() + 1;
        const std::int64_t wished = std::max(s.reader->block_rows(), values / events);
        const auto most = static_cast<std::size_t>(std::clamp<std::int64_t>(sources_.most_held / events, 1, wished));
        std::vector<Row> rows;
        for (std::size_t i = 0; i < wanted.size();) {
            std::size_t n = 1;
            while (n < most && i + n < wanted.size() && wanted[i + n] == wanted[i + n - 1] + 1)
                ++n;
            rows.resize(std::max(rows.size(), n));
            s.reader->read_rows(wanted[i], std::span(rows).first(n));
            for (std::size_t r = 0; r < n; ++r)
                each(wanted[i + r], rows[r]);
            i += n;
            check_time();
            if (sources_.progress)
                sources_.progress(static_cast<std::int64_t>(i), static_cast<std::int64_t>(wanted.size()));
        }
    }

    // row: of the page, of the component's first process.
    void write_component(Source &s, const ComponentPlan &plan, std::int64_t row, Json &blocks) {
        if (!plan.exact.empty()) write_keys(s, blocks);
        BinRow bins(extent_, std::max<std::size_t>(plan_.bins, 1));
        EventBytes events;
        Json event_rows = Json::array();
        auto next_exact = plan.exact.begin();
        for_each_row(s, plan.rows, [&](std::int64_t process, const Row &times) {
            if (plan_.bins > 0) {
                bins.set(times, s.class_of, classes_.list());
                add_bins(bins, blocks);
            }
            if (next_exact != plan.exact.end() && *next_exact == process) {
                ++next_exact;
                events.add(times);
                event_rows.push_back(row);
                if (static_cast<std::size_t>(events.values()) * 8 > block_bytes)
                    flush_events(s, events, event_rows, blocks);
            }
            ++row;
        });
        flush_events(s, events, event_rows, blocks);
    }

    std::string new_block(const std::vector<std::uint8_t> &bytes) {
        std::string id = "b" + std::to_string(next_block_++);
        file_.block(id, bytes);
        return id;
    }

    // Event classes and dates of a component's events: 0 for no date, else 1 + zigzag of the change.
    void write_keys(const Source &s, Json &blocks) {
        std::vector<std::uint64_t> classes(s.class_of.begin(), s.class_of.end());
        std::vector<std::uint64_t> dates;
        std::uint64_t largest = 0;
        std::int64_t before = 0;
        for (const EventKey &key : s.reader->header().keys) {
            dates.push_back(key.date == no_date ? 0 : 1 + zigzag(key.date - before));
            if (key.date != no_date) before = key.date;
            largest = std::max(largest, dates.back());
        }
        unsigned width = 1;
        while (width < 8 && largest >> 8U * width != 0)
            ++width;
        std::vector<std::uint8_t> bytes;
        append_shuffled(bytes, classes, 2);
        append_shuffled(bytes, dates, width);
        blocks.push_back({{"what", "keys"},
                          {"id", new_block(bytes)},
                          {"component", s.component->id},
                          {"events", s.class_of.size()},
                          {"date_bytes", width}});
    }

    void flush_events(const Source &s, EventBytes &events, Json &event_rows, Json &blocks) {
        if (event_rows.empty()) return;
        const unsigned gap = events.gap_bytes();
        const unsigned length = events.length_bytes();
        blocks.push_back({{"what", "events"},
                          {"id", new_block(events.take())},
                          {"component", s.component->id},
                          {"rows", std::exchange(event_rows, Json::array())},
                          {"gap_bytes", gap},
                          {"length_bytes", length}});
    }

    void add_bins(const BinRow &row, Json &blocks) {
        for (std::size_t bin = 0; bin < row.bins(); ++bin) {
            for (std::size_t c = 0; c < time_class_count; ++c)
                bin_planes_[c].push_back(row.share(static_cast<TimeClass>(c), bin));
            bin_planes_[time_class_count].push_back(static_cast<std::uint8_t>(row.dominant(bin) & 0xffU));
            bin_planes_[time_class_count + 1].push_back(static_cast<std::uint8_t>(row.dominant(bin) >> 8U));
        }
        if (bin_planes_[0].size() * planes > block_bytes) flush_bins(blocks);
    }

    void flush_bins(Json &blocks) {
        if (bin_planes_.empty() || bin_planes_[0].empty()) return;
        const auto rows = static_cast<std::int64_t>(bin_planes_[0].size() / plan_.bins);
        std::vector<std::uint8_t> bytes;
        for (std::vector<std::uint8_t> &plane : bin_planes_) {
            bytes.insert(bytes.end(), plane.begin(), plane.end());
            plane.clear();
        }
        blocks.push_back({{"what", "bins"}, {"id", new_block(bytes)}, {"first_row", binned_rows_}, {"rows", rows}});
        binned_rows_ += rows;
    }

    PageFile &file_;
    const CoupledRun &run_;
    const PageSources &sources_;
    std::chrono::steady_clock::time_point began_;
    std::vector<Source> opened_;
    ShownClasses classes_;
    PagePlan plan_;
    Interval extent_;
    std::vector<std::vector<std::uint8_t>> bin_planes_;
    std::int64_t binned_rows_ = 0;
    int next_block_ = 0;
    std::vector<std::string> notes_;
    Json json_;
};

} // namespace

Json write_timeline_blocks(PageFile &file, const CoupledRun &run, const PageSources &sources) {
    return Writer(file, run, sources).write();
}

} // namespace cpl_lb
