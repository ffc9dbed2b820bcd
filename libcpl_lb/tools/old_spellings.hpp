// Questions that were options, or commands of their own, are words of another command now. What scripts wrote goes on
// working: a command line in the old spelling is rewritten before it is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct OldSpelling {
    std::string_view command; // its first word or words, as scripts have it
    std::string_view option;  // that asks the question ("--": a command of the user's own); empty: the command itself
                              // has another name
    std::string_view now;     // the words that stand in place of the command's; they may end with options
    bool keeps_option;        // the option says more than the new word does: it stays. If not, only its value stays
    // The option's own new name, if it stays; "--platform clock=": its value comes behind that.
    std::string_view option_now = {};
    bool value_leads = false; // the option goes, and what follows it stands first among the new word's
};

[[nodiscard]] const std::vector<OldSpelling> &old_spellings();

// words: of the command line, without the program's name. The first row that fits is taken, so
// rows that say more stand first; then the rows of what it became. A command line that has one of the new words is
// given no other.
[[nodiscard]] std::vector<std::string> new_spelling(std::vector<std::string> words);

} // namespace cpl_lb
