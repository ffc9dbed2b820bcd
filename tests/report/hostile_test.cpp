// Whatever numbers and names a result file holds: no text of ours prints "inf", "nan" or a number of hundreds of
// digits, and none obeys a name or shows it in two ways.
#include "analysis/cpmip.hpp"
#include "analysis/model_rows.hpp"
#include "io/json/info_json.hpp"
#include "report/text_sections.hpp"
#include "report/text_summary.hpp"
#include "support/utf8.hpp"
#include "tests/json.hpp"
#include "tests/report/example_run.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>

using namespace cpl_lb;
using nlohmann::json;

namespace {

std::string all_texts(CoupledRun run) {
    const std::vector<std::string> files = {"file"};
    std::string text = text_summary(run) + screen_summary(run, "folder", files) + info_json(run) + cpmip_text(run) +
                       csv_of(row_of(run, "", 'S'));
    run.cpmip = cpmip_of(run);
    return text + text_summary(run) + cpmip_text(run) + csv_of(row_of(run, "", 'S'));
}

CoupledRun example() {
    CoupledRun run = test::appendix3();
    run.run.simulated_s = 365 * 86400.0;
    run.run.year_days = 365;
    run.run.cores = 96;
    run.cpmip = cpmip_of(run);
    run.meters.samples.add(10);
    run.meters.sampling_s.add(0.1);
    return run;
}

// Calls with the document for each of its values of that kind, which may be changed.
template <class Is, class Each>
void for_each_value(json &document, json &at, Is is, Each each) {
    if (at.is_structured()) {
        std::size_t nth = 0;
        for (json &inner : at) {
            if (at.is_array() && ++nth > 2) break; // the others are treated as the first two
            for_each_value(document, inner, is, each);
        }
    } else if (is(at)) {
        const json kept = at;
        each(at);
        at = kept;
    }
}

// The first "inf" or "nan" that stands alone, with what is before it; empty: none.
std::string no_figure_in(const std::string &text) {
    const auto is_letter = [&](std::size_t at) {
        return at < text.size() && (std::isalpha(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (const char *word : {"inf", "nan"}) {
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
            const bool alone = !is_letter(at - 1) && !is_letter(at + 3);
            if (alone) return text.substr(at - std::min<std::size_t>(at, 100), 110);
        }
    }
    return {};
}

// The first number of more digits than any figure has; empty: none.
std::string endless_number_in(const std::string &text) {
    constexpr std::size_t most = 24;
    for (std::size_t at = 0, digits = 0; at < text.size(); ++at) {
        digits = std::isdigit(static_cast<unsigned char>(text[at])) != 0 ? digits + 1 : 0;
        if (digits > most) return text.substr(at - std::min<std::size_t>(at, 150), 160);
    }
    return {};
}

void check_figures(const json &document) {
    const std::string text = all_texts(run_from_json("f", document.dump()));
    const std::string found = no_figure_in(text) + endless_number_in(text);
    if (!found.empty()) FAIL_CHECK(found);
}

} // namespace

TEST_CASE("no figure is infinite, whatever a file holds") {
    json document = json::parse(info_json(example()));
    const auto is_number = [](const json &value) { return value.is_number() || value.is_null(); };
    for (const double value : {5e-324, 1e308, 1e100, 0.0, -1.0}) {
        for_each_value(document, document, is_number, [&](json &at) {
            at = value;
            check_figures(document);
        });
    }
}

TEST_CASE("no figure is infinite, whatever the model says") {
    for (const double simulated : {5e-324, 1e-100, 1e-9, 0.0, 1e18, 1e308}) {
        for (const double wall : {5e-324, 0.0, 1e-9, 1e308}) {
            CoupledRun run = example();
            run.run.simulated_s = simulated;
            run.run.wall_s = wall;
            run.cpmip = cpmip_of(run);
            check_figures(json::parse(info_json(run)));
            CHECK(no_figure_in(text_summary(run)).empty());
        }
    }
    // One year in 5e-324 s, and 5e-324 s in a day: neither is a speed or a cost.
    CHECK_FALSE(is_known(sypd(365 * 86400.0, 5e-324, 365)));
    CHECK_FALSE(is_known(chsy(96, 86400, 5e-324, 365)));
    CHECK(as_figure(1e100) == 1e100);
    CHECK_FALSE(is_known(as_figure(1.1e100)));
    CHECK(as_figure(-1e-101) == 0);
}

TEST_CASE("no text obeys a name, whatever it is") {
    json document = json::parse(info_json(example()));
    const auto is_text = [](const json &value) { return value.is_string(); };
    // NOLINTNEXTLINE(misc-misleading-bidirectional): the subject
    const std::string hostile = "\x1b]0;x\x07\x1b[2J\r\n\xc2\x9b"
                                "31m\xe2\x80\xae\xe2\x81\xa6\x7f";
    for_each_value(document, document, is_text, [&](json &at) {
        if (at == "cpl_lb/1") return;
        at = hostile;
        const std::string text = all_texts(run_from_json("f", document.dump()));
        INFO(document.dump().substr(0, 300));
        CHECK((safe_text(text) == text));
        CHECK((text_summary(run_from_json("f", document.dump())).find("\\\\x1b") == std::string::npos));
    });
}
