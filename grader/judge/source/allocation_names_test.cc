#include "grader/judge/source/allocation_names.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

using Names = std::vector<std::string>;

Names names_in(const std::string& text, std::size_t allocations) {
  LaunchPlan plan;
  for (std::size_t i = 0; i < allocations; ++i) plan.ops.push_back(AllocOp{0x1000 * (i + 1), 256});
  const Names otherwise{"first", "second"};
  return allocation_names({"", text}, "forward", plan, otherwise);
}

TEST(AllocationNames, AreTheVariablesOfTheLearner) {
  const struct {
    const char *what, *body;
    std::size_t allocations;
    Names names;
  } rows[] = {
      {"one", "float* mine; cudaMalloc(&mine, 4 * n);", 1, {"mine"}},
      {"casts", "cudaMalloc((void**)&a, n); cudaMalloc(reinterpret_cast<void**>( & b ), n);", 2, {"a", "b"}},
      {"a template", "cudaMalloc<float>(&a, n);", 1, {"a"}},
      {"streams, in the order of the text", "cudaMallocAsync(&a, n, s); cudaMalloc(&b, n);", 2, {"a", "b"}},
      {"members and elements", "cudaMalloc(&s.sums, n); cudaMalloc(&part[0], n);", 2, {"s.sums", "part[0]"}},
      {"a pointer to a pointer has no name",
       "cudaMalloc(where, n); cudaMalloc(&b, n);",
       2,
       {"buffer 1", "b"}},
      {"one variable twice", "cudaMalloc(&t, n); cudaFree(t); cudaMalloc(&t, n);", 2, {"t", "t (2)"}},
      {"comments and strings do not count",
       "// cudaMalloc(&old, n)\n/* cudaMalloc(&o, n) */ puts(\"cudaMalloc(&p,\"); cudaMalloc(&a, n);",
       1,
       {"a"}},
      {"a loop: which is which?", "for (int i = 0; i < 3; ++i) cudaMalloc(&part[i], n);", 3, {}},
      {"a branch that was not taken", "if (n) cudaMalloc(&a, n); else cudaMalloc(&b, n);", 1, {}},
      {"none", "", 0, {}},
  };
  for (const auto& row : rows)
    EXPECT_EQ(names_in("void forward(int);\nvoid other() { cudaMalloc(&no, 1); }\nvoid forward(int n) {" +
                           std::string(row.body) + "}\nvoid forward_2(int n) { cudaMalloc(&no, 1); }\n",
                       row.allocations),
              row.names)
        << row.what;
}

TEST(AllocationNames, WithoutTheFunctionsTextTheOnesOfTheBookStand) {
  EXPECT_EQ(names_in("", 2), (Names{"first", "second"}));
  EXPECT_EQ(names_in("void forward(int n);", 2), (Names{"first", "second"}));
  EXPECT_EQ(names_in("void forward(int n) { cudaMalloc(&a, n);", 2), (Names{"first", "second"}));
}

TEST(AllocationNames, TheSizeIsWhatIsWritten) {
  const struct {
    const char *what, *body, *size;
  } rows[] = {
      {"bytes", "cudaMalloc(&up, sizeof(float) * rows);", "sizeof(float) * rows"},
      {"elements", "cudaMalloc(&up, rows * hidden );", "rows * hidden"},
      {"commas in brackets", "cudaMalloc((void**)&up, 4 * max(a, b[i, j]));", "4 * max(a, b[i, j])"},
      {"a stream behind it", "cudaMallocAsync(&up, rows, stream);", "rows"},
      {"another variable", "cudaMalloc(&down, rows);", ""},
      {"twice", "cudaMalloc(&up, 1); cudaMalloc(&up, 2);", ""},
  };
  for (const auto& row : rows) {
    const std::string text = std::string("void forward(int rows) {") + row.body + "}";
    EXPECT_EQ(allocated_size({"", text}, "forward", "up"), row.size) << row.what;
  }
}

}  // namespace
}  // namespace fusebox
