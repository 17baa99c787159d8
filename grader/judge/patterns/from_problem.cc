#include "grader/judge/patterns/from_problem.h"

#include <fmt/format.h>

namespace fusebox::patterns {

WrongOutput wrong_output(const Problem& problem, const Sizes& sizes, const Tensor& tensor,
                         std::vector<double> got, std::vector<bool> written) {
  WrongOutput output;
  output.tensor = tensor;
  output.got = std::move(got);
  output.written = std::move(written);
  if (tensor.role == Role::inout) output.before = tensor.values;
  for (const auto& [name, size] : sizes) output.numbers.push_back({name, static_cast<double>(size)});
  for (const Argument& argument : problem.arguments) {
    if (const auto* other = std::get_if<Tensor>(&argument)) {
      if (other->name == tensor.name) continue;
      // What it was given and what it should become may both have been mixed up with this one.
      if (other->role != Role::out) output.others.push_back({other->name, other->shape, other->values});
      if (other->role == Role::inout)
        output.others.push_back({"new " + other->name, other->shape, other->expected});
      if (other->role == Role::out) output.others.push_back({other->name, other->shape, other->expected});
    } else if (const auto* scalar = std::get_if<float>(&argument)) {
      // Sizes have names in the case; of the other scalars a problem knows the values alone.
      output.numbers.push_back({fmt::format("the argument {:g}", *scalar), *scalar});
    }
  }
  return output;
}

}  // namespace fusebox::patterns
