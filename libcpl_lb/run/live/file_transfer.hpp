// Sends a finished file from one process to the root, for nodes that do not share the output folder. The root asks
// for piece after piece, so that memory stays small on both sides and the root can stop a transfer that takes long.
#pragma once

#include "mpi/transport.hpp"

#include <string>

namespace cpl_lb {

inline constexpr std::size_t file_piece_bytes = std::size_t{1} << 20U;

// The root answers each piece with it: it wants the next one, or says how the transfer ended.
enum class FileFate : std::int32_t { under_way, arrived, not_readable, not_writable, too_slow };

// Sends the pieces that the root requests, and returns what became of the file.
[[nodiscard]] FileFate send_file(Transport &transport, int root, const std::string &path);

// Called on the root. until_ns: a time on the transport's clock after which no further piece is requested. why: what
// is wrong with the file here, in words; empty: nothing.
[[nodiscard]] FileFate receive_file(Transport &transport, int from, const std::string &path, std::int64_t until_ns,
                                    std::string &why);

} // namespace cpl_lb
