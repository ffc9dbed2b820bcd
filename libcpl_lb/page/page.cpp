// Puts style, data and scripts into one html text.
#include "page/page.hpp"

#include "io/files/file_error.hpp"
#include "page/page_assets.hpp"
#include "page/page_file.hpp"
#include "page/page_json.hpp"
#include "page/timeline_blocks.hpp"

namespace cpl_lb {
namespace {

void write_with(PageFile &file, const CoupledRun &run, const PageSources &sources) {
    file.text("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<link rel=\"icon\" href=\"data:,\">\n" // or a browser asks the server for one
              "<title>Load balance</title>\n<style>\n");
    for (const std::string_view piece : page_style())
        file.text(piece);
    file.text("</style>\n</head>\n");
    for (const std::string_view piece : page_body())
        file.text(piece);
    JsonTree json = page_json(run);
    json["roofline"] = roofline_page_json(sources.roofline);
    json["timeline"] = write_timeline_blocks(file, run, sources);
    file.json("data", json.dump(-1, true));
    file.text("<script>\n'use strict';\n");
    for (const std::string_view piece : page_scripts())
        file.text(piece);
    file.text("</script>\n</body>\n</html>\n");
    file.commit();
}

} // namespace

void write_page(const std::string &path, const CoupledRun &run, const PageSources &sources) {
    try {
        PageFile file(path, sources.zlib);
        write_with(file, run, sources);
        return;
    } catch (const FileError &error) {
        // A page without the timeline is better than none; where the page itself cannot be written, this throws
        // again.
        PageSources none;
        none.why_no_timeline = error.what();
        none.zlib = sources.zlib;
        none.progress = sources.progress;
        none.roofline = sources.roofline;
        if (sources.timelines.empty()) throw;
        PageFile file(path, none.zlib);
        write_with(file, run, none);
    }
}

} // namespace cpl_lb
