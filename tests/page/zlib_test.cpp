// Where zlib comes from, in programs that are not linked with it: compiled twice, with a function of that name of the
// program's own, which goes first, and without.
#include "page/page_file.hpp"

#include <catch2/catch.hpp>
#include <dlfcn.h>
#include <vector>

#ifdef CPL_LB_OWN_COMPRESS2
extern "C" __attribute__((visibility("default"))) int compress2(unsigned char * /*to*/, unsigned long *to_size,
                                                                const unsigned char * /*from*/,
                                                                unsigned long from_size, int /*level*/) {
    *to_size = from_size + 1000;
    return 42;
}
#endif

TEST_CASE("zlib is the one of the process, else that of the system") {
    const std::vector<unsigned char> zeros(10'000);
    std::vector<unsigned char> packed(20'000);
    unsigned long size = packed.size();
    const bool is_there = dlsym(RTLD_DEFAULT, "compress2") != nullptr;
    cpl_lb::Compress2 *found = cpl_lb::zlib_in_process();
    REQUIRE(found != nullptr);
    const int code = found(packed.data(), &size, zeros.data(), zeros.size(), 9);
#ifdef CPL_LB_OWN_COMPRESS2
    CHECK(is_there);
    CHECK(code == 42);
    CHECK(size == 11'000);
#else
    CHECK_FALSE(is_there);
    CHECK(code == 0);
    CHECK(size < 100); // 10,000 zeros
#endif
}
