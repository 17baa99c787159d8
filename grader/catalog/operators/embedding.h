#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/random.h"

/// What the embedding puzzles share: ids.
namespace fusebox {

/// Ids of `tokens` tokens, of a table of `vocabulary` rows of `width` floats. Kinds:
///   "random"        any rows;
///   "edges"         the first and the last row;
///   "repeats"       one row for most of them;
///   "unknown"       every third names no row: next to the table, at the ends of int, and such that 32 bits
///   bring
///                   the place of the row back into the table;
///   "only_unknown"  none names a row;
///   "distinct"      no row twice.
std::vector<std::int64_t> draw_ids(const std::string& kind, std::int64_t tokens, std::int64_t vocabulary,
                                   std::int64_t width, Random& random);

}  // namespace fusebox
