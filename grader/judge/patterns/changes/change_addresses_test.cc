#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Products of rows that lie in one argument, with its addresses as learners write them.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;

struct Shape {
  std::int64_t batches, heads, rows, channels;
};

/// Where a kernel reads its two factors, and what its result is before it is stored.
struct Kernel {
  const char* what;
  std::int64_t (*q)(const Shape& s, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j);
  std::int64_t (*k)(const Shape& s, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j);
  const char* says;  ///< completes "`out` is exactly what comes out when "
};

std::int64_t q_of(const Shape& s, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t) {
  return ((b * s.rows + i) * 2 * s.heads + h) * s.channels;
}
std::int64_t k_of(const Shape& s, std::int64_t b, std::int64_t h, std::int64_t, std::int64_t j) {
  return q_of(s, b, h, j, 0) + s.heads * s.channels;
}

/// both [B,T,2,NH,HS]: queries and keys. out[b][h][i][j] = q . k, but above the diagonal nobody looks.
Formula scores() {
  Formula f;
  f.axes = {{"batch", {"B"}}, {"head", {"NH"}}, {"query", {"T"}}, {"key", {"T"}}, {"channel", {"HS"}}};
  const auto steps = [](const char* row) {
    return std::vector<Node::Step>{
        {"batch", 2, {"T", "NH", "HS"}}, {row, 2, {"NH", "HS"}}, {"head", 1, {"HS"}}, {"channel", 1, {}}};
  };
  auto behind = steps("key");
  behind.push_back({"", 1, {"NH", "HS"}});
  const Term q = part(f, "q", "both", steps("query")), k = part(f, "k", "both", behind);
  output(sum(q * k, "channel"), "out");
  return f;
}

CaseOutputs case_of(const Kernel& kernel, const Shape& s) {
  Random random(static_cast<std::uint64_t>(s.rows));
  CaseOutputs made{"case", {}, {}, true};
  const auto both = random.normals(s.batches * s.rows * 2 * s.heads * s.channels);
  made.bindings.tensors = {{"both", both}};
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  made.bindings.numbers = {
      {"B", real(s.batches)}, {"NH", real(s.heads)}, {"T", real(s.rows)}, {"HS", real(s.channels)}};
  made.bindings.lengths = {
      {"batch", s.batches}, {"head", s.heads}, {"query", s.rows}, {"key", s.rows}, {"channel", s.channels}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out;
  out.tensor.shape = {s.batches, s.heads, s.rows, s.rows};
  out.tensor.tolerance = {1e-5, 0, ""};
  const auto at = [&](std::int64_t where) {
    return where >= 0 && where < static_cast<std::int64_t>(both.size())
               ? both[static_cast<std::size_t>(where)]
               : 0;
  };
  for (std::int64_t b = 0; b < s.batches; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h)
      for (std::int64_t i = 0; i < s.rows; ++i)
        for (std::int64_t j = 0; j < s.rows; ++j) {
          double right = 0, got = 0;
          for (std::int64_t c = 0; c < s.channels; ++c) {
            right += at(q_of(s, b, h, i, j) + c) * at(k_of(s, b, h, i, j) + c);
            got += at(kernel.q(s, b, h, i, j) + c) * at(kernel.k(s, b, h, i, j) + c);
          }
          const bool above = j > i;
          out.tensor.expected.push_back(above ? 0 : right);
          out.tensor.overlooked.push_back(above);
          out.got.push_back(above ? 7 : static_cast<float>(got));
          out.written.push_back(!above);
        }
  made.outputs = {out};
  return made;
}

std::string said_of(const Kernel& kernel) {
  const std::vector<CaseOutputs> cases = {case_of(kernel, {1, 1, 4, 8}), case_of(kernel, {2, 3, 5, 4}),
                                          case_of(kernel, {3, 2, 9, 12})};
  const auto found = recompute(scores(), cases);
  return found ? found->sentence() : "";
}

TEST(Addresses, TableOfWrongOnes) {
  const Kernel kernels[] = {
      {"a pitch without the 2",
       [](const Shape& s, auto b, auto h, auto i, auto) {
         return b * s.rows * 2 * s.heads * s.channels + i * s.heads * s.channels + h * s.channels;
       },
       k_of,
       "`q` is read as if each query lay `NH` * `HS` values behind the one before in `both` and not 2 * `NH` * `HS`."},
      {"heads one apart",
       [](const Shape& s, auto b, auto h, auto i, auto) {
         return (b * s.rows + i) * 2 * s.heads * s.channels + h;
       },
       [](const Shape& s, auto b, auto h, auto, auto j) {
         return (b * s.rows + j) * 2 * s.heads * s.channels + h + s.heads * s.channels;
       },
       "`q` and `k` are read as if each head lay 1 value behind the one before in `both` and not `HS`."},
      {"keys of the next head", q_of,
       [](const Shape& s, auto b, auto h, auto, auto j) { return q_of(s, b, h, j, 0) + s.channels; },
       "`k` begins `HS` values behind the beginning of `both` and not `NH` * `HS`."},
      {"the first batch for all",
       [](const Shape& s, auto, auto h, auto i, auto) { return q_of(s, 0, h, i, 0); },
       [](const Shape& s, auto, auto h, auto, auto j) { return k_of(s, 0, h, 0, j); },
       "`q` and `k` are read at batch 0 for every batch."},
      {"rows of the queries", q_of,
       [](const Shape& s, auto b, auto h, auto i, auto) { return k_of(s, b, h, 0, i); },
       "`k` is taken at the query and not at the key."},
      {"rows exchanged", [](const Shape& s, auto b, auto h, auto, auto j) { return q_of(s, b, h, j, 0); },
       [](const Shape& s, auto b, auto h, auto i, auto) { return k_of(s, b, h, 0, i); },
       "key and query are exchanged where `q` and `k` are read."},
  };
  for (const Kernel& kernel : kernels)
    EXPECT_EQ(said_of(kernel), std::string("`out` is exactly what comes out when ") + kernel.says)
        << kernel.what;
}

TEST(Addresses, OfRightAnswersAndOfOthersNothingIsSaid) {
  EXPECT_EQ(said_of({"right", q_of, k_of, ""}), "");
  EXPECT_EQ(said_of({"no step of any size",
                     [](const Shape& s, auto b, auto h, auto i, auto j) { return q_of(s, b, h, i, j) / 3; },
                     k_of, ""}),
            "");
}

}  // namespace
}  // namespace fusebox::patterns
