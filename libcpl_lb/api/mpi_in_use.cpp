// Finds out which MPI runs, and compares it with the MPI of this build.
#include "api/mpi_in_use.hpp"

#include "support/fmt.hpp"

#include <array>
#include <cstdlib>
#include <mpi.h>

namespace cpl_lb {
namespace {

#if defined(OPEN_MPI)
constexpr MpiFamily built_with = MpiFamily::open_mpi;
constexpr std::string_view built_with_name = "OpenMPI";
#elif defined(MPICH_VERSION) || defined(MPICH) || defined(I_MPI_VERSION)
constexpr MpiFamily built_with = MpiFamily::mpich;
constexpr std::string_view built_with_name = "MPICH";
#else
constexpr MpiFamily built_with = MpiFamily::other;
constexpr std::string_view built_with_name = "another MPI";
#endif

bool has(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

} // namespace

MpiFamily family_of(std::string_view text) {
    if (has(text, "Open MPI")) return MpiFamily::open_mpi;
    if (has(text, "MPICH") || has(text, "MVAPICH") || has(text, "Intel(R) MPI")) return MpiFamily::mpich;
    return MpiFamily::other;
}

std::string why_not_this_mpi() {
    // Another MPI may write more than ours. Static: the model's stack may be small.
    static std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 8192> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const MpiFamily running = family_of(text.data());
    const bool known = running != MpiFamily::other && built_with != MpiFamily::other;
    if (!known || running == built_with) return {};
    return fmt::format(
        "the program runs with {}, but it is linked with the library for {}: link libcpl_lb-{}; switched "
        "off",
        running == MpiFamily::open_mpi ? "OpenMPI" : "MPICH", built_with_name,
        running == MpiFamily::open_mpi ? "openmpi" : "mpich");
}

bool is_told_here() {
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
        if (const char *rank = std::getenv(name); rank != nullptr) return std::string_view(rank) == "0";
    return true;
}

} // namespace cpl_lb
