// PETs of a component that only write its output (asynchronous write groups). They run ahead of the others by many
// steps, so inside their component they would look like a huge jitter.
#pragma once

#include "run/imported/esmf_stream.hpp"
#include "run/imported/esmf_tree.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct EsmfWriters {
    std::vector<std::string> of_pet; // by stream: the name of the PET's component of writers, or empty
    std::vector<std::string> names;  // of those components
    std::vector<std::string> remarks;
};

[[nodiscard]] EsmfWriters find_esmf_writers(const std::vector<EsmfStream> &streams,
                                            const std::vector<PetTree> &trees);

} // namespace cpl_lb
