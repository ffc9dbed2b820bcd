// Finds zlib at run time: netCDF brings it into the process in nearly every build, so that nothing more is
// linked (docs/decisions/deflate.md).
#pragma once

namespace cpl_lb {

// zlib's compress2: packs `from` into `to` (RFC 1950), at most *to_size bytes, and leaves in *to_size how many there
// are; 0 when all went well.
using Compress2 = int(unsigned char *to, unsigned long *to_size, const unsigned char *from, unsigned long from_size,
                      int level);

[[nodiscard]] Compress2 *zlib_in_process(); // null: there is none

} // namespace cpl_lb
