// Converts figures to bytes between the least and the most of their component: 20,480 processes take some 100 kB.
#include "analysis/decomposition.hpp"
#include "page/event_bytes.hpp"
#include "page/page_json.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

using Json = JsonTree;
using Bytes = std::vector<std::uint8_t>;
constexpr double steps_of_byte = 254;
constexpr std::uint8_t byte_unknown = 255;
// Limit for all regions together, with a byte for each process: a third of a megabyte of the page.
constexpr std::size_t most_region_bytes = 262'144;
constexpr std::size_t least_regions = 4; // of a component, however many processes the run has
// Limit for all components together, 8 bytes for each piece in most grids: at most a megabyte of the page. If there
// are more pieces, each process keeps fewer.
constexpr std::size_t most_pieces_of_page = 98'304;

class MapWriter {
public:
    MapWriter(PageFile &file, const Component &component) : file_(file), component_(component) {}

    Json write(std::size_t most_regions, std::size_t most_of_process) {
        const ProcessFigures &figures = component_.figures;
        Json json;
        json["component"] = component_.id;
        json["why_not"] = Json::text(figures.why_no_parts);
        json["figures"] = Json::array();
        const auto add = [&](const char *name, const std::vector<double> &values) {
            if (is_whole(values.size())) json["figures"].push_back(figure(name, values));
            return is_whole(values.size());
        };
        add("computing", figures.computing_s);
        add("inside", figures.mpi_inside_s);
        add("late", figures.late_s);
        add("memory", figures.memory_B);
        for (std::size_t r = 0; r < std::min(figures.regions.size(), most_regions); ++r)
            if (add("region", figures.regions[r].seconds))
                json["figures"].back()["region"] = Json::text(figures.regions[r].region);
        const bool has_parts = is_whole(figures.parts.size()) && std::ranges::all_of(figures.parts, &GridPart::given);
        json["parts"] = has_parts ? parts(figures, most_of_process) : Json(nullptr);
        return json;
    }

private:
    [[nodiscard]] bool is_whole(std::size_t values) const { return values > 0 && values == component_.ranks.size(); }

    std::string new_block(const Bytes &bytes) {
        std::string id = "m" + std::to_string(component_.id) + "-" + std::to_string(blocks_++);
        file_.block(id, bytes);
        return id;
    }

    Json figure(const char *name, const std::vector<double> &values) {
        Spread all;
        for (const double value : values)
            all.add(value);
        const auto extreme = [&](double value) {
            const auto at = std::ranges::find(values, value);
            const auto process = at == values.end() ? 0 : static_cast<std::size_t>(at - values.begin());
            return Json{{"process", process}, {"rank", component_.ranks[process]}, {"value", Json::number(value)}};
        };
        Bytes bytes;
        for (const double value : values) {
            const double share = all.max > all.min ? (value - all.min) / (all.max - all.min) : 0.5;
            bytes.push_back(is_known(value) ? static_cast<std::uint8_t>(std::lround(share * steps_of_byte))
                                            : byte_unknown);
        }
        return {{"name", name},       {"id", new_block(bytes)},    {"mean", Json::number(all.mean())},
                {"known", all.count}, {"least", extreme(all.min)}, {"most", extreme(all.max)}};
    }

    // The number of pieces of each process; then the first i of the pieces of all, one process after the other, their
    // numbers of points in this direction, and the same for j.
    Json parts(const ProcessFigures &figures, std::size_t most_of_process) {
        std::vector<std::uint64_t> numbers;
        std::vector<GridPiece> all;
        std::size_t coarse = 0;
        for (GridPart part : figures.parts) {
            part.pieces = grouped(std::move(part.pieces), most_of_process);
            if (part.is_coarse()) ++coarse;
            numbers.push_back(part.pieces.size());
            all.insert(all.end(), part.pieces.begin(), part.pieces.end());
        }
        for (const std::size_t direction : {0U, 1U}) {
            for (const auto member : {&GridPiece::first, &GridPiece::count})
                for (const GridPiece &piece : all)
                    numbers.push_back(static_cast<std::uint64_t>((piece.*member)[direction]));
        }
        const unsigned width = bytes_for(*std::ranges::max_element(numbers));
        Bytes bytes;
        append_shuffled(bytes, numbers, width);
        const auto &size = figures.parts.front().size;
        return {{"form", "pieces"},
                {"id", new_block(bytes)},
                {"width", width},
                {"size", {size[0], size[1]}},
                {"left_out", figures.left_out},
                {"pieces", all.size()},
                {"coarse", coarse}};
    }

    PageFile &file_;
    const Component &component_;
    int blocks_ = 0;
};

// The most pieces for each process, at least 1, with which the page stays within its limit.
std::size_t pieces_of_process(const CoupledRun &run) {
    const auto of_page = [&](std::size_t most) {
        std::size_t all = 0;
        for (const Component &c : run.components)
            for (const GridPart &part : c.figures.parts)
                all += std::min(part.pieces.size(), most);
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
        if (!c.figures.empty()) maps.push_back(MapWriter(file, c).write(regions, pieces));
    }
    return maps;
}

} // namespace cpl_lb
