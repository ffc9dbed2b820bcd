// What a component's master tells the root: facts, figures, and the spans of its exchanges, by which the root finds
// which PUT belongs to which GET.
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/wire.hpp"

namespace cpl_lb {

// most_exchanges: of more than so many spans none is sent (docs/decisions/memory_bound.md).
[[nodiscard]] Bytes pack_component(const Component &component, std::size_t most_exchanges);
[[nodiscard]] Component unpack_component(const Bytes &bytes);

} // namespace cpl_lb
