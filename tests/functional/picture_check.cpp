// Compares the picture in a timeline with one made from its events.
#include "picture_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <netcdf.h>

namespace scenario {
namespace {

using cpl_lb::Nanoseconds;
constexpr int bins = 2048;
constexpr int computing = -1, not_running = -127;

class File {
public:
    explicit File(const std::string &path) { REQUIRE(nc_open(path.c_str(), NC_NOWRITE, &id_) == NC_NOERR); }
    ~File() { nc_close(id_); }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    [[nodiscard]] std::vector<double> values(const char *name) const {
        int variable = -1;
        INFO(name);
        REQUIRE(nc_inq_varid(id_, name, &variable) == NC_NOERR);
        int dimensions = 0;
        std::array<int, 2> ids{};
        REQUIRE(nc_inq_varndims(id_, variable, &dimensions) == NC_NOERR);
        REQUIRE(dimensions <= 2);
        REQUIRE(nc_inq_vardimid(id_, variable, ids.data()) == NC_NOERR);
        std::size_t size = 1;
        for (int d = 0; d < dimensions; ++d) {
            std::size_t length = 0;
            REQUIRE(nc_inq_dimlen(id_, ids[static_cast<std::size_t>(d)], &length) == NC_NOERR);
            size *= length;
        }
        std::vector<double> all(size);
        REQUIRE(nc_get_var_double(id_, variable, all.data()) == NC_NOERR);
        return all;
    }

private:
    int id_ = -1;
};

// What the process does at an instant: the event around it that began last, of those the one that ends first.
int doing(const Timeline &t, const cpl_lb::Row &row, Nanoseconds at) {
    int kind = at >= t.header.first_init && at < t.header.last_terminate ? computing : not_running;
    for (const cpl_lb::Interval &away : row.away)
        if (away.start <= at && at < away.stop) kind = not_running;
    Nanoseconds start = cpl_lb::absent;
    Nanoseconds stop = 0;
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        const bool around = row.start[k] != cpl_lb::absent && row.start[k] <= at && at < row.stop[k];
        if (!around || row.start[k] < start || (row.start[k] == start && row.stop[k] > stop)) continue;
        start = row.start[k];
        stop = row.stop[k];
        kind = static_cast<int>(t.header.keys.what(k).kind);
    }
    return kind;
}

// The time of each kind in one bin, summed from each instant at which anything changes to the next.
std::map<int, Nanoseconds> shares(const Timeline &t, const cpl_lb::Row &row, Nanoseconds from, Nanoseconds to) {
    std::vector<Nanoseconds> changes = {from, to, t.header.first_init, t.header.last_terminate};
    changes.insert(changes.end(), row.start.begin(), row.start.end());
    changes.insert(changes.end(), row.stop.begin(), row.stop.end());
    for (const cpl_lb::Interval &away : row.away)
        changes.insert(changes.end(), {away.start, away.stop});
    std::erase_if(changes, [&](Nanoseconds c) { return c < from || c > to; });
    std::sort(changes.begin(), changes.end());
    std::map<int, Nanoseconds> sums;
    for (std::size_t i = 0; i + 1 < changes.size(); ++i)
        if (changes[i + 1] > changes[i]) sums[doing(t, row, changes[i])] += changes[i + 1] - changes[i];
    return sums;
}

void check_steps(const File &file, const nlohmann::json &steps, bool rounded) {
    if (steps.at("start_s").empty()) return;
    REQUIRE(steps.at("group") == 1);
    const auto same = [&](const char *variable, const char *name) {
        const std::vector<double> values = file.values(variable);
        REQUIRE(values.size() == steps.at("count"));
        for (std::size_t i = 0; i < values.size(); ++i)
            CHECK(values[i] == Approx(steps.at(name)[i].get<double>()).margin(rounded ? 4.8e-7 : 1e-9));
    };
    same("step_start", "start_s");
    same("step_length", "length_s");
    same("step_computing", "computing_s");
    same("step_waiting", "waiting_s");
    same("step_jitter", "jitter_s");
}

} // namespace

void check_picture(const Result &r, const std::string &component, Nanoseconds tolerance) {
    const std::string path = (r.folder / ("timeline_" + component + ".nc")).string();
    const File file(path);
    const Timeline t = timeline(r, component);
    const double end = r.info().at("run").at("wall_s").get<double>();
    const std::vector<double> elapsed = file.values("elapsed");
    REQUIRE(elapsed.size() == bins);
    CHECK(elapsed.front() == Approx(end / bins / 2).margin(2e-9)); // bins begin at whole nanoseconds
    CHECK(elapsed.back() == Approx(end - end / bins / 2).margin(2e-9));
    const std::vector<double> kinds = file.values("kind_dominant");
    REQUIRE(kinds.size() == bins * t.rows.size());
    int wrong = 0;
    for (std::size_t p = 0; p < t.rows.size(); ++p) {
        for (int b = 0; b < bins; ++b) {
            const auto edge = [&](int bin) { return static_cast<Nanoseconds>(end * 1e9 * bin / bins); };
            const std::map<int, Nanoseconds> share = shares(t, t.rows[p], edge(b), edge(b + 1));
            Nanoseconds longest = 0;
            for (const auto &[kind, time] : share)
                longest = std::max(longest, time);
            const auto got = share.find(static_cast<int>(kinds[p * bins + static_cast<std::size_t>(b)]));
            if (got == share.end() || got->second + tolerance < longest) ++wrong;
        }
    }
    CHECK(wrong == 0);
    // Compressed times are rounded to 2^-20 s, so to half of that.
    check_steps(file, r.component(component).at("steps"), scenario::slurp(path).rfind("CDF", 0) != 0);
}

} // namespace scenario
