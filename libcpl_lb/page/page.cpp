// Puts style, data and scripts into one html text.
#include "page/page.hpp"

#include "io/files/file_error.hpp"
#include "page/page_file.hpp"
#include "page/page_json.hpp"

#include <utility>

namespace cpl_lb {
namespace {

void write_pieces(PageFile &file, std::initializer_list<std::span<const std::string_view>> lists) {
    for (const auto &pieces : lists)
        for (const std::string_view piece : pieces)
            file.text(piece);
}

void write_whole(const std::string &path, const CoupledRun &run, const PageSources &sources) {
    PageFile file(path, sources.zlib);
    file.text("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<link rel=\"icon\" href=\"data:,\">\n" // without it a browser asks the server for an icon
              "<title>Load balance</title>\n<style>\n");
    write_pieces(file, {shared_style(), page_style()});
    file.text("</style>\n</head>\n");
    write_pieces(file, {page_body()});
    JsonTree timeline = write_timeline_blocks(file, run, sources);
    JsonTree json = page_json(run);
    if (!sources.fields.empty()) json["fields"] = JsonTree::Text{sources.fields};
    json["roofline"] = roofline_page_json(sources.roofline);
    json["maps"] = write_maps(file, run);
    json["arrivals"] = timeline.has("rows") ? write_arrivals(file, run) : JsonTree();
    json["timeline"] = std::move(timeline);
    file.json("data", json.dump(-1, true));
    file.text("<script>\n'use strict';\n");
    write_pieces(file, {shared_scripts(), page_scripts()});
    file.text("</script>\n</body>\n</html>\n");
    file.commit();
}

// A page without the timeline is better than none. If the page itself cannot be written, this throws again. Call it
// while an error is handled.
void write_without_timeline(const std::string &path, const CoupledRun &run, const PageSources &sources,
                            const FileError &why) {
    if (sources.timelines.empty()) throw;
    PageSources none = sources;
    none.timelines.clear();
    none.why_no_timeline = why.what();
    write_whole(path, run, none);
}

} // namespace

std::string field_rows(const CoupledRun &run) {
    return fields_json(run).dump(-1, true);
}

void write_page(const std::string &path, const CoupledRun &run, const PageSources &sources) {
    try {
        write_whole(path, run, sources);
    } catch (const FileError &error) {
        write_without_timeline(path, run, sources, error);
    }
}

PageSources page_of_timers() {
    PageSources sources;
    sources.why_no_timeline =
        "the figures are from timers of the model, which tell sums, and not when things happened";
    return sources;
}

} // namespace cpl_lb
