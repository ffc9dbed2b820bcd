// A model with an fmt and a zlib of its own, which do other things than those of cpl_lb under the same names: neither
// may get hold of the other's.
#include <cstdio>
#include <fmt/core.h>

FMT_BEGIN_NAMESPACE // of the version that is installed, which is that of cpl_lb, too
    std::string
    vformat(string_view, format_args) {
    return "the model's fmt";
}
FMT_END_NAMESPACE

// What HDF5 calls in this process, too: it never packs anything.
extern "C" int compress2(unsigned char *, unsigned long *, const unsigned char *, unsigned long, int) {
    return -5; // Z_BUF_ERROR
}

namespace {
[[maybe_unused]] const int told = std::puts(fmt::format("{}", 1).c_str());
}
