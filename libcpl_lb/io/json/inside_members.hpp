// Names of the part of load_balancing_info.json that MPI inside the components fills (docs/load_balancing_info.md),
// for writing and reading.
#pragma once

#include "data/inside.hpp"
#include "io/json/meters_members.hpp"

namespace cpl_lb {

// Efficiencies follow from the other figures: they are only written.
template <class Way>
void json_members(Way &way, const Efficiency &e) {
    way.derived("total", e.total);
    way.derived("coupling", e.coupling);
    way.derived("inside", e.inside);
    way.derived("load_balance", e.load_balance);
    way.derived("communication", e.communication);
}

// In the order of MpiClass.
inline constexpr std::array<const char *, mpi_class_count> mpi_class_members = {"point_to_point", "collective",
                                                                                "one_sided", "files"};
inline constexpr std::array<const char *, mpi_class_count> mpi_class_means = {"point_to_point_s", "collective_s",
                                                                              "one_sided_s", "files_s"};

template <class Way, Either<ComponentInside> I>
void json_members(Way &way, I &inside) {
    for (std::size_t c = 0; c < mpi_class_count; ++c)
        way.derived(mpi_class_means[c], inside.in_class_s[c].mean());
    if (std::is_const_v<I> && !inside.known() && inside.why_not.empty()) return; // most runs
    way.text("why_not", inside.why_not);
    way.flag("of_whole_run", inside.of_whole_run);
    way.figure("length_s", inside.length_s);
    way.part("useful", inside.useful_s);
    way.part("exchanges", inside.exchanges_s);
    for (std::size_t c = 0; c < mpi_class_count; ++c) {
        way.group(mpi_class_members[c], [&](auto &of_class) {
            json_members(of_class, inside.in_class_s[c]);
            of_class.count("calls", inside.calls[c]);
        });
    }
}

} // namespace cpl_lb
