// Finds spool files in folders and sorts them by run.
#include "run/recovered/recovery.hpp"

#include "io/files/file_error.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> paths_in(const std::vector<std::string> &places) {
    std::vector<std::string> paths;
    for (const std::string &place : places) {
        std::error_code error;
        if (!fs::is_directory(place, error)) {
            if (!fs::exists(place, error)) throw FileError(place, "no such file or folder");
            paths.push_back(place);
            continue;
        }
        fs::directory_iterator at(place, error);
        for (; !error && at != fs::directory_iterator(); at.increment(error))
            if (at->path().extension() == ".spool") paths.push_back(at->path().string());
        if (error) throw FileError(place, "cannot read: " + error.message());
    }
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

std::int64_t start_of(const SpoolFile &file) {
    return file.identity().started_realtime_ns;
}

std::string in_words(const SpoolFile &f) {
    return fmt::format("{} (token {}, started {})", text_of(f.identity().run_id), f.token(),
                       text_of(f.identity().started));
}

using Runs = std::map<std::string, std::vector<SpoolFile>>; // by token

Runs::iterator choose(Runs &runs, const std::string &wanted, const std::string &where) {
    const auto newest_start = [](const auto &run) {
        return start_of(*std::ranges::max_element(run.second, {}, start_of));
    };
    if (wanted.empty()) return std::ranges::max_element(runs, {}, newest_start);
    const auto found = std::ranges::find_if(runs, [&](const auto &run) {
        return run.first == wanted || text_of(run.second.front().identity().run_id) == wanted;
    });
    if (found == runs.end()) throw FileError(where, "no spool files of the run " + wanted);
    return found;
}

// Takes one file for each rank; if there are copies, the longest.
void one_for_each_rank(SpoolRun &run) {
    std::ranges::stable_sort(run.files, [](const SpoolFile &a, const SpoolFile &b) {
        return std::pair(a.identity().rank, b.bytes()) < std::pair(b.identity().rank, a.bytes());
    });
    const auto rank_of = [](const SpoolFile &f) { return f.identity().rank; };
    const auto copies = std::ranges::unique(run.files, {}, rank_of);
    if (!copies.empty())
        run.remarks.push_back(say(Sentence::remark_copies, {{"count", std::to_string(copies.size())}}));
    run.files.erase(copies.begin(), copies.end());
    // A process of a run of another size does not belong to this run, even if its token matches.
    const std::int32_t size = run.files.front().identity().size;
    std::erase_if(run.files, [&](const SpoolFile &f) { return f.identity().size != size; });
}

} // namespace

SpoolRun find_spools(const std::vector<std::string> &places, const std::string &wanted) {
    const std::string where = joined(places, ", ");
    Runs runs;
    SpoolRun run;
    for (const std::string &path : paths_in(places)) {
        try {
            SpoolFile file(path);
            runs[file.token()].push_back(std::move(file));
        } catch (const FileError &e) {
            run.remarks.push_back(say(Sentence::remark_left_out, {{"why", e.what()}}));
        }
    }
    if (runs.empty())
        throw FileError(where, run.remarks.empty() ? "no spool files (*.spool)"
                                                   : "no usable spool file; " + run.remarks.front());
    const auto chosen = choose(runs, wanted, where);
    run.token = chosen->first;
    run.files = std::move(chosen->second);
    runs.erase(chosen);
    run.id = text_of(run.files.front().identity().run_id);
    run.started = text_of(run.files.front().identity().started);
    for (const auto &[token, files] : runs)
        run.remarks.push_back(say(Sentence::remark_other_spools,
                                  {{"run", in_words(files.front())}, {"files", counted(files.size(), "file")}}));
    one_for_each_rank(run);
    return run;
}

} // namespace cpl_lb
