// Defines chunked, shuffled and deflated variables.
#include "io/timeline/compression.hpp"

#include <algorithm>

namespace cpl_lb {

void compress(const NetcdfFile &file, int variable, std::span<const std::size_t> chunk, bool shuffle) {
    file.check(nc_def_var_chunking(file.id(), variable, NC_CHUNKED, chunk.data()), "cannot set the chunks");
    file.check(nc_def_var_deflate(file.id(), variable, shuffle ? 1 : 0, 1, 1), "cannot set the compression");
}

void compress_along(const NetcdfFile &file, int variable, std::size_t length, std::size_t bytes_of_value) {
    if (length * bytes_of_value < smallest_compressed_bytes) return;
    const std::size_t chunk = std::min(length, values_of_a_chunk);
    compress(file, variable, {&chunk, 1}, true);
    // Written once, in whole chunks: none waits in a cache, so what was written is on the disk.
    file.check(nc_set_var_chunk_cache(file.id(), variable, 0, 1, 0.0F), "cannot set the chunk cache");
}

} // namespace cpl_lb
