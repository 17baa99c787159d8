#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/report/result.h"

namespace fusebox::classroom {

using Cells = std::vector<std::string>;

struct Csv {
  std::vector<Cells> rows;           ///< without those of which every cell is empty
  std::vector<std::size_t> numbers;  ///< of the rows, as a spreadsheet counts them: from 1, empty ones too
  std::size_t unclosed = 0;          ///< the number of the row in which a quotation begins that has no end

  /// Of the first row of an empty table too.
  std::size_t number(std::size_t row) const { return row < numbers.size() ? numbers[row] : row + 1; }
};

/// Rows of RFC 4180: quoted cells may hold commas, quotes and line ends; LF, CRLF or CR; a byte order mark is
/// dropped.
Csv read_csv(std::string_view text);

/// The same of a file that somebody has made. An error where it is none: in UTF-16, with other signs than
/// commas between its columns, or with a quotation that takes in all that follows. `file` is what errors call
/// it.
Result<Csv> read_table(std::string_view text, const std::string& file);

/// One line with its end. A cell that a spreadsheet would take for a formula gets an apostrophe before it;
/// control characters but the line end are dropped.
std::string csv_line(const Cells& cells);

}  // namespace fusebox::classroom
