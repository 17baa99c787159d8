#pragma once

#include <string>

#include "viewer/model/book/book.h"

namespace fusebox::view {

/// Why there are no numbers of the learner's for an entry (or for any): "blank `layernorm` is empty", the
/// fault that ended the counted case, what the compiler said. Empty when there are numbers.
std::string why_not_counted(const Book& book, const std::string& entry);
/// Of the whole report, in a sentence; for a panel that has nothing to show.
std::string why_empty(const Book& book);
/// What to say above two reports that are not of the same puzzle, case or GPU; empty when they are.
std::string mismatch_text(const Book& book);

}  // namespace fusebox::view
