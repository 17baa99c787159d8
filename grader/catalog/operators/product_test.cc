#include "grader/catalog/operators/product.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Product, SumsTermsAndTheirMagnitudes) {
  // [2, 3] times [3, 2].
  const Product made = product({1, -2, 3, 0, 4, -5}, {1, 10, 2, -20, 3, 30}, 3);
  EXPECT_THAT(made.values, ElementsAre(6, 140, -7, -230));
  EXPECT_THAT(made.magnitudes, ElementsAre(14, 140, 23, 230));
}

TEST(Product, TransposedIsThatOfTheTurnedWeight) {
  // The same [3, 2], as a Linear's [2, 3] lies.
  const Product made = product_transposed({1, -2, 3, 0, 4, -5}, {1, 2, 3, 10, -20, 30}, 3);
  EXPECT_THAT(made.values, ElementsAre(6, 140, -7, -230));
  EXPECT_THAT(made.magnitudes, ElementsAre(14, 140, 23, 230));
}

TEST(Product, OfNoRowsIsEmpty) { EXPECT_THAT(product({}, {1, 2, 3}, 3).values, IsEmpty()); }

}  // namespace
}  // namespace fusebox
