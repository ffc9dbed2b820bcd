// The report of a component's master to the root: facts, figures, and the spans of its exchanges, from which the root
// finds which PUT belongs to which GET.
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/wire.hpp"

namespace cpl_lb {

// most_exchanges: if there are more spans, none is sent (docs/decisions/memory_bound.md).
[[nodiscard]] Bytes pack_component(const Component &component, std::size_t most_exchanges);
[[nodiscard]] Component unpack_component(const Bytes &bytes);

} // namespace cpl_lb
