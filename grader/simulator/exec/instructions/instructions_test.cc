// Runs every case of testdata/instructions: one warp, one lane per row; what has more rows is a warpgroup's.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "grader/simulator/exec/execution/test_device.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"

namespace fusebox::sim {
namespace {

namespace fs = std::filesystem;

struct TypedName {
  std::string name, type;
  std::uint32_t bits() const {
    return type == "pred" ? 32 : std::stoul(type.substr(type.find_first_of("0123456789")));
  }
  std::string reg() const { return type == "pred" ? "pred" : "b" + std::to_string(bits()); }
};

struct Row {
  std::string text;
  std::vector<std::string> inputs, outputs;
};

struct InstructionCase {
  std::string place, instructions;
  std::vector<TypedName> inputs, outputs;
  std::vector<Row> rows;
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

std::vector<TypedName> typed_names(const std::string& text) {
  std::vector<TypedName> list;
  for (const std::string& word : words(text)) {
    std::size_t colon = word.find(':');
    list.push_back({word.substr(0, colon), word.substr(colon + 1)});
  }
  return list;
}

std::vector<InstructionCase> read_cases(const fs::path& file) {
  std::vector<InstructionCase> cases;
  std::ifstream in(file);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::size_t arrow = line.rfind("->");
    if (line[0] == '>') {
      std::size_t bar = line.rfind(" | ");
      InstructionCase c;
      c.place = fmt::format("{}:{}", file.filename().string(), number);
      c.instructions = line.substr(2, bar - 2);
      c.inputs = typed_names(line.substr(bar + 3, arrow - bar - 3));
      c.outputs = typed_names(line.substr(arrow + 2));
      cases.push_back(std::move(c));
    } else {
      cases.back().rows.push_back({line, words(line.substr(0, arrow)), words(line.substr(arrow + 2))});
    }
  }
  return cases;
}

/// A number that f16 holds exactly, found by looking at all of them.
std::uint64_t half_bits(double value) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    int exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    double v = exponent == 31  ? (mantissa ? NAN : INFINITY)
               : exponent == 0 ? std::ldexp(mantissa, -24)
                               : std::ldexp(1024 + mantissa, exponent - 25);
    if (h & 0x8000) v = -v;
    if (v == value && std::signbit(v) == std::signbit(value)) return h;
  }
  ADD_FAILURE() << value << " is no f16";
  return 0;
}

std::uint64_t value_bits(const std::string& text, const std::string& type) {
  if (text.starts_with("0x") && text.find('p') == std::string::npos) return std::stoull(text, nullptr, 16);
  if (text == "nan") return type == "f64" ? 0xfff8000000000000ull : type == "f32" ? 0x7fffffffu : 0x7fffu;
  double number = std::strtod(text.c_str(), nullptr);
  if (type == "f64") return std::bit_cast<std::uint64_t>(number);
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (type == "f16") return half_bits(number);
  if (type == "bf16") return std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16;
  return text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
}

std::uint32_t threads_of(const InstructionCase& c) { return c.rows.size() > 32 ? 128 : 32; }

std::string kernel_of(const InstructionCase& c) {
  const std::uint32_t column = 8 * threads_of(c);  // bytes
  std::string text =
      kPtxHeader +
      ".func (.param .b32 back) twice(.param .b32 given) {\n"
      ".reg .b32 %x; ld.param.b32 %x, [given]; add.u32 %x, %x, %x; st.param.b32 [back], %x; ret;\n}\n"
      ".visible .entry k(.param .u64 pin, .param .u64 pout) {\n"
      ".reg .b64 %in, %out, %l; .reg .b32 %t;\n"
      "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];\n"
      "mov.u32 %t, %tid.x; mul.wide.u32 %l, %t, 8; add.s64 %in, %in, %l; add.s64 %out, %out, %l;\n";
  for (const auto* list : {&c.inputs, &c.outputs})
    for (const TypedName& n : *list) {
      text += fmt::format(".reg .{} {};\n", n.reg(), n.name);
      if (n.type == "pred") text += fmt::format(".reg .b32 {}_word;\n", n.name);
    }
  for (std::size_t k = 0; k < c.inputs.size(); ++k) {
    const TypedName& n = c.inputs[k];
    text += fmt::format("ld.global.b{} {}{}, [%in+{}];\n", n.bits(), n.name, n.type == "pred" ? "_word" : "",
                        k * column);
    if (n.type == "pred") text += fmt::format("setp.ne.u32 {0}, {0}_word, 0;\n", n.name);
  }
  text += c.instructions + "\n";
  for (std::size_t k = 0; k < c.outputs.size(); ++k) {
    const TypedName& n = c.outputs[k];
    if (n.type == "pred") text += fmt::format("selp.b32 {0}_word, 1, 0, {0};\n", n.name);
    text += fmt::format("st.global.b{} [%out+{}], {}{};\n", n.bits(), k * column, n.name,
                        n.type == "pred" ? "_word" : "");
  }
  return text + "ret;\n}\n";
}

void run_case(const InstructionCase& c) {
  SCOPED_TRACE(c.place + " " + c.instructions);
  const std::uint32_t threads = threads_of(c), rows = static_cast<std::uint32_t>(c.rows.size());
  ASSERT_LE(rows, threads);
  TestDevice device(kernel_of(c));
  auto program = device.module().program("k");
  ASSERT_TRUE(program) << program.error().what;
  std::vector<std::uint64_t> in(threads * c.inputs.size());
  for (std::size_t r = 0; r < c.rows.size(); ++r) {
    ASSERT_EQ(c.rows[r].inputs.size(), c.inputs.size()) << c.rows[r].text;
    ASSERT_EQ(c.rows[r].outputs.size(), c.outputs.size()) << c.rows[r].text;
    for (std::size_t k = 0; k < c.inputs.size(); ++k)
      in[threads * k + r] = value_bits(c.rows[r].inputs[k], c.inputs[k].type);
  }
  DeviceAddress from = device.buffer(in),
                to = device.buffer(std::vector<std::uint64_t>(threads * c.outputs.size()));
  // Once with just the rows' lanes, once with full warps: these are different loops.
  for (std::uint32_t lanes : {rows, threads}) {
    EXPECT_EQ(device.launch("k", {1, 1, 1}, {lanes, 1, 1}, {from, to}), Ending::complete);
    EXPECT_TRUE(device.faults().empty());
    auto out = device.read<std::uint64_t>(to, threads * c.outputs.size());
    for (std::size_t r = 0; r < c.rows.size(); ++r)
      for (std::size_t k = 0; k < c.outputs.size(); ++k) {
        std::uint64_t mask = ~0ull >> (64 - c.outputs[k].bits());
        std::uint64_t expected = value_bits(c.rows[r].outputs[k], c.outputs[k].type) & mask;
        EXPECT_EQ(fmt::format("{:#x}", out[threads * k + r] & mask), fmt::format("{:#x}", expected))
            << c.outputs[k].name << " of " << c.rows[r].text << ", " << lanes << " lanes";
      }
  }
}

/// The tables hold for each build of the lane loops.
class Instructions : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    for (const LaneBuild& build : lane_builds())
      if (build.name == GetParam()) return use_lanes(&build);
    GTEST_SKIP() << "the lane loops `" << GetParam() << "` were not built, or this machine cannot run them";
  }
  void TearDown() override { use_lanes(nullptr); }
};

INSTANTIATE_TEST_SUITE_P(Lanes, Instructions, testing::Values("plain", "avx2"),
                         [](const auto& lanes) { return std::string(lanes.param); });

std::vector<InstructionCase> all_cases() {
  std::vector<InstructionCase> cases;
  for (const auto& entry :
       fs::directory_iterator(fs::path(FUSEBOX_SOURCE_DIR) / "grader/testdata/instructions"))
    for (InstructionCase& c : read_cases(entry.path())) cases.push_back(std::move(c));
  return cases;
}

TEST_P(Instructions, EveryRowOfTheTables) {
  const std::vector<InstructionCase> cases = all_cases();
  EXPECT_GE(cases.size(), 300u) << "the tables were not found";
  for (const InstructionCase& c : cases) run_case(c);
}

TEST(InstructionTables, HaveACaseForEveryOpcode) {
  std::set<std::string_view> tried;
  for (const InstructionCase& c : all_cases()) {
    // What the test's own kernel does with operands and results proves nothing of the case.
    const auto parsed = ptx::parse(kPtxHeader + ".visible .entry k() {\n" + c.instructions + "\n}\n");
    ASSERT_TRUE(parsed) << c.place << ": " << parsed.error().what;
    for (const ptx::Instruction& i : parsed->functions.at(0).instructions)
      tried.insert(ptx::traits_of(i.opcode).spelling);
  }
  for (const ptx::OpcodeTraits& row : ptx::all_opcodes())
    EXPECT_TRUE(tried.contains(row.spelling))
        << "`" << row.spelling << "` stands in opcodes.def and in no case of testdata/instructions";
}

TEST(Lanes, ABuildChosenByHandIsTheOneInUse) {
  for (const LaneBuild& build : lane_builds()) {
    use_lanes(&build);
    EXPECT_EQ(&lane_ops(), build.ops) << build.name;
    EXPECT_FALSE(missing_lanes());
  }
  use_lanes(nullptr);
}

/// How many divisions of a warp the hardware would have left to its routine, of 32 lanes that divide a by b,
/// but for lane 7, which divides `odd` by b.
std::uint64_t slow_divisions(float a, float b, float odd, const char* division = "div.rn.f32") {
  struct Counted : Observer {
    void divided_slowly(std::uint64_t of_f32, std::uint64_t of_f64) override { times += of_f32 + of_f64; }
    std::uint64_t times = 0;
  } counted;
  const auto bits = [](float v) { return fmt::format("0f{:08x}", std::bit_cast<std::uint32_t>(v)); };
  TestDevice device(kPtxHeader + ".visible .entry k()\n{\n.reg .pred %p;\n.reg .b32 %r;\n.reg .f32 %f<4>;\n" +
                    "mov.u32 %r, %laneid;\nsetp.eq.u32 %p, %r, 7;\nmov.f32 %f1, " + bits(a) +
                    ";\n@%p mov.f32 %f1, " + bits(odd) + ";\nmov.f32 %f2, " + bits(b) + ";\n" + division +
                    " %f3, %f1, %f2;\nret;\n}\n");
  device.observers = {&counted};
  device.launch("k", {3, 1, 1}, {64, 1, 1}, {});
  return counted.times;
}

// What an H200 counted of instructions for these divisions: 16, or 40 and more.
TEST(Divisions, OfZeroAndOfExtremesAreTheLongOnes) {
  const float inf = std::numeric_limits<float>::infinity();
  const struct {
    float a, b;
    bool slow;
  } rows[] = {{1, 3, false},         {0, 3, true},           {-0.0f, 3, true},        {3, 0, true},
              {1, 1e35f, false},     {1, 1e38f, true},       {1, 1e-35f, false},      {1, 1.2e-38f, true},
              {1e-30f, 3, false},    {1e-35f, 3, true},      {1e38f, 1, false},       {3e38f, 1, true},
              {3e38f, 3, false},     {1e-20f, 1e10f, false}, {1e-20f, 1e20f, true},   {1e20f, 1e-10f, false},
              {1e20f, 1e-20f, true}, {inf, 3, true},         {3, std::nanf(""), true}};
  for (const auto& row : rows) {
    EXPECT_EQ(slow_divisions(row.a, row.b, row.a), row.slow ? 6u : 0u) << row.a << " / " << row.b;
    EXPECT_EQ(slow_divisions(1, row.b, row.a), slow_divisions(row.a, row.b, 1)) << "one lane is enough";
  }
  EXPECT_EQ(slow_divisions(1, 3, 0), 6u);
  EXPECT_EQ(slow_divisions(1, 3, 0, "div.full.f32"), 0u);
}

// What the machine code asks of the upper halves of doubles.
TEST(Divisions, OfDoublesOfZeroAndWithoutANormalQuotientAreTheLongOnes) {
  struct Counted : Observer {
    void divided_slowly(std::uint64_t of_f32, std::uint64_t of_f64) override {
      EXPECT_EQ(of_f32, 0u);
      times += of_f64;
    }
    std::uint64_t times = 0;
  };
  const auto slow = [](double a, double b) {
    Counted counted;
    const auto bits = [](double v) { return fmt::format("0d{:016x}", std::bit_cast<std::uint64_t>(v)); };
    TestDevice device(kPtxHeader + ".visible .entry k()\n{\n.reg .f64 %d<4>;\nmov.f64 %d1, " + bits(a) +
                      ";\nmov.f64 %d2, " + bits(b) + ";\ndiv.rn.f64 %d3, %d1, %d2;\nret;\n}\n");
    device.observers = {&counted};
    device.launch("k", {3, 1, 1}, {64, 1, 1}, {});
    return counted.times;
  };
  EXPECT_EQ(slow(1, 3), 0u);
  EXPECT_EQ(slow(1e-290, 3), 0u);
  EXPECT_EQ(slow(0, 3), 6u);
  EXPECT_EQ(slow(1e-300, 3), 6u);
  EXPECT_EQ(slow(1e-200, 1e150), 6u) << "the quotient is no normal number";
  EXPECT_EQ(slow(1, 0), 6u);
}

}  // namespace
}  // namespace fusebox::sim
