// What went wrong while the model ran, in words, with counts and codes.
#include "run/live/steps/decode_record.hpp"

#include "data/error_codes.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

struct ToldProblem {
    std::string cause;
    std::int64_t count;
    int code;
    friend bool operator==(const ToldProblem &, const ToldProblem &) = default;
};

std::vector<ToldProblem> told_of(const std::function<void(ProcessRecord &, ProblemList &)> &note) {
    std::vector<ToldProblem> told;
    with_record([&](ProcessRecord &record) {
        ProblemList problems(0, {});
        note(record, problems);
        for (const Problem &p : problems.all())
            told.push_back({p.cause, p.count, p.code});
    });
    return told;
}

std::vector<ToldProblem> recorded(const std::function<void(ProcessRecord &, DecodedProcess &)> &happened) {
    return told_of([&](ProcessRecord &record, ProblemList &problems) {
        DecodedProcess decoded;
        happened(record, decoded);
        note_recording_problems(record, decoded, problems);
    });
}

} // namespace

TEST_CASE("problems: calls on other threads are a remark, with their time") {
    const auto told = recorded([](ProcessRecord &record, DecodedProcess & /*decoded*/) {
        record.recorder->problems().elsewhere = 7;
        record.recorder->problems().elsewhere_s = 0.25;
    });
    CHECK(told == std::vector<ToldProblem>{
                      {"calls of MPI on other threads than that of MPI_Init are not in the figures", 7, 0}});
}

TEST_CASE("problems: wrong calls, each kind once with its count") {
    const auto told = recorded([](ProcessRecord &record, DecodedProcess & /*decoded*/) {
        RecordingProblems &p = record.recorder->problems();
        p.unknown_kind = 4;
        p.first_bad_kind = 77;
        p.unknown_field = 2;
        p.first_bad_field = 1234;
        p.unknown_region = 3;
        p.region_order = 5;
        p.component_order = 6;
    });
    CHECK(told ==
          std::vector<ToldProblem>{{"cpl_lb_begin or _end with unknown kind 77: ignored", 4, error::argument},
                                   {"cpl_lb_begin or _end with unknown field 1234: ignored", 2, error::argument},
                                   {"unknown region: ignored", 3, error::argument},
                                   {"cpl_lb_region_end without begin: ignored", 5, error::order},
                                   {"cpl_lb_component_end without begin: ignored", 6, error::order}});
}

// Dropped while it ran and at decoding: 10 + 3. No memory tells instead, once at least.
TEST_CASE("problems: events that are lost, by the bound or for want of memory") {
    CHECK(recorded([](ProcessRecord &record, DecodedProcess &decoded) {
              record.recorder->problems().dropped = 10;
              decoded.problems.dropped = 3;
          }) == std::vector<ToldProblem>{{dropped_in_words(std::size_t{64} << 20U), 13, error::dropped}});
    for (const std::int64_t dropped : {0, 9}) {
        CHECK(recorded([dropped](ProcessRecord &record, DecodedProcess & /*decoded*/) {
                  record.recorder->problems().dropped = dropped;
                  record.recorder->problems().out_of_memory = 1;
              }) == std::vector<ToldProblem>{{"no more memory for events: the later ones are dropped",
                                              std::max<std::int64_t>(dropped, 1), error::memory}});
    }
    CHECK(recorded([](ProcessRecord &record, DecodedProcess & /*decoded*/) {
              record.recorder->problems().spool_failed = 1;
          }) == std::vector<ToldProblem>{{"the spool could not grow: events went to memory instead", 1, error::io}});
    CHECK(dropped_in_words(std::size_t{64} << 20U).find("64 MiB (nn_max_mb)") != std::string::npos);
}

TEST_CASE("problems: a slice that is empty, with dates and without") {
    const auto slice = [](bool dated, Interval found) {
        return recorded([&](ProcessRecord &record, DecodedProcess &decoded) {
            if (dated) record.recorder->date(5);
            record.settings.date_first_s = 20;
            record.settings.date_last_s = 50;
            decoded.slice = found;
        });
    };
    CHECK(slice(true, {1, 2}).empty());
    CHECK(slice(true, {1, 1}) ==
          std::vector<ToldProblem>{{"no date that the model gave lies in the slice, 20 s to 50 s (nn_date_first, "
                                    "nn_date_last): nothing recorded",
                                    1, error::data}});
    CHECK(
        slice(false, {1, 2}) ==
        std::vector<ToldProblem>{
            {"nn_date_first or nn_date_last is set, but the model gave no dates: nothing recorded", 1, error::data}});
    Settings to_the_end;
    to_the_end.date_first_s = 20;
    CHECK(slice_in_words(to_the_end) == "from 20 s to the end");
}

TEST_CASE("problems: ends without begins and begins without ends, by the first of them") {
    const std::vector<LocalField> fields = {{}, {"SST", {}}};
    const auto told = told_of([&](ProcessRecord & /*record*/, ProblemList &problems) {
        DecodeProblems found;
        found.end_without_begin = 2;
        found.first_end_without_begin = make_what(static_cast<unsigned>(Kind::get), 1);
        found.forgotten_end = 8;
        found.first_forgotten_end = make_what(static_cast<unsigned>(Kind::map), 0);
        note_decoding_problems(found, fields, problems);
    });
    CHECK(told == std::vector<ToldProblem>{
                      {"cpl_lb_end without begin, for example GET of field 'SST': ignored", 2, error::order},
                      {"cpl_lb_begin without end, for example MAP: closed at terminate", 8, error::order}});
}
