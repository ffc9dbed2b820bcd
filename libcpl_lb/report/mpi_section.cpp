// Inside components: who talks to whom by MPI's messages, who is waited for, and the messages of fields; the tables
// of efficiencies, and of the time in MPI on which they are based.
#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/verdict_parts.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double waited_line_from = 0.01; // of the core time: less gets no line below the table
constexpr std::size_t most_fields = 10;

std::string MiB_text(std::int64_t bytes) {
    return decimal_text(static_cast<double>(bytes) / mebibyte, 3);
}

// "3", or "12-15" for several processes.
std::string group_text(std::int64_t group, std::int64_t processes) {
    const std::int64_t first = first_of_traffic_group(group, processes);
    const std::int64_t last = first_of_traffic_group(group + 1, processes) - 1;
    return first == last ? count_text(first) : fmt::format("{}-{}", first, last);
}

// Its messages came in calls that waited for no other process.
bool is_alone(const WaitedFor &w) {
    return w.waited_s >= 0.99 * w.with_others_s;
}

std::string waited_for_lines(const Component &c) {
    std::string text;
    for (const WaitedFor &w : c.inside.traffic.waited_for) {
        const double share = share_of_core_time(c, w.in_loop_s);
        if (!(share >= waited_line_from)) continue;
        const std::string together =
            is_alone(w) ? "" : fmt::format(", and {} s together with others", number_text(w.with_others_s));
        text +=
            wrapped(fmt::format("{}: process {} is waited for by {} of the others, {} times: {} s{}; at least {} of "
                                "the core time of {}",
                                table_name(c), w.process, w.by, w.waits, number_text(w.waited_s), together,
                                share_in_words(share), c.inside.of_whole_run ? "its run" : "its coupling loop"),
                    80);
    }
    return text;
}

constexpr std::size_t columns = 80;

constexpr std::array<const char *, mpi_class_count> class_words = {"point to point", "collective", "one-sided",
                                                                   "files"};

constexpr const char *meanings = "total = coupling x inside, inside = load balance x communication\n"
                                 "coupling:      the loop without waiting for other components\n"
                                 "inside:        useful time (not in MPI) in what is left\n"
                                 "load balance:  mean useful time of the processes / the longest\n"
                                 "communication: the longest useful time / computing; the rest is MPI\n";

bool above_1(const Efficiency &e) {
    constexpr double clearly = 1.005;
    return e.inside > clearly || e.communication > clearly;
}

// Why there is no figure, or to which interval it belongs.
std::string notes(const CoupledRun &run) {
    std::string text;
    bool above = false;
    for (const Component &c : run.components) {
        above = above || above_1(efficiency_of(c));
        if (!c.inside.why_not.empty())
            text += wrapped("n/a: inside " + table_name(c) + ": " + safe_name(c.inside.why_not), columns);
        if (c.inside.known() && c.inside.of_whole_run) {
            text += wrapped(table_name(c) + " has no coupling loop: its figure for inside is of the whole run, " +
                                number_text(c.inside.length_s) + " s",
                            columns);
        }
    }
    if (above) {
        text += wrapped("Above 100: waiting is counted until the last process of a component has its message, but "
                        "other processes went on earlier.",
                        columns);
    }
    return text;
}

} // namespace

std::string traffic_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "messages", "MiB", "most from", "to process", "MiB", "waited for {s}"});
    std::string lines;
    for (const Component &c : run.components) {
        const InsideTraffic &traffic = c.inside.traffic;
        if (!traffic.known() || c.ranks.size() < 2) continue;
        const GroupPair sum = traffic.sum();
        const auto most = std::ranges::max_element(traffic.pairs, {}, &GroupPair::bytes);
        const auto processes = static_cast<std::int64_t>(c.ranks.size());
        const bool named = most != traffic.pairs.end() && most->bytes > 0;
        table.row({table_name(c), count_text(sum.messages), MiB_text(sum.bytes),
                   named ? group_text(most->from, processes) : "", named ? group_text(most->to, processes) : "",
                   named ? MiB_text(most->bytes) : "", InSeconds{sum.waited_s}});
        lines += waited_for_lines(c);
        if (traffic.messages_to_others > 0) {
            lines += wrapped(fmt::format("{}: without {} messages to partners for whom there was no room",
                                         table_name(c), traffic.messages_to_others),
                             80);
        }
    }
    return SectionText(table, lines).text;
}

std::string field_traffic_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "field", "to", "messages", "MiB"}, {1, 2});
    std::string lines;
    for (const Component &c : run.components) {
        std::vector<const FieldTraffic *> fields;
        for (const FieldTraffic &field : c.fields)
            if (!is_of_windows(field)) fields.push_back(&field);
        std::ranges::stable_sort(fields, std::greater(), &FieldTraffic::bytes);
        for (std::size_t i = 0; i < std::min(fields.size(), most_fields); ++i) {
            const FieldTraffic &field = *fields[i];
            table.row({table_name(c), short_name(field.name, table_name_columns),
                       field.counterpart.empty() ? "(not known)" : short_name(field.counterpart, table_name_columns),
                       count_text(field.messages), MiB_text(field.bytes)});
        }
        if (fields.size() > most_fields)
            lines +=
                fmt::format("{}: the {} fields with most bytes of {}\n", table_name(c), most_fields, fields.size());
    }
    return SectionText(table, lines).text;
}

std::vector<std::string> late_sender_sentences(const CoupledRun &run) {
    std::vector<std::string> words;
    for (const Component &c : run.components) {
        const WaitedFor *late = late_sender(c);
        if (late == nullptr) continue;
        words.push_back(say(Sentence::late_sender, {{"name", name_in_words(run, c.id)},
                                                    {"share", share_in_words(share_of_core_time(c, late->in_loop_s))},
                                                    {"time", c.inside.of_whole_run ? "run" : "coupling loop"},
                                                    {"process", count_text(late->process)},
                                                    {"others", say(is_alone(*late) ? Sentence::part_it_alone
                                                                                   : Sentence::part_and_others)}}));
    }
    return words;
}

std::string efficiency_table(const CoupledRun &run) {
    if (!knows_inside(run)) return "";
    TextTable table = titled({"Component", "total", "coupling", "inside", "load balance", "communication"});
    for (const Component &c : run.components) {
        const Efficiency e = on_windows(run).hide_waits ? Efficiency() : efficiency_of(c);
        table.row({table_name(c), per_cent_text(e.total), per_cent_text(e.coupling), per_cent_text(e.inside),
                   per_cent_text(e.load_balance), per_cent_text(e.communication)});
    }
    const Efficiency e = efficiency_of(run);
    table.row({"All cores", per_cent_text(e.total), per_cent_text(e.coupling), per_cent_text(e.inside), "", ""});
    return table.text(text_columns) + meanings + notes(run);
}

SectionText mpi_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "what", "min", "mean", "max", "% of time", "calls in the run"}, {1});
    for (const Component &c : run.components) {
        const ComponentInside &inside = c.inside;
        if (!inside.known()) continue;
        const auto row = [&](const char *what, const Spread &s, const std::string &calls) {
            table.row({table_name(c), what, InSeconds{s.min}, InSeconds{s.mean()}, InSeconds{s.max},
                       per_cent_text(s.mean() / inside.length_s), calls});
        };
        row("useful", inside.useful_s, "");
        row("exchanges", inside.exchanges_s, "");
        for (std::size_t i = 0; i < mpi_class_count; ++i)
            if (inside.calls[i] > 0) row(class_words[i], inside.in_class_s[i], count_text(inside.calls[i]));
    }
    return table;
}

} // namespace cpl_lb
