// The loops that measure this processor. kernels.cpp is compiled once for each vector width, and the program chooses
// at run time which of them can run here.
//
// Units: doubles. `n` is a multiple of kernel_block, arrays are aligned to 64 bytes. `passes`: over the same data.
// Results depend on all the work, so that a compiler cannot leave it out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpl_lb {

inline constexpr std::size_t kernel_block = 64;
inline constexpr std::size_t kernel_stride = 4; // of `strided`

struct KernelSet {
    const char *vector; // "scalar", "sse2", "avx2", "avx512", "neon"
    int length;         // doubles in a register
    // Multiply-adds on independent chains in registers: flops_of(passes) operations.
    double (*flops)(std::size_t passes);
    double flops_per_pass;
    double (*load)(const double *a, std::size_t n, std::size_t passes);                              // sum of a
    double (*copy)(double *a, const double *b, std::size_t n, std::size_t passes);                   // a = b
    double (*triad)(double *a, const double *b, const double *c, std::size_t n, std::size_t passes); // a = b + s c
    double (*strided)(const double *a, std::size_t n, std::size_t passes); // sum of every fourth: n / 4 loads
    double (*gathered)(const double *a, const std::int32_t *index, std::size_t n, std::size_t passes); // n loads
};

// Null if this processor does not have these instructions. A build has those of its family of processors.
[[nodiscard]] const KernelSet *scalar_kernels();
[[nodiscard]] const KernelSet *sse2_kernels();
[[nodiscard]] const KernelSet *avx2_kernels();
[[nodiscard]] const KernelSet *avx512_kernels();
[[nodiscard]] const KernelSet *neon_kernels();

} // namespace cpl_lb
