#pragma once

#include <string>
#include <vector>

#include "viewer/model/book.h"

namespace fusebox::view {

/// One line of a source file with what it caused, summed over the launches of all entries.
struct ListingLine {
  std::string text;     ///< tabs as spaces
  bool hidden = false;  ///< inside a blank of the reference: shown when the puzzle is solved, or on request
  bool blank_mark = false;  ///< FILL ME IN or END
  std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, lanes = 0, bank_conflicts = 0;
  std::uint64_t warp_instructions = 0;
  std::vector<const Fault*> faults;
};

struct Listing {
  std::string title;  ///< the file's name
  std::vector<ListingLine> lines;
  std::uint64_t most_sectors = 0, all_sectors = 0;
  std::string problem;   ///< why there is nothing to show
  bool traffic = false;  ///< something was counted
};

/// The learner's file, or the reference. The faults are the book's.
Listing listing_of(const Book& book, bool student);
/// Lines with traffic or faults, as text.
std::string to_text(const Listing& listing);

}  // namespace fusebox::view
