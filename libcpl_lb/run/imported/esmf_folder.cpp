// Finds the streams of one run of ESMF in a folder, and reports what is missing.
#include "run/imported/esmf_trace.hpp"

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::string_view stream_prefix = "esmf_stream_";

// Of a file that does not begin as a stream only that begin: whatever else it holds, it is not read.
std::vector<std::byte> bytes_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
    std::vector<std::byte> bytes;
    const auto read_to = [&](std::streamoff end) {
        const auto begin = static_cast<std::streamoff>(bytes.size());
        bytes.resize(static_cast<std::size_t>(end));
        file.read(reinterpret_cast<char *>(bytes.data() + begin), end - begin); // NOLINT: bytes as characters
    };
    file.seekg(0);
    constexpr std::streamoff longest_header = 4096;
    if (size > 0) read_to(std::min(size, longest_header));
    if (size > longest_header && begins_esmf_stream(bytes)) read_to(size);
    if (size < 0 || !file) throw FileError(path, "cannot be read: " + std::generic_category().message(errno));
    return bytes;
}

std::vector<std::string> stream_files(const std::string &folder) {
    std::error_code error;
    std::vector<std::string> names = names_in(folder, error);
    if (error) throw FileError(folder, error.message());
    std::erase_if(names, [&](const std::string &name) {
        std::error_code gone;
        return !name.starts_with(stream_prefix) || !std::filesystem::is_regular_file(path_in(folder, name), gone);
    });
    return names;
}

std::string other_process_map() {
    return fmt::format("not the layout of ESMF's traces that is known here (uuid {})", esmf_trace_uuid);
}

// The description beside the streams may be missing, because each packet has the same information.
void check_metadata(const std::string &path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return;
    constexpr std::streamsize most = std::streamsize{1} << 20U;
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(most), '\0');
    file.read(text.data(), most);
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.find(esmf_trace_uuid) == std::string::npos) throw FileError(path, other_process_map());
}

std::string pets_in_words(const std::vector<std::int32_t> &pets) {
    std::string words;
    constexpr std::size_t most_ranges = 8;
    std::size_t ranges = 0;
    for (std::size_t i = 0; i < pets.size(); ++ranges) {
        if (ranges == most_ranges) return words + ", ...";
        std::size_t last = i;
        while (last + 1 < pets.size() && pets[last + 1] == pets[last] + 1)
            ++last;
        words += (words.empty() ? "" : ", ") + std::to_string(pets[i]);
        if (last > i) words += "-" + std::to_string(pets[last]);
        i = last + 1;
    }
    return words;
}

// Removes those of which `is_out` says so, asked in their order; how many there were, and the name of the first.
template <class IsOut>
std::string taken_out(std::vector<EsmfStream> &streams, IsOut is_out) {
    std::string first;
    const std::size_t out = std::erase_if(streams, [&](const EsmfStream &s) {
        const bool goes = is_out(s);
        if (goes && first.empty()) first = s.name;
        return goes;
    });
    if (out == 0) return {};
    return fmt::format("{} ({}{})", counted(out, "stream"), out > 1 ? "first " : "", first);
}

// ESMF does not empty the folder: a run on fewer PETs leaves the streams of the one before.
void leave_out_old(EsmfTrace &trace) {
    const EsmfStream &newer = *std::ranges::max_element(trace.streams, {}, &EsmfStream::last);
    const EsmfStream &reference = trace.streams.front().pet == 0 ? trace.streams.front() : newer;
    const bool calendar = is_calendar_time(reference.first);
    const Interval run{reference.first, reference.last};
    const std::string node = reference.node;
    const std::string out = taken_out(trace.streams, [&](const EsmfStream &s) {
        // Clocks that began with their machines can be compared on one machine only.
        if (!calendar && s.node != node) return false;
        return s.last < run.start || s.first > run.stop;
    });
    if (!out.empty()) trace.remarks.push_back(say(Sentence::remark_streams_of_other_run, {{"streams", out}}));
}

void leave_out_twins(EsmfTrace &trace) {
    std::ranges::stable_sort(trace.streams, {}, &EsmfStream::pet);
    std::int32_t before = -1;
    const std::string out =
        taken_out(trace.streams, [&](const EsmfStream &s) { return std::exchange(before, s.pet) == s.pet; });
    if (!out.empty()) trace.remarks.push_back(say(Sentence::remark_same_pet, {{"streams", out}}));
}

void tell_missing_pets(EsmfTrace &trace) {
    std::vector<std::int32_t> &missing = trace.missing;
    std::int64_t &count = trace.missing_count;
    std::int32_t next = 0;
    for (const EsmfStream &s : trace.streams) {
        count += s.pet - next;
        for (; next < s.pet && missing.size() < 10'000; ++next)
            missing.push_back(next);
        next = s.pet + 1;
    }
    if (count > 0) {
        trace.remarks.push_back(say(Sentence::remark_pets_without_stream,
                                    {{"pets", counted(count, "PET")}, {"which", pets_in_words(missing)}}));
    }
}

void tell_damage(EsmfTrace &trace) {
    std::int64_t lost = 0, damaged = 0;
    std::vector<std::int32_t> cut;
    for (const EsmfStream &s : trace.streams) {
        lost += s.lost_calls;
        damaged += s.damaged_packets;
        if (!s.has_profile) cut.push_back(s.pet);
    }
    if (lost > 0) trace.remarks.push_back(say(Sentence::remark_calls_lost, {{"calls", counted(lost, "call")}}));
    if (damaged > 0)
        trace.remarks.push_back(say(Sentence::remark_packets_damaged, {{"packets", counted(damaged, "packet")}}));
    if (!cut.empty()) {
        trace.remarks.push_back(say(Sentence::remark_end_of_trace,
                                    {{"pets", counted(cut.size(), "PET")}, {"which", pets_in_words(cut)}}));
    }
}

} // namespace

EsmfTrace esmf_trace_of(const std::string &folder, std::vector<EsmfStream> streams) {
    EsmfTrace trace;
    trace.streams = std::move(streams);
    const auto foreign = std::ranges::find_if(trace.streams, &EsmfStream::foreign);
    if (foreign != trace.streams.end()) throw FileError(path_in(folder, foreign->name), other_process_map());
    const std::string empty = taken_out(trace.streams, [](const EsmfStream &s) { return s.pet < 0 || s.last == 0; });
    if (!empty.empty()) trace.remarks.push_back(say(Sentence::remark_empty_streams, {{"streams", empty}}));
    if (trace.streams.empty()) throw FileError(folder, "no stream of ESMF's trace that can be read");
    leave_out_twins(trace);
    leave_out_old(trace);
    const auto has_calls = [](const EsmfStream &s) { return !s.calls.empty(); };
    if (std::ranges::none_of(trace.streams, has_calls))
        throw FileError(folder, "a profile, not a trace: no component phase begins or ends in it; "
                                "run the model with ESMF_RUNTIME_TRACE=ON");
    tell_missing_pets(trace);
    tell_damage(trace);
    return trace;
}

EsmfTrace read_esmf_trace(const std::string &folder, const Progress &progress) {
    std::string place = folder;
    std::vector<std::string> names = stream_files(place);
    std::error_code error;
    if (const std::string inside = path_in(folder, "traceout");
        names.empty() && std::filesystem::is_directory(inside, error)) {
        place = inside;
        names = stream_files(place);
    }
    if (names.empty())
        throw FileError(folder, "no files esmf_stream_*: not the folder that ESMF_RUNTIME_TRACE=ON leaves");
    check_metadata(path_in(place, "metadata"));
    std::vector<EsmfStream> streams;
    for (const std::string &name : names) {
        streams.push_back(read_esmf_stream(name, bytes_of(path_in(place, name))));
        if (progress) progress(std::ssize(streams), std::ssize(names));
    }
    return esmf_trace_of(place, std::move(streams));
}

} // namespace cpl_lb
