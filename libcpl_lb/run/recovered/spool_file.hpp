// Reads one spool file as a crash left it (docs/evidence/spool_format.md). Nothing in it is trusted: every length is
// compared with the file, and the file's size bounds the memory.
#pragma once

#include "events/marks.hpp"
#include "io/files/file_handle.hpp"
#include "record/recorder.hpp"
#include "record/spool_format.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

class SpoolFile {
public:
    // Reads everything except the marks, and checks those with a checksum. Throws FileError if the header is damaged.
    explicit SpoolFile(std::string path);

    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] const SpoolIdentity &identity() const { return identity_; }
    [[nodiscard]] const SpoolStatus &status() const { return status_; }
    [[nodiscard]] std::string token() const { return std::string(text_of(identity_.token)); }
    [[nodiscard]] std::uint64_t bytes() const { return size_; }

    // [0]: from init. An empty text: the file has no name for this place.
    [[nodiscard]] const std::vector<std::string> &components() const { return components_; }
    [[nodiscard]] const std::vector<LocalField> &fields() const { return fields_; } // by id; [0]: field 0

    // The bounds of the numbers in names and marks: all numbers are below.
    [[nodiscard]] std::size_t component_numbers() const;
    [[nodiscard]] std::uint32_t field_numbers() const;

    // Chunks in the order in which they were written, up to the first that is damaged or missing.
    [[nodiscard]] std::size_t chunks() const { return chunks_.size(); }
    [[nodiscard]] std::size_t words_of_chunk() const { return identity_.chunk_words; }
    // The damage, in words; empty: there is none.
    [[nodiscard]] const std::vector<std::string> &damage() const { return damage_; }

    // Reads chunks, one at a time into the same memory.
    class Reader {
    public:
        explicit Reader(const SpoolFile &file);
        [[nodiscard]] std::span<const Mark> chunk(std::size_t i);

    private:
        const SpoolFile &file_;
        FileHandle opened_;
        std::vector<Mark> words_;
    };

private:
    struct Chunk {
        std::uint64_t offset; // of its words
        std::size_t words;
    };
    struct Names;

    void read_header(int descriptor);
    void read_segments(int descriptor);
    void read_names(int descriptor, std::uint64_t offset, std::uint64_t bytes, Names &names);
    void read_marks(int descriptor, std::uint64_t offset, const SpoolSegment &segment);
    void note_numbers(std::span<const Mark> words);
    void take_names(const Names &names);
    void refuse_more_than_it_supports() const;

    std::string path_;
    std::uint64_t size_ = 0;
    SpoolIdentity identity_;
    SpoolStatus status_;
    std::vector<std::string> components_;
    std::vector<LocalField> fields_;
    std::vector<Chunk> chunks_;
    std::vector<std::string> damage_;
    bool chunk_missing_ = false; // later events cannot be matched with those of other processes
    std::int64_t lost_chunks_ = 0;
    std::set<std::uint32_t> entered_; // components, by the marks
    std::uint32_t largest_field_ = 0; // by the marks
};

// Converts marks of a file of that version to today's.
void bring_up_to_date(std::span<Mark> words, std::uint32_t version);
// The number of words that a recorder can have written: up to the first invalid one, or where time steps back.
[[nodiscard]] std::size_t plausible_words(std::span<const Mark> words);

} // namespace cpl_lb
