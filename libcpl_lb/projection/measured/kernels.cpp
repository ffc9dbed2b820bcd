// Compiled with CPL_LB_KERNELS=avx512 and the like, CPL_LB_LENGTH doubles in a register, and the flags that allow its
// instructions. Nothing of the standard library but types: an inline function compiled here must not be the copy that
// the linker keeps for everybody.
#include "projection/measured/kernels.hpp"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns") // no memcpy for a copy: it would store past the caches
#endif

#define CPL_LB_NAME2(name) name##_kernels
#define CPL_LB_NAME(name) CPL_LB_NAME2(name)
#define CPL_LB_TEXT2(name) #name
#define CPL_LB_TEXT(name) CPL_LB_TEXT2(name)

namespace cpl_lb {
namespace {

constexpr std::size_t length = CPL_LB_LENGTH;
#if CPL_LB_LENGTH == 1
using Vector = double;
double sum_of(Vector v) {
    return v;
}
#else
using Vector __attribute__((vector_size(8 * CPL_LB_LENGTH))) = double;
double sum_of(const Vector &v) {
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i)
        sum += v[i];
    return sum;
}
#endif

// The compiler must take memory as changed, and so repeat each pass.
inline void pass_ends() {
    asm volatile("" ::: "memory");
}

// A multiply-add takes 4 cycles and two start in each: 8 chains at least; 12 also fill a multiplication and an
// addition of 4 cycles each, and leave registers for the factors where there are 16.
constexpr std::size_t chains = 12, rounds = 64;

double flops(std::size_t passes) {
    Vector chain[chains];
    double start = 0;
    for (Vector &v : chain)
        v = Vector{} + (start += 1);
    const Vector factor = Vector{} + 0.999, addend = Vector{} + 0.001; // goes to 1, never to 0 or infinity
    for (std::size_t pass = 0; pass < passes * rounds; ++pass) {
#pragma GCC unroll 12
        for (Vector &v : chain)
            v = v * factor + addend;
    }
    double sum = 0;
    for (const Vector &v : chain)
        sum += sum_of(v);
    return sum;
}

const Vector *vectors(const double *a) {
    return reinterpret_cast<const Vector *>(a);
}

double load(const double *a, std::size_t n, std::size_t passes) {
    constexpr std::size_t sums = 8;
    Vector sum[sums] = {};
    for (std::size_t pass = 0; pass < passes; ++pass) {
        for (std::size_t i = 0; i < n / length; i += sums) {
#pragma GCC unroll 8
            for (std::size_t k = 0; k < sums; ++k)
                sum[k] += vectors(a)[i + k];
        }
        pass_ends();
    }
    double total = 0;
    for (const Vector &v : sum)
        total += sum_of(v);
    return total;
}

double copy(double *a, const double *b, std::size_t n, std::size_t passes) {
    auto *const to = reinterpret_cast<Vector *>(a);
    for (std::size_t pass = 0; pass < passes; ++pass) {
        for (std::size_t i = 0; i < n / length; i += 8) {
#pragma GCC unroll 8
            for (std::size_t k = 0; k < 8; ++k)
                to[i + k] = vectors(b)[i + k];
        }
        pass_ends();
    }
    return a[0];
}

double triad(double *a, const double *b, const double *c, std::size_t n, std::size_t passes) {
    auto *const to = reinterpret_cast<Vector *>(a);
    const Vector factor = Vector{} + 0.5;
    for (std::size_t pass = 0; pass < passes; ++pass) {
        for (std::size_t i = 0; i < n / length; i += 8) {
#pragma GCC unroll 8
            for (std::size_t k = 0; k < 8; ++k)
                to[i + k] = vectors(b)[i + k] + factor * vectors(c)[i + k];
        }
        pass_ends();
    }
    return a[0];
}

// Several lanes of sums: the chain of additions is not what is measured.
#if defined(__AVX512F__)
constexpr std::size_t lanes = 8;
struct Sums {
    __m512d sum = _mm512_setzero_pd();
    void add(const double *a, const std::int32_t *index) {
        const __m256i where = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(index));
        sum += _mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xff, where, a, 8);
    }
    [[nodiscard]] double total() const {
        double all = 0;
        for (std::size_t i = 0; i < lanes; ++i)
            all += sum[i];
        return all;
    }
};
#elif defined(__AVX2__)
constexpr std::size_t lanes = 4;
struct Sums {
    __m256d sum = _mm256_setzero_pd();
    void add(const double *a, const std::int32_t *index) {
        const __m128i where = _mm_loadu_si128(reinterpret_cast<const __m128i *>(index));
        const __m256d all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
        sum += _mm256_mask_i32gather_pd(_mm256_setzero_pd(), a, where, all, 8);
    }
    [[nodiscard]] double total() const { return sum[0] + sum[1] + sum[2] + sum[3]; }
};
#else
constexpr std::size_t lanes = 4;
struct Sums {
    double sum[lanes] = {};
    void add(const double *a, const std::int32_t *index) {
        for (std::size_t i = 0; i < lanes; ++i)
            sum[i] += a[index[i]];
    }
    [[nodiscard]] double total() const { return sum[0] + sum[1] + sum[2] + sum[3]; }
};
#endif

double gathered(const double *a, const std::int32_t *index, std::size_t n, std::size_t passes) {
    Sums sums[4];
    for (std::size_t pass = 0; pass < passes; ++pass) {
        for (std::size_t i = 0; i < n; i += 4 * lanes) {
#pragma GCC unroll 4
            for (std::size_t k = 0; k < 4; ++k)
                sums[k].add(a, index + i + k * lanes);
        }
        pass_ends();
    }
    return sums[0].total() + sums[1].total() + sums[2].total() + sums[3].total();
}

double strided(const double *a, std::size_t n, std::size_t passes) {
    static constexpr std::int32_t step[8] = {0, 4, 8, 12, 16, 20, 24, 28};
    static_assert(kernel_stride == 4);
    Sums sums[2];
    for (std::size_t pass = 0; pass < passes; ++pass) {
        for (std::size_t i = 0; i < n; i += 2 * lanes * kernel_stride) {
            sums[0].add(a + i, step);
            sums[1].add(a + i + lanes * kernel_stride, step);
        }
        pass_ends();
    }
    return sums[0].total() + sums[1].total();
}

bool runs_here() {
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") != 0;
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
    return true; // the least that this compiler builds for
#endif
}

} // namespace

const KernelSet *CPL_LB_NAME(CPL_LB_KERNELS)() {
    static constexpr KernelSet set = {CPL_LB_TEXT(CPL_LB_KERNELS),
                                      CPL_LB_LENGTH,
                                      flops,
                                      2.0 * length * chains * rounds,
                                      load,
                                      copy,
                                      triad,
                                      strided,
                                      gathered};
    return runs_here() ? &set : nullptr;
}

} // namespace cpl_lb
