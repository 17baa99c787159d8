#include "grader/classroom/csv.h"

namespace fusebox::classroom {

std::vector<Cells> read_csv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<Cells> rows;
  Cells row;
  std::string cell;
  bool quoted = false, any = false;
  const auto end_row = [&] {
    row.push_back(std::move(cell));
    cell.clear();
    if (any || row.size() > 1) rows.push_back(std::move(row));
    row.clear();
    any = false;
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
      quoted = any = true;
    } else if (c == ',') {
      row.push_back(std::move(cell));
      cell.clear();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      cell += c;
      any = true;
    }
  }
  end_row();
  return rows;
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
