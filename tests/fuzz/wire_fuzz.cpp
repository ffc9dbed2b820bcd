// Properties of the messages of terminate, for any bytes (the first chooses the format, the rest is the message):
// - a message is either unpacked or refused with a DamagedMessage; nothing else, no crash, no memory beyond what its
//   bytes can fill;
// - what was unpacked can be packed, and comes back the same from there.
#include "mpi/wire_formats.hpp"

#include <cstdlib>

using namespace cpl_lb;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::vector<testing::WireFormat> &formats = testing::wire_formats();
    if (size == 0) return 0;
    const testing::WireFormat &format = formats[data[0] % formats.size()];
    const auto *bytes = reinterpret_cast<const std::byte *>(data);
    Bytes packed;
    try {
        packed = format.again(Bytes(bytes + 1, bytes + size));
    } catch (const DamagedMessage &) {
        return 0; // refused
    }
    if (format.again(packed) != packed) std::abort();
    return 0;
}
