#include "grader/classroom/formats/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "grader/classroom/formats/csv.h"
#include "grader/classroom/formats/markup.h"

namespace fusebox::classroom {
namespace {

constexpr std::size_t kLongestId = 64;

bool names_a_folder(const std::string& id) {
  return !id.empty() && id.size() <= kLongestId && id[0] != '.' && id[0] != '-' &&
         std::all_of(id.begin(), id.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
         });
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

Result<std::vector<Student>> read_roster(std::string_view text, const std::string& file) {
  const auto table = read_table(text, file);
  if (!table) return table.error();
  const std::vector<Cells>& rows = table->rows;
  std::size_t id = 0, name = 1, first = 0;
  if (!rows.empty()) {
    for (std::size_t column = 0; column < rows[0].size(); ++column) {
      const std::string heading = lower(rows[0][column]);
      if (heading == "id") id = column, first = 1;
      if (heading == "name") name = column, first = 1;
    }
    if (first == 1 && std::none_of(rows[0].begin(), rows[0].end(),
                                   [](const std::string& cell) { return lower(cell) == "id"; }))
      return Error{ErrorKind::wrong_usage, fmt::format("{} has no column `id`", file),
                   "name one column id: it holds the names of the students' folders"};
  }
  std::vector<Student> students;
  std::map<std::string, std::string> seen;  // in lower case, and as it stands
  for (std::size_t row = first; row < rows.size(); ++row) {
    const Cells& cells = rows[row];
    const std::string wanted = id < cells.size() ? cells[id] : "";
    if (!names_a_folder(wanted))
      return Error{ErrorKind::wrong_usage,
                   fmt::format("{}, row {}: `{}` is no id", file, table->number(row), plain(wanted)),
                   "an id is a folder's name: letters, digits, dots, _ and -"};
    const auto [before, fresh] = seen.emplace(lower(wanted), wanted);
    if (!fresh && before->second == wanted)
      return Error{ErrorKind::wrong_usage,
                   fmt::format("{}, row {}: {} is there twice", file, table->number(row), wanted),
                   "leave one of the two rows"};
    if (!fresh)
      return Error{
          ErrorKind::wrong_usage,
          fmt::format("{}, row {}: {} differs from {} in capitals alone", file, table->number(row), wanted,
                      before->second),
          "leave one of the two, or rename one and its folder: where file names have no capitals the results of one would replace the other's"};
    students.push_back({wanted, name < cells.size() ? cells[name] : ""});
  }
  if (students.empty())
    return Error{ErrorKind::wrong_usage, fmt::format("{} names no student", file),
                 "a line for each student: the folder's name, and a name"};
  return students;
}

}  // namespace fusebox::classroom
