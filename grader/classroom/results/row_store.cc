#include "grader/classroom/results/row_store.h"

#include <utility>

#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox::classroom {

std::filesystem::path RowStore::path_of(const std::string& student, const std::string& puzzle) const {
  return folder_ / student / (puzzle + ".json");
}

std::optional<Row> RowStore::find(const std::string& student, const std::string& puzzle) const {
  const auto text = read_file(path_of(student, puzzle));
  if (!text) return std::nullopt;
  auto row = row_from_json(*text);
  if (!row || row->student != student || row->puzzle != puzzle) return std::nullopt;
  return std::move(*row);
}

std::optional<Error> RowStore::keep(const Row& row) const {
  return write_for_good(path_of(row.student, row.puzzle), to_json(row));
}

}  // namespace fusebox::classroom
