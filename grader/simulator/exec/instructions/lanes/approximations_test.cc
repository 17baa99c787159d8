// Runs every approximate instruction on the operands that an H200 was given, in
// assets/recorded/approximations.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "grader/simulator/exec/execution/test_device.h"

namespace fusebox::sim {
namespace {

namespace fs = std::filesystem;

struct Recorded {
  std::string instruction;                      ///< as in the file's name: ex2.approx.ftz.f32
  std::size_t operands = 0;                     ///< 1 or 2
  std::uint32_t bits = 0;                       ///< of an operand, and of the result
  std::vector<std::uint64_t> inputs, expected;  ///< two inputs a row
};

Recorded read(const fs::path& file) {
  Recorded r;
  r.instruction = file.stem();
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (cells.size() < 2) continue;
    r.operands = cells.size() - 1;
    r.bits = static_cast<std::uint32_t>(4 * cells.back().size());
    r.inputs.push_back(std::stoull(cells[0], nullptr, 16));
    r.inputs.push_back(r.operands == 2 ? std::stoull(cells[1], nullptr, 16) : 0);
    r.expected.push_back(std::stoull(cells.back(), nullptr, 16));
  }
  return r;
}

std::string kernel_of(const Recorded& r) {
  return kPtxHeader +
         fmt::format(
             ".visible .entry k(.param .u64 pin, .param .u64 pout) {{\n"
             ".reg .b64 %in, %out, %l; .reg .b32 %t, %c; .reg .b{0} a, b, d;\n"
             "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];\n"
             "mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %t, %c, 32, %t;\n"
             "mul.wide.u32 %l, %t, 8; add.s64 %out, %out, %l; add.s64 %in, %in, %l; add.s64 %in, %in, %l;\n"
             "ld.global.b{0} a, [%in]; ld.global.b{0} b, [%in+8];\n"
             "{1} d, a{2};\n"
             "st.global.b{0} [%out], d;\nret;\n}}\n",
             r.bits, r.instruction, r.operands == 2 ? ", b" : "");
}

/// Without .ftz, rsqrt.approx.f64 is a sequence of f64 arithmetic that ends a place beside the exact result
/// at times.
std::uint64_t allowed(const Recorded& r) { return r.instruction == "rsqrt.approx.f64" ? 1 : 0; }

/// How many places lie between two results, of which neither changes its sign.
std::uint64_t apart(std::uint64_t a, std::uint64_t b) { return std::max(a, b) - std::min(a, b); }

void expect_as_recorded(const Recorded& r) {
  TestDevice device(kernel_of(r));
  const auto rows = static_cast<std::uint32_t>(r.expected.size());
  DeviceAddress from = device.buffer(r.inputs), to = device.buffer(std::vector<std::uint64_t>(rows));
  ASSERT_EQ(device.launch("k", {rows / 32, 1, 1}, {32, 1, 1}, {from, to}), Ending::complete) << r.instruction;
  auto got = device.read<std::uint64_t>(to, rows);
  int wrong = 0;
  for (std::uint32_t i = 0; i < rows; ++i)
    if (apart(got[i], r.expected[i]) > allowed(r) && ++wrong <= 3)
      ADD_FAILURE() << fmt::format("{} of {:x}, {:x}: {:x} on an H200, {:x} here", r.instruction,
                                   r.inputs[2 * i], r.inputs[2 * i + 1], r.expected[i], got[i]);
  EXPECT_EQ(wrong, 0) << r.instruction << ": of " << rows;
}

/// Its first rows, each for a warp whose lanes all hold it: one lane then answers for all.
Recorded uniform(const Recorded& r) {
  Recorded spread{r.instruction, r.operands, r.bits, {}, {}};
  for (std::size_t row = 0; row < 64; ++row)
    for (int lane = 0; lane < 32; ++lane) {
      spread.inputs.insert(spread.inputs.end(), {r.inputs[2 * row], r.inputs[2 * row + 1]});
      spread.expected.push_back(r.expected[row]);
    }
  return spread;
}

TEST(Approximations, EveryBitIsTheHardwares) {
  int instructions = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(FUSEBOX_SOURCE_DIR) / "assets/recorded/approximations")) {
    if (entry.path().extension() != ".csv") continue;
    Recorded recorded = read(entry.path());
    ASSERT_GE(recorded.expected.size(), 512u) << entry.path();
    ASSERT_EQ(recorded.expected.size() % 32, 0u) << entry.path();
    expect_as_recorded(recorded);
    expect_as_recorded(uniform(recorded));
    ++instructions;
  }
  EXPECT_GE(instructions, 30) << "the recorded tables were not found";
}

}  // namespace
}  // namespace fusebox::sim
