// Chunks of marks in a memory-mapped file of this process. A store into the file is a store into memory, and its
// content outlives the process. File format: spool_format.hpp.
#pragma once

#include "record/mark_store.hpp"
#include "record/spool_format.hpp"
#include "support/clock.hpp"
#include "support/held_descriptor.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

class SpoolError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string spool_path(const std::string &directory, std::string_view token, int rank);

class SpoolChunks final : public ChunkSource {
public:
    // Creates the file (mode 0600, never over another) with room for the first chunk. Throws SpoolError; then there
    // is no file. This constructor fills in the missing members of `identity`.
    SpoolChunks(std::string path, SpoolIdentity identity);
    ~SpoolChunks() override; // leaves the file: a model may end without cpl_lb_terminate

    [[nodiscard]] Mark *allocate() noexcept override;
    void release(Mark *chunk) noexcept override;
    void name_component(std::uint32_t index, std::string_view name) noexcept override;
    void name_field(std::uint32_t id, std::string_view name, std::string_view counterpart) noexcept override;
    void bound_reached(std::uint64_t ticks) noexcept override;
    void planned_length(double seconds) noexcept override;
    void threads_per_processor(double of_the_run) noexcept override;
    void inside_is_summed() noexcept override;
    void lost_processor(double times_per_s) noexcept override;
    void remove_file() noexcept override;
    [[nodiscard]] bool file_is_gone() const noexcept override;
    [[nodiscard]] bool survives() const noexcept override { return true; }

private:
    struct Mapping {
        std::byte *base = nullptr;
        std::size_t bytes = 0;
    };
    // Empty if there is no room. The blocks are allocated first, so that a store never raises SIGBUS.
    [[nodiscard]] Mapping map_new(std::size_t bytes) noexcept;
    [[nodiscard]] Mapping new_segment(SpoolSegmentType type, std::size_t payload_bytes,
                                      std::uint64_t ordinal) noexcept;
    void seal() noexcept;
    void write_name(SpoolName record, std::string_view first, std::string_view second) noexcept;
    [[nodiscard]] SpoolStatus &status() noexcept;
    void close_file() noexcept;
    void shrink_to_end() noexcept;

    std::string path_;
    HeldDescriptor file_;
    std::size_t block_;
    std::size_t end_ = 0; // end of the allocated bytes
    std::uint64_t token_hash_ = 0;
    Mapping header_;
    Mapping current_;  // the chunk being written
    Mapping prepared_; // the first chunk, until allocate() asks for it
    std::uint64_t chunks_ = 0;
    Mapping names_;
    std::size_t names_used_ = 0;
    std::uint64_t name_segments_ = 0;
};

} // namespace cpl_lb
