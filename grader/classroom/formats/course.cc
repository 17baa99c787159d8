#include "grader/classroom/formats/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "grader/classroom/formats/csv.h"

namespace fusebox::classroom {
namespace {

constexpr double kMaxWeight = 1000;
constexpr unsigned kMaxHidden = 20;  // each costs as much as a grade

using Columns = std::map<std::string, std::size_t>;

// An empty cell leaves `value` as it is. False: it is no such number, or not from 0 to `most`.
template <class Number>
bool take(const Cells& cells, const Columns& columns, const char* column, Number most, Number& value) {
  const auto found = columns.find(column);
  if (found == columns.end() || found->second >= cells.size() || cells[found->second].empty()) return true;
  const std::string& cell = cells[found->second];
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && value >= 0 && value <= most;
}

}  // namespace

Result<std::vector<Due>> read_course(std::string_view text, const std::string& file) {
  const auto table = read_table(text, file);
  if (!table) return table.error();
  const std::vector<Cells>& rows = table->rows;
  const auto wrong = [&](std::size_t row, const std::string& what) {
    return Error{ErrorKind::wrong_usage, fmt::format("{}, row {}: {}", file, table->number(row), what),
                 "as in: puzzle,weight,hidden and below it p04,2,3"};
  };
  Columns columns;
  for (std::size_t i = 0; !rows.empty() && i < rows[0].size(); ++i) {
    const std::string& name = rows[0][i];
    if (name != "puzzle" && name != "weight" && name != "hidden" && name != "cases")
      return wrong(0, fmt::format("`{}` is no column of a course", name));
    columns[name] = i;
  }
  if (!columns.contains("puzzle")) return wrong(0, "there is no column `puzzle`");
  std::vector<Due> course;
  std::set<std::string> seen;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const Cells& cells = rows[row];
    Due due;
    if (columns["puzzle"] < cells.size()) due.puzzle = cells[columns["puzzle"]];
    if (due.puzzle.empty()) return wrong(row, "it names no puzzle");
    if (!seen.insert(due.puzzle).second) return wrong(row, fmt::format("{} is there twice", due.puzzle));
    if (!take(cells, columns, "weight", kMaxWeight, due.weight))
      return wrong(row, fmt::format("weight is a number from 0 to {:g}", kMaxWeight));
    if (!take(cells, columns, "hidden", kMaxHidden, due.hidden))
      return wrong(row, fmt::format("hidden is a whole number from 0 to {}", kMaxHidden));
    if (columns.contains("cases") && columns["cases"] < cells.size()) due.cases = cells[columns["cases"]];
    course.push_back(std::move(due));
  }
  if (course.empty()) return wrong(0, "no puzzle is due");
  return course;
}

}  // namespace fusebox::classroom
