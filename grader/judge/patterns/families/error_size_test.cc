#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;
using ::testing::Not;

double round_to(double value, int digits) {
  int exponent = 0;
  const double part = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(part, digits)), exponent - digits);
}

TEST(ErrorSize, TableOfRoundedResults) {
  for (const auto& [digits, says] :
       {std::pair(8, "the 8 binary digits of bf16"), std::pair(11, "the 11 binary digits of fp16 or tf32")}) {
    WrongOutput output = right_matrix(6, 20);
    const int d = digits;
    set_all(output, [&](auto, auto, double e) { return round_to(e, d); });
    EXPECT_THAT(first_sentence(output), HasSubstr(says));
  }
}

TEST(ErrorSize, TableOfValuesThatAreCutOff) {
  const auto narrow = [](int digits, bool cut) {
    WrongOutput output = right_matrix(6, 20);
    output.tensor.dtype = DType::bf16;
    output.tensor.tolerance = {0, 0.6 * std::ldexp(1.0, -digits), ""};
    set_all(output, [&](auto, auto, double e) {
      int exponent = 0;
      std::frexp(e, &exponent);
      return cut ? std::ldexp(std::trunc(std::ldexp(e, digits - exponent)), exponent - digits)
                 : round_to(e, digits);
    });
    return all_sentences(output);
  };
  EXPECT_THAT(narrow(8, true), HasSubstr("cut off behind their 8 binary digits"));
  EXPECT_THAT(narrow(8, false), Not(HasSubstr("cut off")));
  EXPECT_THAT(narrow(7, true), Not(HasSubstr("cut off"))) << "one digit less";
}

/// Dot products whose factors were rounded: the error has no place and no sign.
WrongOutput products(int digits) {
  WrongOutput output = right_matrix(24, 40);
  Random random(8);
  const auto a = random.normals(24 * 64), b = random.normals(40 * 64);
  for (std::size_t r = 0; r < 24; ++r)
    for (std::size_t c = 0; c < 40; ++c) {
      double right = 0, got = 0;
      for (std::size_t k = 0; k < 64; ++k) {
        right += a[r * 64 + k] * b[c * 64 + k];
        got += round_to(a[r * 64 + k], digits) * round_to(b[c * 64 + k], digits);
      }
      output.tensor.expected[r * 40 + c] = right;
      output.got[r * 40 + c] = static_cast<float>(got);
    }
  return output;
}

TEST(ErrorSize, TableOfRoundedFactors) {
  EXPECT_THAT(first_sentence(products(8)), HasSubstr("as large as those of bf16, not of fp32"));
  EXPECT_THAT(first_sentence(products(11)),
              HasSubstr("as large as those of fp16, tf32 or an approximate instruction"));
  EXPECT_EQ(all_sentences(products(24)), "");
}

TEST(ErrorSize, AFormulasErrorOfTheSameSizeIsNoRounding) {
  WrongOutput output = right_matrix(24, 40);
  const auto& bias = output.others[0].values;
  const auto& x = output.others[2].values;
  set_all(output, [](auto, auto, double e) { return e + 4e-4 * std::sin(3 * e); });
  EXPECT_EQ(all_sentences(output), "");
  set_all(output, [&](auto, auto c, double e) { return e + 4e-4 * bias[c] * e * e; });
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("as large as")));
  set_all(output,
          [&](auto r, auto c, double e) { return e + 3e-4 * std::tanh(x[r * 40 + c]) * std::abs(e); });
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("as large as")));
}

}  // namespace
}  // namespace fusebox::patterns
