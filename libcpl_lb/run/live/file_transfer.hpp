// A finished file from one process to the root, for nodes that do not share the output folder. The root asks for
// piece after piece, so that memory stays small on both sides and a transfer that takes too long can be left.
#pragma once

#include "mpi/transport.hpp"

#include <string>

namespace cpl_lb {

inline constexpr std::size_t file_piece_bytes = std::size_t{1} << 20U;

enum class FileFate : std::int32_t { arrived, not_readable, not_writable, too_slow };

// Sends what the root asks for. False: a message failed. fate: what became of the file.
bool send_file(Transport &transport, int root, const std::string &path, FileFate &fate);

// On the root. until_ns: on the transport's clock; after it no further piece is asked for. why: what is wrong with
// the file here, in words; empty: nothing.
bool receive_file(Transport &transport, int from, const std::string &path, std::int64_t until_ns, FileFate &fate,
                  std::string &why);

} // namespace cpl_lb
