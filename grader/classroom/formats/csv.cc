#include "grader/classroom/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fusebox::classroom {

Csv read_csv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Csv csv;
  Cells row;
  std::string cell;
  std::size_t number = 1, begun = 0;
  bool quoted = false;
  const auto end_row = [&] {
    row.push_back(std::move(cell));
    cell.clear();
    if (std::any_of(row.begin(), row.end(), [](const std::string& each) { return !each.empty(); })) {
      csv.rows.push_back(std::move(row));
      csv.numbers.push_back(number);
    }
    row.clear();
    ++number;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"')
        cell += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
      begun = number;
    } else if (c == ',') {
      row.push_back(std::move(cell));
      cell.clear();
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      end_row();
    } else {
      cell += c;
    }
  }
  end_row();
  if (quoted) csv.unclosed = begun;
  return csv;
}

Result<Csv> read_table(std::string_view text, const std::string& file) {
  const auto wrong = [&](const std::string& what, const char* remedy) {
    return Error{ErrorKind::wrong_usage, file + what, remedy};
  };
  if (text.find('\0') != text.npos || text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return wrong(" is no text in UTF-8", "save it as `CSV UTF-8`");
  Csv csv = read_csv(text);
  if (csv.unclosed != 0)
    return wrong(fmt::format(", row {}: a quotation begins and does not end", csv.unclosed),
                 "quotes stand around a whole cell; within one they are doubled");
  const bool one_column = !csv.rows.empty() && csv.rows[0].size() == 1;
  if (one_column && csv.rows[0][0].find_first_of(";\t") != std::string::npos)
    return wrong(" has semicolons or tabs between its columns", "save it with commas between them");
  return csv;
}

std::string csv_line(const Cells& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    std::string text;
    if (!cell.empty() && std::string_view("=+-@").find(cell[0]) != std::string_view::npos) text += '\'';
    for (const char c : cell)
      if (static_cast<unsigned char>(c) >= 0x20 || c == '\n') text += c;
    if (text.find_first_of(",\"\n") == std::string::npos) {
      line += text;
      continue;
    }
    line += '"';
    for (const char c : text) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

}  // namespace fusebox::classroom
