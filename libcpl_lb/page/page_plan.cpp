// Decides how many rows, bins and exact events of each component the page can hold.
#include "page/page_plan.hpp"

#include "data/raster.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cpl_lb {
namespace {

// `count` of `n` processes, evenly spread, including the first and the last.
std::vector<std::int64_t> spread(std::int64_t n, std::int64_t count) {
    std::vector<std::int64_t> chosen(static_cast<std::size_t>(std::min(n, count)));
    const auto last = static_cast<std::int64_t>(chosen.size()) - 1;
    for (std::int64_t i = 0; i <= last; ++i)
        chosen[static_cast<std::size_t>(i)] = last > 0 ? i * (n - 1) / last : 0;
    return chosen;
}

// Each component gets its share of the bound, and at least one process if a whole one fits.
std::int64_t rows_within(const TimelineSize &size, double share, std::int64_t most_values) {
    const std::int64_t events = std::max<std::int64_t>(size.events, 1);
    if (events > most_values) return 0;
    const auto fitting = static_cast<std::int64_t>(share * static_cast<double>(size.processes));
    return std::clamp<std::int64_t>(fitting, 1, size.processes);
}

double values_of(std::span<const TimelineSize> components) {
    return std::accumulate(components.begin(), components.end(), 0.0, [](double sum, const TimelineSize &c) {
        return sum + static_cast<double>(c.processes) * static_cast<double>(c.events);
    });
}

// The same number as assets/model.js uses for all events.
std::size_t bins_of_browser(std::int64_t rows) {
    const auto fitting = 8'388'608U / static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 1));
    return std::clamp<std::size_t>(std::bit_floor(fitting), 64, 8192);
}

// Not finer than the recorder's sums.
std::size_t inside_bins_of(std::size_t bins) {
    while (bins > raster_bins)
        bins /= 2;
    return bins;
}

// Which components fold: those with many rows, and members of ensembles that together have many rows.
std::vector<bool> who_folds(const PagePlan &plan, std::span<const TimelineSize> components) {
    std::int64_t of_members = 0;
    for (std::size_t i = 0; i < components.size(); ++i)
        if (components[i].is_member) of_members += static_cast<std::int64_t>(plan.components[i].rows.size());
    std::vector<bool> folds;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const auto rows = static_cast<std::int64_t>(plan.components[i].rows.size());
        folds.push_back(rows > most_unfolded || (components[i].is_member && rows > 1 && of_members > most_unfolded));
    }
    return folds;
}

// Groups of equally many processes. Their size is a power of two, as the numbers of processes and cores of nodes
// often are, and large enough that all groups together fit into visible rows.
void fold(PagePlan &plan, std::span<const TimelineSize> components) {
    const std::vector<bool> folds = who_folds(plan, components);
    std::int64_t group = 16;
    const auto groups = [&] {
        std::int64_t n = 0;
        for (std::size_t i = 0; i < components.size(); ++i)
            if (folds[i]) n += (components[i].processes + group - 1) / group;
        return n;
    };
    const std::int64_t least = std::count(folds.begin(), folds.end(), true);
    if (least == 0) return;
    while (groups() > std::max(most_groups, least))
        group *= 2;
    for (std::size_t i = 0; i < components.size(); ++i)
        if (folds[i]) plan.components[i].group = group;
    const std::size_t of_process = std::max<std::size_t>(plan.bins, 1);
    // With very many groups no row is as high as a pixel: together they get no more bins than twice most_groups.
    const auto wanted = least_group_bins * 2 * static_cast<std::size_t>(most_groups) /
                        static_cast<std::size_t>(std::max(groups(), 2 * most_groups));
    plan.group_bins = (wanted + of_process - 1) / of_process * of_process;
}

} // namespace

std::int64_t PagePlan::rows() const {
    std::int64_t n = 0;
    for (const ComponentPlan &c : components)
        n += static_cast<std::int64_t>(c.rows.size());
    return n;
}

PagePlan plan_page(std::span<const TimelineSize> components, std::int64_t most_read, const PageBounds &bounds) {
    PagePlan plan;
    double processes = 0;
    for (const TimelineSize &c : components)
        processes += static_cast<double>(c.processes);
    const double values = std::max(values_of(components), 1.0);
    const double share = std::min(
        {1.0, static_cast<double>(most_read) / values, static_cast<double>(most_rows) / std::max(processes, 1.0)});
    const bool away = std::any_of(components.begin(), components.end(), [](const TimelineSize &c) { return c.away; });
    plan.all_events = share >= 1.0 && !away && values <= static_cast<double>(most_events);
    double shown_values = 0;
    for (const TimelineSize &c : components) {
        ComponentPlan part;
        part.rows = spread(c.processes, rows_within(c, share, most_read));
        shown_values += static_cast<double>(part.rows.size()) * static_cast<double>(c.events);
        plan.components.push_back(std::move(part));
    }
    if (plan.all_events) {
        for (ComponentPlan &part : plan.components)
            part.exact = part.rows;
        plan.inside_bins = inside_bins_of(bins_of_browser(plan.rows()));
        fold(plan, components);
        return plan;
    }
    plan.bins = static_cast<std::size_t>(
        std::clamp<std::int64_t>(bounds.cells / std::max<std::int64_t>(plan.rows(), 1) / 16 * 16, 16, 8192));
    plan.inside_bins = inside_bins_of(plan.bins);
    fold(plan, components);
    const double exact_share = std::min(1.0, static_cast<double>(bounds.events) / std::max(shown_values, 1.0));
    std::int64_t left = bounds.events;
    for (std::size_t i = 0; i < components.size(); ++i) {
        ComponentPlan &part = plan.components[i];
        const std::int64_t events = std::max<std::int64_t>(components[i].events, 1);
        const auto shown = static_cast<std::int64_t>(part.rows.size());
        const std::int64_t wanted = rows_within({shown, components[i].events, false}, exact_share, bounds.events);
        const std::int64_t count = std::min({wanted, shown, left / events});
        left -= count * events;
        for (const std::int64_t at : spread(shown, count))
            part.exact.push_back(part.rows[static_cast<std::size_t>(at)]);
    }
    return plan;
}

} // namespace cpl_lb
