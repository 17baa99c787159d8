#include "grader/judge/compare/tensor_bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fusebox {
namespace {

TEST(TensorBytes, EveryTypeComesBack) {
  for (DType dtype : {DType::f32, DType::bf16, DType::i32, DType::i64}) {
    const std::vector<double> values{0, 1, -2, 96, -128};
    const auto bytes = encode(values, dtype);
    ASSERT_EQ(bytes.size(), values.size() * size_of(dtype));
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(decode(bytes, i, dtype), values[i]) << to_string(dtype);
  }
}

TEST(TensorBytes, FloatsAreRoundedAsTheDeviceSeesThem) {
  const auto bytes = encode(std::vector<double>{0.1}, DType::f32);
  EXPECT_EQ(decode(bytes, 0, DType::f32), static_cast<double>(0.1f));
  const auto narrow =
      encode(std::vector<double>{1.00390625}, DType::bf16);  // half way between 1 and 1.0078125
  EXPECT_EQ(decode(narrow, 0, DType::bf16), 1.0);
}

TEST(TensorBytes, NotANumberSurvives) {
  const auto bytes = encode(std::vector<double>{std::numeric_limits<double>::quiet_NaN()}, DType::f32);
  EXPECT_TRUE(std::isnan(decode(bytes, 0, DType::f32)));
}

TEST(TensorBytes, LargeIntegersKeepEveryBit) {
  const auto bytes = encode(std::vector<double>{4294967297.0, -1.0}, DType::i64);
  EXPECT_EQ(decode(bytes, 0, DType::i64), 4294967297.0);
  EXPECT_EQ(decode(bytes, 1, DType::i64), -1.0);
}

TEST(TensorBytes, IndexIsRowMajor) {
  const std::vector<std::int64_t> shape{4, 3, 5};
  EXPECT_EQ(index_of(0, shape), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(index_of(5, shape), (std::vector<std::int64_t>{0, 1, 0}));
  EXPECT_EQ(index_of(59, shape), (std::vector<std::int64_t>{3, 2, 4}));
}

}  // namespace
}  // namespace fusebox
