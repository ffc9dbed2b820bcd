// Turns counts of what is missing into sentences.
#include "run/recovered/recovery_remarks.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace cpl_lb {
namespace {

constexpr std::size_t most_named = 8;

// "3, 5, 6 and 12 more".
std::string some_of(const std::vector<std::int32_t> &ranks, std::size_t all) {
    std::string text;
    for (std::size_t i = 0; i < std::min(ranks.size(), most_named); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
    if (all > most_named) text += fmt::format(" and {} more", all - most_named);
    return text;
}

void tell_missing(const SpoolRun &run, std::vector<std::string> &remarks) {
    const auto size = static_cast<std::size_t>(run.files.front().identity().size);
    remarks.push_back(say(Sentence::remark_recovered, {{"found", std::to_string(run.files.size())},
                                                       {"all", counted(size, "process", "processes")},
                                                       {"run", run.id},
                                                       {"token", fmt::format("{}", run.token)},
                                                       {"started", run.started}}));
    if (run.files.size() >= size) return;
    std::vector<std::int32_t> missing; // the first ones
    auto file = run.files.begin();
    for (std::int32_t rank = 0; static_cast<std::size_t>(rank) < size && missing.size() < most_named; ++rank) {
        if (file != run.files.end() && file->identity().rank == rank)
            ++file;
        else
            missing.push_back(rank);
    }
    const std::size_t count = size - run.files.size();
    remarks.push_back(say(Sentence::remark_no_spool, {{"processes", counted(count, "process", "processes")},
                                                      {"ranks", some_of(missing, count)}}));
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> found; // by component: found, all
    for (const SpoolFile &f : run.files) {
        auto &[here, all] = found[f.components().front()];
        ++here;
        all = f.identity().component_processes;
    }
    for (const auto &[name, numbers] : found) {
        const auto &[here, all] = numbers;
        if (here >= all) continue;
        remarks.push_back(say(Sentence::remark_part_of_component,
                              {{"name", name}, {"found", std::to_string(here)}, {"all", std::to_string(all)}}));
    }
}

// What to say of so many of a process's troubles.
using Words = std::function<std::string(std::int64_t)>;

// One remark for all processes that share a cause.
class Tally {
public:
    void add(const Words &words, std::int32_t rank, std::int64_t count = 1) {
        Entry &entry = causes_[words(1)];
        entry.words = words;
        entry.count += count;
        entry.ranks.push_back(rank);
    }
    void add(Sentence sentence, std::int32_t rank) {
        add([sentence](std::int64_t) { return say(sentence); }, rank);
    }
    void tell(std::vector<std::string> &remarks) const {
        for (const auto &[one, e] : causes_) {
            remarks.push_back(fmt::format("{} (on {} {})", e.words(e.count),
                                          word_for(e.ranks.size(), "process", "processes"),
                                          some_of(e.ranks, e.ranks.size())));
        }
    }

private:
    struct Entry {
        Words words;
        std::int64_t count = 0;
        std::vector<std::int32_t> ranks;
    };
    std::map<std::string, Entry> causes_; // by the words for one
};

std::string bad_words(std::int64_t chunks) {
    return say(Sentence::remark_damaged, {{"how", "words that no recorder writes" +
                                                      (chunks > 1 ? fmt::format(", in {} chunks", chunks) : "")}});
}

std::string still_open(std::int64_t count) {
    return say(Sentence::remark_still_open,
               {{"events", counted(count, "event was", "events were")}, {"it", word_for(count, "it", "each")}});
}

std::string no_begin(std::int64_t count) {
    return say(Sentence::remark_no_begin,
               {{"count", std::to_string(count)}, {"its", word_for(count, "its", "their")}});
}

void tally_process(const SpoolFile &file, const ProcessFacts &facts, Tally &tally) {
    const std::int32_t rank = file.identity().rank;
    const DecodeProblems &p = facts.problems;
    for (const std::string &damage : file.damage())
        tally.add([damage](std::int64_t) { return say(Sentence::remark_damaged, {{"how", damage}}); }, rank);
    if (p.damaged_chunks > 0) tally.add(bad_words, rank, p.damaged_chunks);
    if (p.forgotten_end > 0) tally.add(still_open, rank, p.forgotten_end);
    if (p.end_without_begin > 0) tally.add(no_begin, rank, p.end_without_begin);
    const std::uint64_t flags = file.status().flags;
    if ((flags & spool_flag_to_memory) != 0) tally.add(Sentence::remark_spool_did_not_grow, rank);
    if ((flags & spool_flag_full) != 0) tally.add(Sentence::remark_spool_full, rank);
    if (!facts.clock_known) tally.add(Sentence::remark_no_calibration, rank);
}

} // namespace

std::vector<std::string> recovery_remarks(const SpoolRun &run, const std::vector<ProcessFacts> &facts) {
    std::vector<std::string> remarks;
    tell_missing(run, remarks);
    Tally tally;
    for (std::size_t i = 0; i < run.files.size(); ++i)
        tally_process(run.files[i], facts[i], tally);
    tally.tell(remarks);
    if (run.files.front().identity().nodes > 1) {
        remarks.push_back(
            say(Sentence::remark_no_drift, {{"nodes", std::to_string(run.files.front().identity().nodes)}}));
    }
    if (run.files.front().identity().sliced != 0) remarks.push_back(say(Sentence::remark_spool_slice));
    remarks.push_back(say(Sentence::remark_not_in_spools));
    const auto sums_inside = [](const SpoolFile &f) { return (f.status().flags & spool_flag_inside) != 0; };
    if (std::any_of(run.files.begin(), run.files.end(), sums_inside))
        remarks.push_back(say(Sentence::remark_inside_not_known));
    remarks.insert(remarks.end(), run.remarks.begin(), run.remarks.end());
    return remarks;
}

} // namespace cpl_lb
