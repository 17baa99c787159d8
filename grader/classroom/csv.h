#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fusebox::classroom {

using Cells = std::vector<std::string>;

/// Rows of RFC 4180: quoted cells may hold commas, quotes and line ends; LF or CRLF; a byte order mark is
/// dropped, and so are empty lines.
std::vector<Cells> read_csv(std::string_view text);

/// One line with its end. A cell that a spreadsheet would take for a formula gets an apostrophe before it;
/// control characters but the line end are dropped.
std::string csv_line(const Cells& cells);

}  // namespace fusebox::classroom
