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
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

std::int64_t newest_start(const std::vector<SpoolFile> &files) {
    std::int64_t newest = std::numeric_limits<std::int64_t>::min();
    for (const SpoolFile &f : files)
        newest = std::max(newest, f.identity().started_realtime_ns);
    return newest;
}

std::string in_words(const SpoolFile &f) {
    return fmt::format("{} (token {}, started {})", text_of(f.identity().run_id), f.token(),
                       text_of(f.identity().started));
}

using Runs = std::map<std::string, std::vector<SpoolFile>>; // by token

Runs::iterator choose(Runs &runs, const std::string &wanted, const std::string &where) {
    const auto older = [](const auto &a, const auto &b) { return newest_start(a.second) < newest_start(b.second); };
    if (wanted.empty()) return std::max_element(runs.begin(), runs.end(), older);
    const auto is_wanted = [&](const auto &run) {
        return run.first == wanted || text_of(run.second.front().identity().run_id) == wanted;
    };
    const auto found = std::find_if(runs.begin(), runs.end(), is_wanted);
    if (found == runs.end()) throw FileError(where, "no spool files of the run " + wanted);
    return found;
}

// Takes one file for each rank; if there are copies, the longest.
void one_for_each_rank(SpoolRun &run) {
    std::stable_sort(run.files.begin(), run.files.end(), [](const SpoolFile &a, const SpoolFile &b) {
        if (a.identity().rank != b.identity().rank) return a.identity().rank < b.identity().rank;
        return a.bytes() > b.bytes();
    });
    const auto same_rank = [](const SpoolFile &a, const SpoolFile &b) {
        return a.identity().rank == b.identity().rank;
    };
    const auto copies = std::unique(run.files.begin(), run.files.end(), same_rank);
    if (copies != run.files.end())
        run.remarks.push_back(say(Sentence::remark_copies, {{"count", std::to_string(run.files.end() - copies)}}));
    run.files.erase(copies, run.files.end());
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
