#include "grader/report/text/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace fusebox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Row {
  Unit unit;
  std::optional<double> value;
  Digits digits;
  const char* text;
};

class FormatTable : public testing::TestWithParam<Row> {};

TEST_P(FormatTable, ReadsAs) {
  const Row& row = GetParam();
  EXPECT_EQ(format_value(row.unit, row.value, row.digits), row.text);
}

INSTANTIATE_TEST_SUITE_P(
    Values, FormatTable,
    testing::Values(
        Row{Unit::count, std::nullopt, Digits::full, "n/a"}, Row{Unit::count, 0, Digits::full, "0"},
        Row{Unit::count, 999, Digits::full, "999"}, Row{Unit::count, 1000, Digits::full, "1,000"},
        Row{Unit::count, -1234567, Digits::full, "-1,234,567"},
        Row{Unit::count, 1234.5, Digits::full, "1,234.50"},
        Row{Unit::count, 12582912, Digits::full, "12,582,912"},
        Row{Unit::count, 99999, Digits::narrow, "99,999"}, Row{Unit::count, 100000, Digits::narrow, "100 k"},
        Row{Unit::count, 12582912, Digits::narrow, "12.6 M"},
        Row{Unit::count, 999'999.8, Digits::narrow, "1.00 M"},
        Row{Unit::count, 1e300, Digits::full, "1e+300"}, Row{Unit::bytes, std::nullopt, Digits::full, "n/a"},
        Row{Unit::bytes, 0, Digits::full, "0 B"}, Row{Unit::bytes, 1023, Digits::full, "1023 B"},
        Row{Unit::bytes, 1024, Digits::full, "1.00 KiB"}, Row{Unit::bytes, 10240, Digits::full, "10.0 KiB"},
        Row{Unit::bytes, 1048576, Digits::full, "1.00 MiB"},
        Row{Unit::bytes, 1048575, Digits::full, "1.00 MiB"}, Row{Unit::bytes, 141e9, Digits::full, "131 GiB"},
        Row{Unit::seconds, 0, Digits::full, "0 s"}, Row{Unit::seconds, 1.5e-9, Digits::full, "1.50 ns"},
        Row{Unit::seconds, 999.7e-9, Digits::full, "1.00 us"},
        Row{Unit::seconds, 12.34e-6, Digits::full, "12.3 us"},
        Row{Unit::seconds, 0.25, Digits::full, "250 ms"}, Row{Unit::seconds, 0.9996, Digits::full, "1.00 s"},
        Row{Unit::seconds, 75, Digits::full, "75.0 s"},
        Row{Unit::bytes_per_second, 4.8e12, Digits::full, "4.80 TB/s"},
        Row{Unit::ratio, 0.125, Digits::full, "12.5 %"}, Row{Unit::ratio, 1, Digits::full, "100.0 %"},
        Row{Unit::ratio, std::nullopt, Digits::full, "n/a"}, Row{Unit::per_request, 4, Digits::full, "4.00"},
        Row{Unit::per_request, 15.999, Digits::full, "16.00"},
        Row{Unit::count, kInfinity, Digits::full, "inf"}, Row{Unit::ratio, -kInfinity, Digits::full, "-inf"},
        Row{Unit::seconds, std::numeric_limits<double>::quiet_NaN(), Digits::full, "nan"}));

TEST(FormatCount, IsExactOverAllSixtyFourBits) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
  EXPECT_EQ(format_count(2'500'000, Digits::narrow), "2.50 M");
}

TEST(FormatMetric, UsesTheMetricsUnit) {
  Metric metric;
  metric.unit = Unit::bytes;
  EXPECT_EQ(format_metric(metric), "n/a");
  metric.value = 2048;
  EXPECT_EQ(format_metric(metric), "2.00 KiB");
}

TEST(QuotedList, IsWhatASentenceSays) {
  EXPECT_EQ(quoted_list({}), "");
  EXPECT_EQ(quoted_list({"a"}), "`a`");
  EXPECT_EQ(quoted_list({"a", "b"}), "`a` and `b`");
  EXPECT_EQ(quoted_list({"a", "b", "c"}), "`a`, `b` and `c`");
}

}  // namespace
}  // namespace fusebox
