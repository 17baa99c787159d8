#include "grader/simulator/exec/instructions/print.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "grader/simulator/exec/execution/test_device.h"

namespace fusebox::sim {
namespace {

/// ".global .align 8 .b8 name[2] = {37, 0};"
std::string bytes_in_ptx(const std::string& name, const std::string& bytes) {
  std::string text;
  for (const char byte : bytes)
    text += (text.empty() ? "" : ", ") + std::to_string(static_cast<unsigned char>(byte));
  return ".global .align 8 .b8 " + name + "[" + std::to_string(bytes.size()) + "] = {" + text + "};\n";
}

/// What one thread prints of a format and of 8 bytes for each argument, which is how vprintf finds 64-bit
/// ones.
std::string printed(const std::string& format, const std::vector<std::uint64_t>& arguments) {
  std::string packed(8 * arguments.size() + 8, '\0');
  if (!arguments.empty()) std::memcpy(packed.data(), arguments.data(), 8 * arguments.size());
  TestDevice device(kPtxHeader + ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n" +
                    bytes_in_ptx("format", format + '\0') + bytes_in_ptx("packed", packed) +
                    R"(.visible .entry k() {
  .reg .b64 %rd<3>;
  mov.u64 %rd1, format; mov.u64 %rd2, packed;
  { .param .b64 p0; .param .b64 p1; .param .b32 back;
  st.param.b64 [p0], %rd1; st.param.b64 [p1], %rd2;
  call.uni (back), vprintf, (p0, p1); }
  ret;
})");
  device.launch("k", {1, 1, 1}, {1, 1, 1}, {});
  return device.output();
}

TEST(Print, ExpandsAFormatAsTheHostDoes) {
  const std::uint64_t minus = static_cast<std::uint64_t>(std::int64_t{-5}),
                      half = std::bit_cast<std::uint64_t>(0.5);
  const struct {
    const char* format;
    std::vector<std::uint64_t> arguments;
    std::string expected;
  } rows[] = {
      {"plain", {}, "plain"},
      {"100%%", {}, "100%"},
      {"%lld|%+lld|%06lld|%-6lld|", {minus, 5, minus, 5}, "-5|+5|-00005|5     |"},
      {"%llu %llx %#llX %llo", {minus, 255, 255, 8}, "18446744073709551611 ff 0XFF 10"},
      {"%f|%.2f|%8.1f|%-8.3e|%g", {half, half, half, half, half}, "0.500000|0.50|     0.5|5.000e-01|0.5"},
      {"%.f", {half}, "0"},
      {"%a", {half}, "0x1p-1"},
      // A width that is an argument takes one of 4 bytes, and what follows is aligned anew.
      {"%*lld|", {6, 7}, "     7|"},
      {"%-*lld|", {6, 7}, "7     |"},
      {"%.*f", {3, half}, "0.500"},
      // A precision below 0 is as if it were not there.
      {"%.*f", {0xffffffffu, half}, "0.500000"},
      // One of 16 or 8 bits has their sign.
      {"%hd", {0x18000}, "-32768"},
      {"%hhd", {0x1ff}, "-1"},
      {"%hu", {0x18000}, "32768"},
      {"%hhu", {0x1ff}, "255"},
      {"%c%s", {'x', 0}, "x"},
      // What is no conversion stays as it stands.
      {"%y %", {}, "%y %"},
      {"%5", {}, "%5"},
  };
  for (const auto& row : rows) EXPECT_EQ(printed(row.format, row.arguments), row.expected) << row.format;
}

}  // namespace
}  // namespace fusebox::sim
