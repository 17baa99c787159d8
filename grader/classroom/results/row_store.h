#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/classroom/results/row.h"

namespace fusebox::classroom {

/// One file a student and puzzle: `folder`/student/puzzle.json.
class RowStore {
 public:
  explicit RowStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Absent: there is none, or it is damaged.
  std::optional<Row> find(const std::string& student, const std::string& puzzle) const;
  /// It is there whole or not at all, whenever this process or the machine ends.
  std::optional<Error> keep(const Row& row) const;

 private:
  std::filesystem::path path_of(const std::string& student, const std::string& puzzle) const;

  std::filesystem::path folder_;
};

}  // namespace fusebox::classroom
