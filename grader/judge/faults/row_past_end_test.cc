#include "grader/judge/faults/row_past_end.h"

#include <gmock/gmock.h>

#include "grader/catalog/build.h"

namespace fusebox {
namespace {

Problem lookup(std::int64_t rows, std::vector<double> ids) {
  const auto count = static_cast<std::int64_t>(ids.size());
  return {
      {input("ids", DType::i32, {count}, std::move(ids)),
       input("table", DType::f32, {rows, 4}, std::vector<double>(static_cast<std::size_t>(4 * rows))),
       output("out", DType::f32, {count, 4}, std::vector<double>(static_cast<std::size_t>(4 * count)), {})}};
}

Fault past_the_end_of(const std::string& where) {
  Fault fault;
  fault.kind = "out-of-bounds";
  fault.where = where;
  return fault;
}

TEST(RowPastEnd, IsTheNumberOfRows) {
  const Problem faulty = lookup(50, {3, 50, -1}), fine = lookup(9, {8, 0, 10});
  const std::vector<const Problem*> without = {&fine};
  EXPECT_EQ(
      row_past_end(past_the_end_of("just past the end of `table` (800 bytes)"), faulty, without),
      "`ids` holds 50 here, and `table` has 50 rows, 0 to 49: an index that is equal to the number of rows gets "
      "past the check, or there is none (index < rows, and not <=).");
}

TEST(RowPastEnd, IsNotSaidWithoutProof) {
  const Problem faulty = lookup(50, {3, 50, -1}), fine = lookup(9, {8, 0, 10}),
                same_and_fine = lookup(9, {9, 1, 0});
  const std::vector<const Problem*> without = {&fine}, speaks_against = {&fine, &same_and_fine};
  const Fault past = past_the_end_of("just past the end of `table` (800 bytes)");
  EXPECT_EQ(row_past_end(past, lookup(50, {3, 49, -1}), without), "") << "no index is that";
  EXPECT_EQ(row_past_end(past, faulty, speaks_against), "") << "where one is, it did no harm";
  EXPECT_EQ(row_past_end(past, faulty, {}), "") << "no case that could have refuted it";
  EXPECT_EQ(row_past_end(past_the_end_of("64 bytes past the end of `table` (800 bytes)"), faulty, without),
            "");
  EXPECT_EQ(row_past_end(past_the_end_of("just past the end of `ids` (12 bytes)"), faulty, without), "");
  EXPECT_EQ(row_past_end(past_the_end_of("in no buffer"), faulty, without), "");
}

}  // namespace
}  // namespace fusebox
