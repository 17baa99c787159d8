#include "grader/catalog/puzzle.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fusebox {

std::uint64_t size_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return 4;
    case DType::bf16:
      return 2;
    case DType::i32:
      return 4;
    case DType::i64:
      return 8;
  }
  return 0;
}

const char* to_string(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "f32";
    case DType::bf16:
      return "bf16";
    case DType::i32:
      return "i32";
    case DType::i64:
      return "i64";
  }
  return "?";
}

std::int64_t Tensor::count() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

const Entry* Puzzle::find_entry(const std::string& name) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

Case with_drawn_sizes(const Case& which, Random& random) {
  Case drawn = which;
  std::string sizes;
  for (const auto& [name, range] : which.drawn) {
    const std::int64_t size = range.min + random.below(range.max - range.min + 1);
    drawn.sizes[name] = size;
    sizes += (sizes.empty() ? "" : ", ") + name + " " + std::to_string(size);
  }
  if (!sizes.empty()) drawn.purpose += ", here " + sizes;
  return drawn;
}

const Case& Puzzle::counted_case() const {
  const auto found = std::find_if(cases.begin(), cases.end(), [](const Case& c) { return c.counted; });
  // A puzzle without one is a mistake in its spec, which catalog_test finds; the first case is then as good
  // as any.
  return found == cases.end() ? cases.front() : *found;
}

}  // namespace fusebox
