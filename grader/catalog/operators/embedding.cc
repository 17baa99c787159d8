#include "grader/catalog/operators/embedding.h"

#include <limits>
#include <numeric>
#include <utility>

namespace fusebox {
namespace {

/// Ids that name no row: next to the table, at the ends of int, and those whose product with a row's length
/// (in bytes, floats or float4) is a place in the table again when it is cut to 32 bits.
std::vector<std::int64_t> unknown_ids(std::int64_t vocabulary, std::int64_t width) {
  using Int = std::numeric_limits<std::int32_t>;
  std::vector<std::int64_t> ids = {-1,         vocabulary, vocabulary + 1, -vocabulary,
                                   Int::min(), Int::max(), Int::min() + 1};
  for (const std::int64_t length : {4 * width, width, width / 4}) {
    if (length == 0) continue;
    const std::int64_t wraps = (std::int64_t{1} << 32) / length + vocabulary / 2;
    if (wraps >= vocabulary && wraps <= Int::max()) ids.push_back(wraps);
  }
  return ids;
}

}  // namespace

std::vector<std::int64_t> draw_ids(const std::string& kind, std::int64_t tokens, std::int64_t vocabulary,
                                   std::int64_t width, Random& random) {
  const std::vector<std::int64_t> unknown = unknown_ids(vocabulary, width);
  std::vector<std::int64_t> ids(static_cast<std::size_t>(tokens));
  for (auto& id : ids) id = random.below(vocabulary);
  if (kind == "edges") {
    for (auto& id : ids) id = random.below(2) == 0 ? 0 : vocabulary - 1;
  } else if (kind == "repeats") {
    const std::int64_t favourite = random.below(vocabulary);
    for (auto& id : ids)
      if (random.below(4) != 0) id = favourite;
  } else if (kind == "unknown" || kind == "only_unknown") {
    // Every unknown id appears, between known ones, so that a whole row of zeros has right rows beside it.
    const std::size_t stride = kind == "unknown" ? 3 : 1;
    const auto offset = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(unknown.size())));
    for (std::size_t i = 0; i * stride < ids.size(); ++i)
      ids[i * stride] = unknown[(i + offset) % unknown.size()];
  } else if (kind == "distinct") {
    // The first `tokens` of a shuffled table: the counts of this case are the same for every seed.
    std::vector<std::int64_t> rows(static_cast<std::size_t>(vocabulary));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto rest = static_cast<std::int64_t>(rows.size() - i);
      std::swap(rows[i], rows[i + static_cast<std::size_t>(random.below(rest))]);
      ids[i] = rows[i];
    }
  }
  return ids;
}

}  // namespace fusebox
