// Converts figures to bytes between the least and the most of their component: 20,480 processes take some 100 kB.
#include "page/map_json.hpp"

#include "analysis/decomposition.hpp"
#include "page/event_bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

using Json = JsonTree;
using Bytes = std::vector<std::uint8_t>;
constexpr double steps_of_byte = 254;
constexpr std::uint8_t byte_unknown = 255;
constexpr double steps_of_coordinate = 65535;
// Limit for all regions together, with a byte for each process: a third of a megabyte of the page.
constexpr std::size_t most_region_bytes = 262'144;
constexpr std::size_t least_regions = 4; // of a component, however many processes the run has
// Limit for all components together, 8 bytes for each piece in most grids: at most a megabyte of the page. If there
// are more pieces, each process keeps fewer.
constexpr std::size_t most_pieces_of_page = 98'304;

struct Shown {
    const char *name;
    std::vector<double> ProcessFigures::*values;
};
constexpr std::array<Shown, 4> shown = {{{"computing", &ProcessFigures::computing_s},
                                         {"inside", &ProcessFigures::mpi_inside_s},
                                         {"late", &ProcessFigures::late_s},
                                         {"memory", &ProcessFigures::memory_B}}};

struct Range {
    double least = unknown, most = unknown, sum = 0;
    std::size_t least_at = 0, most_at = 0, known = 0;
};

Range range_of(const std::vector<double> &values) {
    Range r;
    for (std::size_t p = 0; p < values.size(); ++p) {
        if (!is_known(values[p])) continue;
        r.sum += values[p];
        if (r.known == 0 || values[p] < r.least) {
            r.least = values[p];
            r.least_at = p;
        }
        if (r.known++ == 0 || values[p] > r.most) {
            r.most = values[p];
            r.most_at = p;
        }
    }
    return r;
}

std::uint8_t byte_of(double value, const Range &r) {
    if (!is_known(value)) return byte_unknown;
    const double share = r.most > r.least ? (value - r.least) / (r.most - r.least) : 0.5;
    return static_cast<std::uint8_t>(std::lround(share * steps_of_byte));
}

class MapWriter {
public:
    MapWriter(PageFile &file, const Component &component, std::size_t most_regions, std::size_t most_of_process)
        : file_(file), component_(component), most_regions_(most_regions), most_of_process_(most_of_process) {}

    Json write() {
        const ProcessFigures &figures = component_.figures;
        Json json;
        json["component"] = component_.id;
        json["why_not"] = Json::text(figures.why_no_parts);
        json["figures"] = Json::array();
        for (const Shown &one : shown)
            if (const std::vector<double> &values = figures.*one.values; is_whole(values.size()))
                json["figures"].push_back(figure(one.name, values));
        for (std::size_t r = 0; r < std::min(figures.regions.size(), most_regions_); ++r) {
            const RegionTimes &one = figures.regions[r];
            if (!is_whole(one.seconds.size())) continue;
            json["figures"].push_back(figure("region", one.seconds));
            json["figures"].back()["region"] = JsonTree::text(one.region);
        }
        json["parts"] = is_whole(figures.parts.size()) ? parts(figures) : Json(nullptr);
        json["why_no_globe"] = Json::text(figures.why_no_globe);
        const bool both = is_whole(figures.parts.size()) && figures.parts.front().form != GridForm::points &&
                          std::any_of(figures.parts.begin(), figures.parts.end(),
                                      [](const GridPart &d) { return is_known(d.longitude); });
        if (both) json["globe"] = new_block(boxes(figures.parts));
        return json;
    }

private:
    [[nodiscard]] bool is_whole(std::size_t values) const { return values > 0 && values == component_.ranks.size(); }

    std::string new_block(const Bytes &bytes) {
        std::string id = "m" + std::to_string(component_.id) + "-" + std::to_string(blocks_++);
        file_.block(id, bytes);
        return id;
    }

    [[nodiscard]] Json extreme(std::size_t process, double value) const {
        return {{"process", process}, {"rank", component_.ranks[process]}, {"value", Json::number(value)}};
    }

    Json figure(const char *name, const std::vector<double> &values) {
        const Range r = range_of(values);
        Bytes bytes;
        for (const double value : values)
            bytes.push_back(byte_of(value, r));
        return {{"name", name},
                {"id", new_block(bytes)},
                {"mean", Json::number(r.known > 0 ? r.sum / static_cast<double>(r.known) : unknown)},
                {"known", r.known},
                {"least", extreme(r.least_at, r.least)},
                {"most", extreme(r.most_at, r.most)}};
    }

    Json parts(const ProcessFigures &figures) {
        const std::vector<GridPart> &all = figures.parts;
        if (all.front().form == GridForm::points) return {{"form", "points"}, {"id", new_block(boxes(all))}};
        if (all.front().form == GridForm::pieces && is_whole(figures.pieces.size())) return pieces(figures);
        if (all.front().form != GridForm::block) return nullptr;
        std::vector<std::uint64_t> numbers;
        append_numbers(all, numbers);
        return indices("block", numbers);
    }

    // The number of pieces of each process, and the pieces of all, one process after the other.
    Json pieces(const ProcessFigures &figures) {
        std::vector<std::uint64_t> numbers;
        std::vector<GridPiece> all;
        std::size_t coarse = 0;
        for (std::size_t p = 0; p < figures.pieces.size(); ++p) {
            const std::vector<GridPiece> of_it = grouped(figures.pieces[p], most_of_process_);
            if (is_coarse(figures.parts[p], of_it)) ++coarse;
            numbers.push_back(of_it.size());
            all.insert(all.end(), of_it.begin(), of_it.end());
        }
        append_numbers(all, numbers);
        Json json = indices("pieces", numbers);
        json["pieces"] = all.size();
        json["coarse"] = coarse;
        return json;
    }

    // The first i of each, their numbers of points in this direction, then the same for j.
    template <class Block>
    static void append_numbers(const std::vector<Block> &all, std::vector<std::uint64_t> &numbers) {
        for (std::size_t direction = 0; direction < 2; ++direction) {
            for (const auto member : {&Block::first, &Block::count}) {
                for (const Block &d : all)
                    numbers.push_back(static_cast<std::uint64_t>((d.*member)[direction]));
            }
        }
    }

    Json indices(const char *form, const std::vector<std::uint64_t> &numbers) {
        std::uint64_t largest = 0;
        for (const std::uint64_t n : numbers)
            largest = std::max(largest, n);
        unsigned width = 1;
        while (width < 8 && largest >> 8U * width != 0)
            ++width;
        Bytes bytes;
        append_shuffled(bytes, numbers, width);
        const auto &size = component_.figures.parts.front().size;
        return {{"form", form},
                {"id", new_block(bytes)},
                {"width", width},
                {"size", {size[0], size[1]}},
                {"left_out", component_.figures.left_out}};
    }

    // West, east, south, north, and the means; two bytes for each.
    static Bytes boxes(const std::vector<GridPart> &all) {
        const std::array<double GridPart::*, 6> members = {&GridPart::west,      &GridPart::east,
                                                           &GridPart::south,     &GridPart::north,
                                                           &GridPart::longitude, &GridPart::latitude};
        std::vector<std::uint64_t> numbers;
        for (const auto member : members) {
            const bool along =
                member == &GridPart::west || member == &GridPart::east || member == &GridPart::longitude;
            for (const GridPart &d : all) {
                const double share = along ? (d.*member + 180) / 720 : (d.*member + 90) / 180;
                const bool there = d.points > 0 && share >= 0 && share <= 1;
                numbers.push_back(there ? static_cast<std::uint64_t>(std::llround(share * steps_of_coordinate)) : 0);
            }
        }
        for (const GridPart &d : all)
            numbers.push_back(d.points > 0 ? 1 : 0);
        Bytes bytes;
        append_shuffled(bytes, numbers, 2);
        return bytes;
    }

    PageFile &file_;
    const Component &component_;
    std::size_t most_regions_, most_of_process_;
    int blocks_ = 0;
};

// The most pieces for each process, at least 1, with which the page stays within its limit.
std::size_t pieces_of_process(const CoupledRun &run) {
    const auto of_page = [&](std::size_t most) {
        std::size_t all = 0;
        for (const Component &c : run.components)
            for (const std::vector<GridPiece> &of_it : c.figures.pieces)
                all += std::min(of_it.size(), most);
        return all;
    };
    std::size_t most = most_pieces;
    while (most > 1 && of_page(most) > most_pieces_of_page)
        --most;
    return most;
}

} // namespace

JsonTree write_maps(PageFile &file, const CoupledRun &run) {
    Json maps = Json::array();
    std::size_t processes = 1;
    for (const Component &c : run.components)
        processes += c.ranks.size();
    const std::size_t regions = std::max(most_region_bytes / processes, least_regions);
    const std::size_t pieces = pieces_of_process(run);
    for (const Component &c : run.components) {
        if (c.figures.empty()) continue;
        maps.push_back(MapWriter(file, c, regions, pieces).write());
    }
    return maps;
}

} // namespace cpl_lb
