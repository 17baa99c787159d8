#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "grader/simulator/exec/execution/test_device.h"
#include "grader/simulator/exec/instructions/warpgroup/matrix_descriptor.h"
#include "grader/simulator/exec/instructions/warpgroup/tensor_product.h"

namespace fusebox::sim {
namespace {

/// The lines of a table of an H200's answers, without its head.
std::vector<std::vector<std::string>> table(const std::string& name) {
  std::ifstream in(std::string(FUSEBOX_SOURCE_DIR "/assets/recorded/parity/") + name);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string word; std::getline(words, word, ',');) row.push_back(word);
  }
  return rows;
}

const std::map<std::string, MatrixElement> kElements = {
    {"f16", MatrixElement::f16},   {"bf16", MatrixElement::bf16}, {"tf32", MatrixElement::tf32},
    {"e4m3", MatrixElement::e4m3}, {"e5m2", MatrixElement::e5m2}, {"f32", MatrixElement::f32}};

std::vector<TensorFactor> factors(const std::string& hex, MatrixElement type) {
  std::vector<TensorFactor> list;
  const std::size_t digits = bits_of(type) / 4;
  for (std::size_t at = 0; at < hex.size(); at += digits) {
    std::uint32_t bits = 0;  // the lowest byte first
    for (std::size_t byte = digits; byte > 0; byte -= 2)
      bits = bits << 8 | static_cast<std::uint32_t>(std::stoul(hex.substr(at + byte - 2, 2), nullptr, 16));
    list.push_back(tensor_factor(bits, type));
  }
  return list;
}

TEST(TensorSum, IsAnH200sBitByBit) {
  const auto rows = table("wgmma_sums_h200.csv");
  EXPECT_GE(rows.size(), 300u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 7u);
    const MatrixElement sum = kElements.at(row[0]), a = kElements.at(row[1]), b = kElements.at(row[2]);
    const auto bits = [&](std::size_t at) {
      return static_cast<std::uint32_t>(std::stoul(row[at], nullptr, 16));
    };
    EXPECT_EQ(tensor_sum(factors(row[5], a), factors(row[6], b), bits(3), sum, bits_kept(a)), bits(4))
        << row[0] << " " << row[1] << " " << row[2] << " " << row[3] << " " << row[5] << " " << row[6];
  }
}

TEST(TensorSum, IsThatOfMmaToo) {
  const auto rows = table("mma_sums_h200.csv");
  EXPECT_GE(rows.size(), 300u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 8u);
    const MatrixElement factor = kElements.at(row[3]);
    if (row[1] != row[2]) continue;  // matrix_sums.txt has those
    const MatrixElement sum = kElements.at(row[1]);
    const std::vector<TensorFactor> a = factors(row[6], factor), b = factors(row[7], factor);
    const std::size_t step = row[0] == "wmma" && factor == MatrixElement::tf32 ? 4 : a.size();
    auto bits = static_cast<std::uint32_t>(std::stoul(row[4], nullptr, 16));
    for (std::size_t k = 0; k < a.size(); k += step)
      bits = tensor_sum({&a[k], step}, {&b[k], step}, bits, sum, bits_kept(factor));
    EXPECT_EQ(bits, std::stoul(row[5], nullptr, 16))
        << row[0] << " " << row[1] << " " << row[6] << " " << row[7];
  }
}

TEST(TensorSum, AZeroBesideALargeFactorIsNothing) {
  const std::vector<TensorFactor> large = {tensor_factor(0x7f000000, MatrixElement::tf32)};
  const std::vector<TensorFactor> zero = {tensor_factor(0, MatrixElement::tf32)};
  for (const std::uint32_t start : {0u, 1u, 0x3f800000u})
    EXPECT_EQ(tensor_sum(large, zero, start, MatrixElement::f32, 25), start);
}

/// Sums of 4 x 11 of random numbers of every size. With k = 32 columns hold infinity and NaN.
TEST(TensorProduct, IsItsSumsOneByOne) {
  std::mt19937 random(5);
  for (const auto& [name, type] : kElements) {
    if (type == MatrixElement::f32) continue;
    for (const MatrixElement sum : {MatrixElement::f32, MatrixElement::f16})
      for (const std::uint32_t k : {4u, 32u}) {
        std::vector<TensorFactor> rows(std::size_t{4} * k), columns(std::size_t{11} * k);
        std::vector<std::uint32_t> sums(44);
        const auto fill = [&, of = type](std::vector<TensorFactor>& factors, bool finite) {
          for (TensorFactor& factor : factors) {
            factor = tensor_factor(random(), of);
            if (finite && factor.kind != TensorFactor::Kind::finite) factor = tensor_factor(0, of);
          }
        };
        fill(rows, true);
        fill(columns, k == 4);
        for (std::uint32_t& start : sums) start = sum == MatrixElement::f16 ? random() & 0xffff : random();
        std::vector<std::uint32_t> all = sums;
        add_tensor_product({rows, columns, k, type}, sum, all);
        for (std::size_t r = 0; r < 4; ++r)
          for (std::size_t c = 0; c < 11; ++c)
            EXPECT_EQ(all[r * 11 + c], tensor_sum({&rows[r * k], k}, {&columns[c * k], k}, sums[r * 11 + c],
                                                  sum, bits_kept(type)))
                << name << " " << r << " " << c;
      }
  }
}

TEST(MatrixDescriptor, NamesTheBytesThatAnH200Reads) {
  const auto rows = table("wgmma_descriptors_h200.csv");
  EXPECT_GE(rows.size(), 1000u);
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> tried;
  for (const auto& row : rows) {
    std::array<std::uint64_t, 9> v{};
    ASSERT_EQ(row.size(), v.size());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::stoul(row[i]);
    const auto [start, leading, stride, base, swizzle, k_apart, line, k, address] = v;
    const MatrixDescriptor d = MatrixDescriptor::of(start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 |
                                                    base << 49 | swizzle << 62);
    const auto l = static_cast<std::uint32_t>(line), at = static_cast<std::uint32_t>(k);
    EXPECT_EQ(k_apart != 0 ? d.piece_across(l / 8, at) + l % 8 * 2 : d.piece_along_k(l, at / 8) + at % 8 * 2,
              address)
        << start << " " << leading << " " << stride << " " << base << " " << swizzle << " " << k_apart << " "
        << l << " " << at;
    ++tried[{swizzle, k_apart}];
  }
  EXPECT_EQ(tried.size(), 8u) << "four ways to swizzle, and which elements are neighbours";
}

/// A kernel of one wgmma, m64n8k16 of f16, over 384 bytes of zeros, with text before, between and behind.
struct Kernel {
  std::string before = "wgmma.fence.sync.aligned;", descriptor = "%m",
              behind = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
  std::string text() const {
    return kPtxHeader +
           ".visible .entry k(.param .u64 pout) {\n"
           ".reg .b64 %m, %n, %out, %l; .reg .b32 %at, %t; .reg .f32 %d<4>; .reg .b32 %a<4>; .reg .pred %p, %q;\n"
           ".shared .align 128 .b8 tile[256];\n"
           "mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 64; mov.u32 %at, tile; mad.lo.u32 %at, %t, 4, %at;\n"
           "@%p st.shared.b32 [%at], 0; fence.proxy.async; bar.sync 0;\n"
           "mov.b32 %at, tile; shr.u32 %at, %at, 4; cvt.u64.u32 %m, %at; or.b64 %m, %m, 0x1000080000;\n"
           "ld.param.u64 %out, [pout]; mul.wide.u32 %l, %t, 4; add.s64 %out, %out, %l;\n"
           "mov.f32 %d0, 1.0; mov.f32 %d1, 1.0; mov.f32 %d2, 1.0; mov.f32 %d3, 1.0;\n"
           "mov.b32 %a0, 0; mov.b32 %a1, 0; mov.b32 %a2, 0; mov.b32 %a3, 0;\n" +
           before +
           "\n.loc 1 7 1\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, " +
           descriptor + ", 1, 1, 1, 0;\n.loc 1 8 1\n" + behind +
           "\nst.global.f32 [%out], %d0; ret;\n}\n.file 1 \"k.cu\"\n";
  }
};

TEST(Warpgroup, ItsMistakesAreFaults) {
  const std::string fence = "wgmma.fence.sync.aligned;", commit = "wgmma.commit_group.sync.aligned;",
                    wait = "wgmma.wait_group.sync.aligned 0;";
  struct Case {
    const char* name;
    Kernel kernel;
    std::uint32_t threads;
    std::string note;  ///< empty: there is no fault
  };
  const std::vector<Case> cases = {
      {"as it should be", {}, 128, ""},
      {"two warpgroups", {}, 256, ""},
      {"too few warps", {}, 96, "this block ends at thread 95"},
      {"a half of one", {}, 192, "this block ends at thread 191"},
      {"without a fence", {""}, 128, "no wgmma.fence stands before the first"},
      {"lanes apart",
       {fence + " setp.lt.u32 %q, %t, 16; @%q bra OUT; " + fence + " OUT:"},
       128,
       "only 16 lanes"},
      {"a warp that goes elsewhere",
       {fence + " setp.lt.u32 %q, %t, 96; @%q bra IN; bar.sync 1, 32; IN: @!%q " + commit},
       128,
       "another warp of the warpgroup executes"},
      {"one that leaves", {fence + " setp.lt.u32 %q, %t, 32; @%q exit;"}, 128, "wgmma.wait_group"},
      {"descriptors that differ",
       {fence + " cvt.u64.u32 %n, %t; shr.u64 %n, %n, 5; add.s64 %m, %m, %n;"},
       128,
       "the warps of the warpgroup have different matrix descriptors"},
      {"descriptors that differ in a warp",
       {fence + " cvt.u64.u32 %n, %t; add.s64 %m, %m, %n;"},
       128,
       "the lanes of a warp have different matrix descriptors"},
      {"not waited for", {fence, "%m", commit}, 128, "it reads a sum of the wgmma at line 7"},
      {"not committed", {fence, "%m", wait}, 128, "it reads a sum of the wgmma at line 7"},
      {"waited for too few",
       {fence, "%m", commit + " wgmma.wait_group.sync.aligned 1;"},
       128,
       "it reads a sum of"},
      {"waited for in time", {fence, "%m", commit + commit + " wgmma.wait_group.sync.aligned 1;"}, 128, ""},
      {"a sum that is overwritten",
       {fence, "%m", "add.f32 %d1, 1.0, 1.0; " + commit + wait},
       128,
       "it overwrites a sum of"},
      {"a part of A that is overwritten",
       {fence, "%m", "add.u32 %a1, %t, 1; " + commit + wait},
       128,
       "it overwrites a part of A of"},
      {"a part of A that is read", {fence, "%m", "add.u32 %at, %a1, 1; " + commit + wait}, 128, ""},
      {"a copy, which the assembler undoes", {fence, "%m", "mov.f32 %d0, %d0; " + commit + wait}, 128, ""},
      {"a copy that is read",
       {fence, "%m", commit + " mov.b32 %at, %d0; add.u32 %at, %at, 1;" + wait},
       128,
       "it reads a sum"},
      {"registers written behind the wait, and no fence",
       {fence, "%m",
        commit + wait +
            " add.f32 %d0, %d0, %d1; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, "
            "{%a0, %a1, %a2, %a3}, %m, 1, 1, 1, 0; " +
            commit + wait},
       128,
       "its registers have been written since the last wgmma.fence"},
      {"registers left alone behind the wait",
       {fence, "%m",
        commit + wait +
            " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, "
            "%m, 1, 1, 1, 0; " +
            commit + wait},
       128,
       ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    TestDevice device(c.kernel.text());
    const auto program = device.module().program("k");
    ASSERT_TRUE(program) << program.error().what;
    device.launch("k", {1, 1, 1}, {c.threads, 1, 1}, {device.buffer(std::vector<float>(256))});
    if (c.note.empty()) {
      EXPECT_TRUE(device.faults().empty()) << device.faults()[0].note;
      continue;
    }
    ASSERT_FALSE(device.faults().empty());
    EXPECT_EQ(static_cast<int>(device.faults()[0].kind), static_cast<int>(FaultKind::bad_wgmma));
    EXPECT_NE(device.faults()[0].note.find(c.note), std::string::npos) << device.faults()[0].note;
  }
}

// Swizzled tiles lie at multiples of 1024, behind whatever else a kernel has.
TEST(Warpgroup, DynamicSharedMemoryBeginsWhereItsDeclarationWantsIt) {
  TestDevice device(
      kPtxHeader +
      ".extern .shared .align 1024 .b8 room[];\n"
      ".visible .entry k(.param .u64 pout) { .shared .b8 other[20]; .reg .b64 %out; .reg .b32 %at;\n"
      "ld.param.u64 %out, [pout]; mov.u32 %at, other; st.shared.b32 [%at], 1; mov.u32 %at, room;\n"
      "st.global.u32 [%out], %at; ret; }\n");
  const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(1));
  device.launch("k", {1, 1, 1}, {1, 1, 1}, {out}, 1024);
  EXPECT_EQ(device.read<std::uint32_t>(out, 1)[0] % 1024, 0u);
}

TEST(Warpgroup, ADescriptorOutsideOfWhatIsThereIsAFault) {
  // Behind the tile, and at the end of what a descriptor can say.
  for (const char* descriptor : {"0x1000080040", "0x1000083fff"}) {
    TestDevice device(Kernel{"wgmma.fence.sync.aligned;", descriptor}.text());
    device.launch("k", {1, 1, 1}, {128, 1, 1}, {device.buffer(std::vector<float>(128))});
    ASSERT_FALSE(device.faults().empty()) << descriptor;
    EXPECT_EQ(static_cast<int>(device.faults()[0].kind), static_cast<int>(FaultKind::out_of_bounds));
    EXPECT_EQ(device.faults()[0].bytes, 16);
  }
  Kernel unwritten;
  unwritten.before =
      "mov.b64 %n, 0x800; add.s64 %m, %m, 4; " + unwritten.before;  // 64 bytes on: its end was not written
  std::string text = unwritten.text();
  text.replace(text.find("tile[256]"), 9, "tile[384]");
  TestDevice device(text);
  device.launch("k", {1, 1, 1}, {128, 1, 1}, {device.buffer(std::vector<float>(128))});
  ASSERT_FALSE(device.faults().empty());
  EXPECT_EQ(static_cast<int>(device.faults()[0].kind), static_cast<int>(FaultKind::uninitialised_read));
}

}  // namespace
}  // namespace fusebox::sim
