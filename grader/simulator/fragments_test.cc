// wmma.load and wmma.store against an H200: which elements each lane holds, and what the counters say of the
// accesses (bench/patterns/record.sh made the tables).

#include "bench/patterns/fragments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "grader/simulator/launch/session.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

using patterns::FragmentKernel;
using patterns::FragmentPlace;

constexpr std::size_t kFragmentBytes = 1 << 16;

/// All kernels on one device.
class Fragments : public testing::Test {
 protected:
  Fragments() : kernels_(patterns::fragment_kernels()), session_(small_gpu(1), 1) {
    auto loaded = load_module(patterns::fragment_module(kernels_), session_.variables());
    EXPECT_TRUE(loaded) << loaded.error().what;
    if (loaded) module_ = std::move(*loaded);
    matrix_ = session_.buffers().begin;
    lanes_ = matrix_ + 2 * kFragmentBytes;
    const std::vector<std::byte> zeros(kFragmentBytes);
    EXPECT_TRUE(session_.place("matrix", matrix_, kFragmentBytes, zeros));
    EXPECT_TRUE(session_.place("lanes", lanes_, kFragmentBytes, zeros));
  }

  Counters launch(const FragmentKernel& kernel, FragmentPlace place) {
    LaunchOp op{kernel.name, {1, 1, 1}, {32, 1, 1}, patterns::kFragmentSharedBytes, false, {}};
    op.arguments.resize(24);
    std::memcpy(op.arguments.data(), &matrix_, 8);
    std::memcpy(op.arguments.data() + 8, &lanes_, 8);
    std::memcpy(op.arguments.data() + 16, &place, 8);
    const auto program = module_->program(kernel.name);
    EXPECT_TRUE(program) << program.error().what;
    if (!program) return {};
    const LaunchOutcome outcome = session_.launch(*module_, **program, op, {});
    for (const Fault& fault : outcome.record.faults)
      ADD_FAILURE() << kernel.instruction << ": " << fault.what;
    return outcome.record.counters;
  }

  /// Element `at` of this width, at this address.
  void put(DeviceAddress to, std::size_t at, std::uint32_t width, std::uint64_t value) {
    session_.write(to + at * width, &value, width);
  }
  std::uint64_t get(DeviceAddress from, std::size_t at, std::uint32_t width) const {
    std::uint64_t value = 0;
    std::memcpy(&value, GlobalMemory::data(from + at * width), width);
    return value;
  }

  std::vector<FragmentKernel> kernels_;
  Session session_;
  std::unique_ptr<LoadedModule> module_;
  DeviceAddress matrix_ = 0, lanes_ = 0;
};

/// The table's lines, without its head.
std::vector<std::string> table(const std::string& name) {
  std::ifstream in(FUSEBOX_SOURCE_DIR "/assets/recorded/parity/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (!lines.empty()) lines.erase(lines.begin());
  return lines;
}

TEST_F(Fragments, LanesHoldTheElementsThatTheyHoldOnTheHardware) {
  std::map<std::string, std::vector<std::uint32_t>> elements;
  for (const std::string& line : table("fragments_h200.csv")) {
    const std::size_t end = line.rfind(',');
    std::istringstream list(line.substr(end + 1));
    for (std::uint32_t element; list >> element;) elements[line.substr(0, end)].push_back(element);
  }
  ASSERT_EQ(elements.size(), 39u);
  for (const FragmentKernel& k : kernels_) {
    if (k.in_shared && !k.store()) continue;  // its matrix is zero
    const auto& expected =
        elements[std::string(1, k.store() ? 'c' : k.operand) + "," + k.shape + "," + k.type];
    ASSERT_EQ(expected.size(), 32 * k.elements_per_lane()) << k.instruction;
    if (k.in_shared) {
      launch(k, {k.extent(), 0});  // must only run
      continue;
    }
    const auto in_memory = [&](std::uint32_t cell) {
      const std::uint32_t row = cell / k.columns, column = cell % k.columns;
      return k.by_columns ? column * k.rows + row : row * k.columns + column;
    };
    for (const std::uint32_t shift : {0u, 8u}) {
      for (std::uint32_t cell = 0; cell < k.rows * k.columns; ++cell)
        put(matrix_, in_memory(cell), k.element_bytes, k.store() ? 0 : cell >> shift);
      for (std::uint32_t i = 0; i < expected.size(); ++i)
        put(lanes_, i, k.element_bytes, k.store() ? i >> shift : 0);
      launch(k, {k.extent(), 0});
      const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * k.element_bytes);
      for (std::uint32_t i = 0; i < expected.size(); ++i) {
        const std::uint64_t got = k.store() ? get(matrix_, in_memory(expected[i]), k.element_bytes)
                                            : get(lanes_, i, k.element_bytes);
        ASSERT_EQ(got, (k.store() ? i >> shift : expected[i] >> shift) & all)
            << k.instruction << ", element " << i % k.elements_per_lane() << " of lane "
            << i / k.elements_per_lane();
      }
    }
  }
}

TEST_F(Fragments, AccessesAreThoseOfTheCounters) {
  std::map<std::string, std::string> counted;
  for (const std::string& line : table("fragment_accesses_h200.csv")) {
    std::size_t end = 0;
    for (int fields = 0; fields < 4; ++fields) end = line.find(',', end + 1);
    counted[line.substr(0, end)] = line.substr(end + 1);
  }
  ASSERT_EQ(counted.size(), 800u);
  std::vector<std::string> different;
  for (const FragmentKernel& k : kernels_)
    for (const FragmentPlace& place : patterns::fragment_places(k)) {
      const Counters c = launch(k, place);
      const GlobalTraffic& global = k.store() ? c.global_store : c.global_load;
      const SharedTraffic& shared = k.store() ? c.shared_store : c.shared_load;
      // What the kernel does besides goes the other way.
      const std::string key = k.instruction + "," + (k.in_shared ? "shared" : "global") + "," +
                              std::to_string(place.stride) + "," + std::to_string(place.offset);
      const std::string ours = std::to_string(k.in_shared ? shared.requests : global.requests) + "," +
                               std::to_string(k.in_shared ? 0 : global.sectors) + "," +
                               std::to_string(shared.wavefronts);
      if (counted[key] != ours) different.push_back(key + ": " + ours + ", not " + counted[key]);
    }
  EXPECT_THAT(different, testing::IsEmpty());
}

/// A product of fragments: the types of A and B, and of C and D.
struct Product {
  std::string shape;
  std::uint32_t m = 0, n = 0, k = 0;
  std::string factor, sum;
  bool a_by_columns = false, b_by_columns = false, sum_by_columns = false;
};

/// Takes (a, b, c, d); the matrices have their smallest strides.
std::string product_module(const Product& p) {
  const std::uint32_t mnk[3] = {p.m, p.n, p.k};
  const auto operand = [&](char which, bool by_columns) {
    return patterns::fragment_kernel(which, p.shape, mnk, which <= 'b' ? p.factor : p.sum, by_columns, false,
                                     false);
  };
  const FragmentKernel a = operand('a', p.a_by_columns), b = operand('b', p.b_by_columns),
                       c = operand('c', p.sum_by_columns), d = operand('d', p.sum_by_columns);
  std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry product(";
  for (const char name : {'a', 'b', 'c', 'd'})
    text += std::string(name == 'a' ? "" : ", ") + ".param .u64 " + name;
  text += ")\n{\n  .reg .b64 %m<4>;\n";
  const auto bits = [](const std::string& type) { return type == "f64" || type == "f32" ? type : "b32"; };
  const auto list = [](char name, std::uint32_t registers) {
    std::string text;
    for (std::uint32_t r = 0; r < registers; ++r)
      text += (r == 0 ? "{%" : ", %") + std::string(1, name) + std::to_string(r);
    return text + "}";
  };
  for (const FragmentKernel* each : {&a, &b, &c, &d}) {
    const std::string name(1, each->operand);
    text += "  .reg ." + bits(each->type) + " %" + name + "<" + std::to_string(each->registers) +
            ">;\n  ld.param.u64 %m" + std::to_string(each->operand - 'a') + ", [" + name + "];\n";
  }
  for (const FragmentKernel* each : {&a, &b, &c})
    text += "  " + each->instruction + " " + list(each->operand, each->registers) + ", [%m" +
            std::to_string(each->operand - 'a') + "], " + std::to_string(each->extent()) + ";\n";
  text += std::string("  wmma.mma.sync.aligned.") + (p.a_by_columns ? "col." : "row.") +
          (p.b_by_columns ? "col." : "row.") + p.shape + "." + p.sum +
          (p.factor == "f16" ? "" : "." + p.factor + "." + p.factor) + "." + p.sum + " " +
          list('d', d.registers) + ", " + list('a', a.registers) + ", " + list('b', b.registers) + ", " +
          list('c', c.registers) + ";\n";
  return text + "  " + d.instruction + " [%m3], " + list('d', d.registers) + ", " +
         std::to_string(d.extent()) + ";\n  ret;\n}\n";
}

/// A small whole number as an element of this type.
std::uint64_t encoded(const std::string& type, std::uint32_t value) {
  if (type == "f64") return std::bit_cast<std::uint64_t>(static_cast<double>(value));
  const std::uint32_t wide = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "f32" || type == "tf32") return wide;
  if (type == "bf16") return wide >> 16;
  if (type == "f16") return value == 0 ? 0 : ((wide >> 23) - 112) << 10 | (wide >> 13 & 0x3ff);
  return value;
}

TEST(FragmentProducts, EveryShapeAndTypeMultiplies) {
  std::vector<Product> products;
  const std::pair<const char*, std::array<std::uint32_t, 3>> shapes[] = {
      {"m16n16k16", {16, 16, 16}}, {"m8n32k16", {8, 32, 16}}, {"m32n8k16", {32, 8, 16}}};
  for (const int layout : {0, 1, 2, 3, 4, 5, 6, 7}) {
    const bool a = layout & 1, b = layout & 2, sum = layout & 4;
    for (const auto& [name, mnk] : shapes)
      for (const auto& [factor, result] :
           {std::pair{"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}, {"s8", "s32"}, {"u8", "s32"}})
        products.push_back({name, mnk[0], mnk[1], mnk[2], factor, result, a, b, sum});
    products.push_back({"m16n16k8", 16, 16, 8, "tf32", "f32", a, b, sum});
    products.push_back({"m8n8k4", 8, 8, 4, "f64", "f64", a, b, sum});
  }
  Session session(small_gpu(1), 1);
  DeviceAddress at[4];
  for (int i = 0; i < 4; ++i) {
    at[i] = session.buffers().begin + static_cast<DeviceAddress>(i) * 2 * kFragmentBytes;
    ASSERT_TRUE(session.place(std::string(1, static_cast<char>('a' + i)), at[i], kFragmentBytes,
                              std::vector<std::byte>(kFragmentBytes)));
  }
  for (const Product& p : products) {
    const std::string text = product_module(p);
    auto module = load_module(text, session.variables());
    ASSERT_TRUE(module) << module.error().what << "\n" << text;
    const auto program = (*module)->program("product");
    ASSERT_TRUE(program) << program.error().what << "\n" << text;
    const auto width = [](const std::string& type) {
      return type == "f64" ? 8u : type.ends_with("32") ? 4u : type.ends_with("16") ? 2u : 1u;
    };
    const auto a = [](std::uint32_t r, std::uint32_t k) { return (r * 5 + k * 3) % 7; };
    const auto b = [](std::uint32_t k, std::uint32_t c) { return (k * 2 + c * 7) % 5; };
    const auto c = [](std::uint32_t r, std::uint32_t c) { return (r * 3 + c) % 11; };
    const auto fill = [&](DeviceAddress to, const std::string& type, std::uint32_t rows,
                          std::uint32_t columns, bool by_columns, auto value) {
      for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column) {
          const std::uint64_t bits = encoded(type, value(row, column));
          session.write(to + (by_columns ? column * rows + row : row * columns + column) * width(type), &bits,
                        width(type));
        }
    };
    fill(at[0], p.factor, p.m, p.k, p.a_by_columns, a);
    fill(at[1], p.factor, p.k, p.n, p.b_by_columns, b);
    fill(at[2], p.sum, p.m, p.n, p.sum_by_columns, c);
    LaunchOp op{"product", {1, 1, 1}, {32, 1, 1}, 0, false, {}};
    op.arguments.resize(sizeof at);
    std::memcpy(op.arguments.data(), at, sizeof at);
    const LaunchOutcome outcome = session.launch(**module, **program, op, {});
    ASSERT_TRUE(outcome.record.faults.empty()) << outcome.record.faults[0].what << "\n" << text;
    std::size_t wrong = 0;
    for (std::uint32_t row = 0; row < p.m; ++row)
      for (std::uint32_t column = 0; column < p.n; ++column) {
        std::uint32_t sum = c(row, column);
        for (std::uint32_t k = 0; k < p.k; ++k) sum += a(row, k) * b(k, column);
        std::uint64_t got = 0;
        const std::uint32_t place = p.sum_by_columns ? column * p.m + row : row * p.n + column;
        std::memcpy(&got, GlobalMemory::data(at[3] + place * width(p.sum)), width(p.sum));
        wrong += got != encoded(p.sum, sum);
      }
    EXPECT_EQ(wrong, 0u) << text;
  }
}

}  // namespace
}  // namespace fusebox::sim
