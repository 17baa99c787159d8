#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/book/book.h"

namespace fusebox::view {

/// One line of a source file with what it caused, summed over the launches of all entries.
struct ListingLine {
  std::string text;     ///< tabs as spaces
  bool hidden = false;  ///< inside a blank of the reference: shown when the puzzle is solved, or on request
  bool blank_mark = false;  ///< FILL ME IN or END
  std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, lanes = 0, bank_conflicts = 0;
  std::uint64_t warp_instructions = 0;
  std::vector<const Fault*> faults;
  std::vector<const Fault*> other_ends;  ///< races whose other access this line makes
  bool told = false;                     ///< the verdict is about this line
  std::size_t columns = 0;               ///< characters
};

struct Listing {
  std::string title;  ///< the file's name
  std::vector<ListingLine> lines;
  std::uint64_t max_sectors = 0, all_sectors = 0;
  std::string problem;   ///< why there is nothing to show
  bool traffic = false;  ///< something was counted
};

/// The learner's file, or the reference. The faults are the book's.
Listing listing_of(const Book& book, bool student);
/// The line to begin at, from 0: the one that the verdict is about, else the first with a fault, else the one
/// that moves most. Comments at the top of a file cause no traffic.
std::size_t line_to_open(const Listing& listing);
/// A line in pieces of at most `columns` characters, broken behind spaces, commas and brackets where that can
/// be: code is never cut.
std::vector<std::string_view> wrapped(std::string_view line, std::size_t columns);
/// Lines with traffic or faults, as text.
std::string to_text(const Listing& listing);

}  // namespace fusebox::view
