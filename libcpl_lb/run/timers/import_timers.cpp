// Recognises the files, reads them, and writes a folder for each run.
#include "run/timers/import_timers.hpp"

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "run/timers/readers.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

namespace cpl_lb {

// In the order in which they are asked and listed.
const std::vector<TimerReader> &timer_readers() {
    static const std::vector<TimerReader> readers = {
        {"cesm", "summaries of CESM and E3SM (cesm_timing..., e3sm_timing...)", is_cesm_timing, read_cesm_timing},
        {"gptl", "GPTL's statistics and processes' own timers (CESM, E3SM: model_timing...)", is_gptl_timing,
         read_gptl_timing},
        {"esmf_profile", "ESMF's own profile (ESMF_Profile.summary)", is_esmf_profile, read_esmf_profile},
        {"fms", "clocks of FMS (MOM, SIS, GFDL's coupled models)", is_fms_clocks, read_fms_clocks},
        {"oasis", "OASIS3-MCT's load balance analysis, and lucia's", is_oasis_balance, read_oasis_balance},
        {"jobs", "job times of Autosubmit and cylc", is_job_times, read_job_times},
    };
    return readers;
}

namespace {

std::string known_kinds() {
    std::vector<std::string> kinds;
    for (const TimerReader &reader : timer_readers())
        kinds.emplace_back(reader.kind);
    return joined(kinds, ", ");
}

const TimerReader &reader_of(const std::string &kind) {
    for (const TimerReader &reader : timer_readers())
        if (kind == reader.kind) return reader;
    throw std::invalid_argument(fmt::format("--kind {}: no such timers; there are {}", kind, known_kinds()));
}

const TimerReader &reader_of(const TimerText &text) {
    const TimerReader *found = nullptr;
    for (const TimerReader &reader : timer_readers()) {
        if (!reader.recognizes(text)) continue;
        if (found != nullptr)
            throw FileError(text.path(), fmt::format("has timers of two kinds, {} and {}: --kind says which to read",
                                                     found->kind, reader.kind));
        found = &reader;
    }
    if (found != nullptr) return *found;
    throw FileError(text.path(),
                    fmt::format("no timers that are known here; --kind says which they are: {}", known_kinds()));
}

// zlib's functions for packed files.
struct Gzip {
    using File = void *;
    File (*open)(const char *path, const char *mode) = nullptr;
    int (*read)(File file, void *bytes, unsigned count) = nullptr;
    int (*close)(File file) = nullptr;

    Gzip() {
        void *const library = ::dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL); // never closed: it costs nothing to keep
        if (library == nullptr) return;
        open = reinterpret_cast<decltype(open)>(::dlsym(library, "gzopen"));
        read = reinterpret_cast<decltype(read)>(::dlsym(library, "gzread"));
        close = reinterpret_cast<decltype(close)>(::dlsym(library, "gzclose"));
    }
};

std::string unpacked(const std::string &path) {
    static const Gzip gzip;
    if (gzip.open == nullptr || gzip.read == nullptr || gzip.close == nullptr)
        throw FileError(path, "is packed, and there is no libz.so.1 here; gunzip it first");
    std::unique_ptr<void, int (*)(void *)> file(gzip.open(path.c_str(), "rb"), gzip.close);
    if (!file) throw FileError(path, "cannot be opened by zlib");
    constexpr std::size_t most = std::size_t{1} << 30U;
    std::string text;
    std::array<char, 65536> block{};
    int count = 0;
    while ((count = gzip.read(file.get(), block.data(), block.size())) > 0) {
        text.append(block.data(), static_cast<std::size_t>(count));
        if (text.size() > most) throw FileError(path, "unpacked it is larger than 1 GiB, which no timers are");
    }
    // A file that is cut is told when it is closed.
    if (count < 0 || gzip.close(file.release()) != 0) throw FileError(path, "is packed by gzip, and cut or damaged");
    return text;
}

// Files that have the same name in each run give it the name of their folder.
std::string name_of_run(const std::string &path) {
    static const std::vector<std::string_view> usual = words_of(
        "fms.out ESMF_Profile.summary model_timing_stats model_timing.0000 load_balancing_info.txt log out stdout");
    const std::filesystem::path file(path);
    std::string name = file.extension() == ".gz" ? file.stem().string() : file.filename().string();
    if (std::ranges::find(usual, name) == usual.end()) return name;
    std::error_code error;
    const std::string folder = std::filesystem::weakly_canonical(file, error).parent_path().filename().string();
    return error || folder.empty() ? name : folder;
}

std::vector<TimedRun> runs_of(const std::string &path, const std::string &kind) {
    const TimerText text(path, timer_file_text(path));
    const TimerReader &reader = kind.empty() ? reader_of(text) : reader_of(kind);
    if (text.lines().empty()) throw FileError(path, "is empty");
    std::vector<TimedRun> runs = reader.read(text);
    for (TimedRun &run : runs)
        if (run.id.empty()) run.id = name_of_run(path);
    return runs;
}

// Results of a run that was recorded are not replaced by those of another one.
void refuse_recorded(const std::string &folder) {
    std::error_code error;
    for (const std::string &name : names_in(folder, error))
        if (name.ends_with(".spool") || (name.starts_with("timeline_") && name.ends_with(".nc")))
            throw FileError(folder, fmt::format("holds {}, of another run: choose another folder", safe_name(name)));
}

void write_results(const ImportedTimers::Run &imported) {
    create_directory(imported.folder);
    refuse_recorded(imported.folder);
    write_result_file(path_in(imported.folder, info_text_name), text_summary(imported.run));
    write_result_file(path_in(imported.folder, info_json_name), info_json(imported.run));
}

} // namespace

std::string timer_file_text(const std::string &path) {
    std::string text = read_text_file(path);
    if (!text.starts_with("\x1f\x8b")) return text;
    if (!std::filesystem::is_regular_file(path)) throw FileError(path, "is packed, and no file; gunzip it first");
    return unpacked(path);
}

ImportedTimers import_timers(const std::vector<std::string> &paths, const TimerImportOptions &options) {
    if (!options.kind.empty()) static_cast<void>(reader_of(options.kind));
    ImportedTimers imported;
    std::vector<TimedRun> runs;
    std::set<std::string> known;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        try {
            std::error_code error;
            const std::filesystem::path whole = std::filesystem::weakly_canonical(paths[i], error);
            if (!error && !known.insert(whole.string()).second)
                throw FileError(paths[i], "is named twice, and counts once");
            std::vector<TimedRun> more = runs_of(paths[i], options.kind);
            std::move(more.begin(), more.end(), std::back_inserter(runs));
        } catch (const FileError &error) {
            imported.refused.emplace_back(error.what());
        }
        if (options.progress)
            options.progress(static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(paths.size()));
    }
    if (runs.empty()) throw std::runtime_error(imported.refused.front());
    runs = joined_runs(std::move(runs));
    if (runs.size() > 1 && !options.run.empty())
        throw std::invalid_argument(fmt::format("--run names one run, and these files are of {}", runs.size()));
    std::vector<std::string> names;
    names.reserve(runs.size());
    for (const TimedRun &run : runs)
        names.push_back(run.id);
    const std::vector<std::string> stems = file_stems(names);
    // Where files were refused there may be several runs next time: none of them is to stand above the others.
    const bool a_folder_each = runs.size() > 1 || !imported.refused.empty();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        TimedRun &timed = runs[i];
        const auto began = std::chrono::steady_clock::now();
        if (!options.run.empty()) timed.id = options.run;
        if (is_known(options.simulated_s)) timed.simulated_s = {options.simulated_s, "--simulated"};
        if (options.cores > 0) {
            timed.cores = {static_cast<double>(options.cores), "--cores"};
            timed.others_not_known = false;
        }
        try {
            ImportedTimers::Run run{run_of_timers(timed), options.output};
            if (a_folder_each) run.folder = path_in(options.output, stems[i]);
            run.run.analysis_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
            write_results(run);
            imported.runs.push_back(std::move(run));
        } catch (const FileError &) {
            throw; // the results cannot be written
        } catch (const std::runtime_error &error) {
            imported.refused.push_back(fmt::format("{}: {}", timed.id, error.what()));
        }
    }
    if (imported.runs.empty()) throw std::runtime_error(imported.refused.front());
    return imported;
}

} // namespace cpl_lb
