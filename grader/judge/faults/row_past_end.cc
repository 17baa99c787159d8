#include "grader/judge/faults/row_past_end.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/fault_key.h"

namespace fusebox {
namespace {

std::vector<const Tensor*> inputs_of(const Problem& problem) {
  std::vector<const Tensor*> inputs;
  for (const Argument& argument : problem.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && tensor->role == Role::in)
      inputs.push_back(tensor);
  return inputs;
}

const Tensor* named(const Problem& problem, const std::string& name) {
  for (const Tensor* tensor : inputs_of(problem))
    if (tensor->name == name) return tensor;
  return nullptr;
}

/// A matrix whose rows are looked up.
bool has_rows(const Tensor* tensor) { return tensor != nullptr && tensor->shape.size() == 2; }

bool holds_its_rows(const Tensor& indices, const Tensor& table) {
  return std::find(indices.values.begin(), indices.values.end(), static_cast<double>(table.shape[0])) !=
         indices.values.end();
}

}  // namespace

std::string row_past_end(const Fault& fault, const Problem& problem,
                         std::span<const Problem* const> without) {
  const std::size_t from = fault.where.find('`'), to = fault.where.find('`', from + 1);
  if (!is_one_of(fault, {FaultKey::out_of_bounds}) || to == std::string::npos ||
      !fault.where.starts_with("just past the end of"))
    return {};
  const std::string name = fault.where.substr(from + 1, to - from - 1);
  const Tensor* table = named(problem, name);
  if (!has_rows(table)) return {};
  for (const Tensor* indices : inputs_of(problem)) {
    if (indices->dtype != DType::i32 || !holds_its_rows(*indices, *table)) continue;
    const bool parted = std::none_of(without.begin(), without.end(), [&](const Problem* other) {
      const Tensor *theirs = named(*other, indices->name), *rows = named(*other, name);
      return theirs && has_rows(rows) && holds_its_rows(*theirs, *rows);
    });
    if (parted && !without.empty())
      return fmt::format(
          "`{0}` holds {1} here, and `{2}` has {1} rows, 0 to {3}: an index that is equal to the number of rows gets past the check, or there is none (index < rows, and not <=).",
          indices->name, table->shape[0], name, table->shape[0] - 1);
  }
  return {};
}

}  // namespace fusebox
