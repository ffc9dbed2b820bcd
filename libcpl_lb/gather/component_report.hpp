// What a component's master tells the root: facts, figures, and the spans of its exchanges, by which the root finds
// which PUT belongs to which GET.
#pragma once

#include "data/coupled_run.hpp"
#include "gather/wire.hpp"

namespace cpl_lb {

[[nodiscard]] Bytes pack_component(const Component &component);
[[nodiscard]] Component unpack_component(const Bytes &bytes);

} // namespace cpl_lb
