#include "grader/classroom/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "grader/classroom/csv.h"

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
  const std::vector<Cells> rows = read_csv(text);
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
  std::set<std::string> seen;
  for (std::size_t row = first; row < rows.size(); ++row) {
    const Cells& cells = rows[row];
    const std::string wanted = id < cells.size() ? cells[id] : "";
    if (!names_a_folder(wanted))
      return Error{ErrorKind::wrong_usage, fmt::format("{}, row {}: `{}` is no id", file, row + 1, wanted),
                   "an id is a folder's name: letters, digits, dots, _ and -"};
    if (!seen.insert(wanted).second)
      return Error{ErrorKind::wrong_usage,
                   fmt::format("{}, row {}: {} is there twice", file, row + 1, wanted),
                   "leave one of the two rows"};
    students.push_back({wanted, name < cells.size() ? cells[name] : ""});
  }
  if (students.empty())
    return Error{ErrorKind::wrong_usage, fmt::format("{} names no student", file),
                 "a line for each student: the folder's name, and a name"};
  return students;
}

}  // namespace fusebox::classroom
