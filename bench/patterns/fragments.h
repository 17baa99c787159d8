#pragma once

// Every wmma.load and wmma.store that the simulator knows, each as a kernel of its own: run on a GPU by
// fragments.cu, to learn what its counters say, and on the simulator by a test that holds it to that.

#include <cstdint>
#include <string>
#include <vector>

namespace fusebox::patterns {

/// One instruction. The kernel runs as one warp and takes (matrix, lanes, stride in elements, offset in
/// bytes): it moves between the matrix at `matrix + offset`, or at `offset` of its shared memory, and the
/// registers of the lanes, `registers` of `register_bytes` for each lane in turn at `lanes`.
struct FragmentKernel {
  std::string name;         ///< of the kernel
  std::string instruction;  ///< "wmma.load.a.sync.aligned.row.m16n16k16.global.f16"
  std::string ptx;          ///< without a header
  char operand = 'a';       ///< a, b, c or d
  std::string shape, type;
  bool by_columns = false;
  bool in_shared = false;  ///< where the matrix lies, also for instructions with a generic address
  bool generic = false;
  std::uint32_t rows = 0, columns = 0, element_bytes = 0;
  std::uint32_t registers = 0, register_bytes = 0;

  bool store() const { return operand == 'd'; }
  std::uint32_t elements_per_lane() const {
    return registers * (register_bytes > element_bytes ? register_bytes / element_bytes : 1);
  }
  /// The smallest stride.
  std::uint32_t extent() const { return by_columns ? rows : columns; }
};

inline constexpr std::uint32_t kFragmentSharedBytes = 16384;

inline FragmentKernel fragment_kernel(char operand, const std::string& shape, const std::uint32_t (&mnk)[3],
                                      const std::string& type, bool by_columns, bool in_shared,
                                      bool generic) {
  FragmentKernel k;
  k.operand = operand;
  k.shape = shape;
  k.type = type;
  k.by_columns = by_columns;
  k.in_shared = in_shared;
  k.generic = generic;
  k.rows = operand == 'b' ? mnk[2] : mnk[0];
  k.columns = operand == 'a' ? mnk[2] : mnk[1];
  k.element_bytes = type == "f64" ? 8 : type.ends_with("32") ? 4 : type.ends_with("16") ? 2 : 1;
  k.register_bytes = type == "f64" ? 8 : 4;
  // Fragments of halves that are multiplied have eight registers whatever their shape.
  const bool padded = type == "f16" && (operand == 'a' || operand == 'b');
  k.registers = padded ? 8 : k.rows * k.columns * k.element_bytes / (32 * k.register_bytes);

  const std::string layout = by_columns ? "col" : "row", space = in_shared ? "shared" : "global";
  const std::string what = k.store() ? "store" : "load";
  k.instruction = "wmma." + what + "." + operand + ".sync.aligned." + layout + "." + shape +
                  (generic ? "" : "." + space) + "." + type;
  k.name = std::string(1, operand) + "_" + shape + "_" + type + "_" + layout + "_" + space +
           (generic ? "_generic" : "");

  const std::string bits = type == "f64" || type == "f32" ? type : "b32";
  std::string list;
  for (std::uint32_t r = 0; r < k.registers; ++r) list += (r == 0 ? "%v" : ", %v") + std::to_string(r);
  std::string& ptx = k.ptx;
  ptx = ".visible .entry " + k.name +
        "(.param .u64 matrix, .param .u64 lanes, .param .u32 stride, .param .u32 offset)\n{\n"
        "  .reg .pred %again;\n  .reg .b32 %lane, %stride, %at, %word, %more, %end;\n"
        "  .reg .b64 %matrix, %lanes, %mine, %far;\n  .reg ." +
        bits + " %v<" + std::to_string(k.registers) +
        ">;\n"
        "  ld.param.u64 %matrix, [matrix];\n  ld.param.u64 %lanes, [lanes];\n"
        "  ld.param.u32 %stride, [stride];\n  ld.param.u32 %at, [offset];\n"
        "  mov.u32 %lane, %tid.x;\n  mul.wide.u32 %mine, %lane, " +
        std::to_string(k.registers * k.register_bytes) +
        ";\n  add.s64 %lanes, %lanes, %mine;\n"
        "  cvt.u64.u32 %far, %at;\n";
  std::string address = "%matrix";
  if (in_shared) {
    ptx += "  mov.u32 %word, tile;\n  add.u32 %at, %at, %word;\n";
    address = "%at";
    if (generic) {
      ptx += "  cvt.u64.u32 %far, %at;\n  cvta.shared.u64 %matrix, %far;\n";
      address = "%matrix";
    }
    // All of it is written before a load.
    if (!k.store())
      ptx += "  shl.b32 %more, %lane, 2;\n  add.u32 %word, %word, %more;\n  add.u32 %end, %word, " +
             std::to_string(kFragmentSharedBytes - 128) +
             ";\nfill:\n  st.shared.u32 [%word], 0;\n  setp.lt.u32 %again, %word, %end;\n"
             "  add.u32 %word, %word, 128;\n  @%again bra fill;\n  bar.sync 0;\n";
  } else {
    ptx += "  add.s64 %matrix, %matrix, %far;\n";
  }
  const auto move_lanes = [&](const char* opcode) {
    for (std::uint32_t r = 0; r < k.registers; ++r) {
      const std::string v = "%v" + std::to_string(r),
                        at = "[%lanes+" + std::to_string(r * k.register_bytes) + "]";
      ptx += "  " + std::string(opcode) + ".global." + bits + " " +
             (opcode[0] == 'l' ? v + ", " + at : at + ", " + v) + ";\n";
    }
  };
  if (k.store()) {
    move_lanes("ld");
    ptx += "  " + k.instruction + " [" + address + "], {" + list + "}, %stride;\n";
  } else {
    ptx += "  " + k.instruction + " {" + list + "}, [" + address + "], %stride;\n";
    move_lanes("st");
  }
  ptx += "  ret;\n}\n";
  return k;
}

/// All of them: global and shared memory, each by its name and by a generic address.
inline std::vector<FragmentKernel> fragment_kernels() {
  struct Shape {
    const char* name;
    std::uint32_t mnk[3];
    std::vector<std::string> factors, accumulators;
  };
  const std::vector<std::string> narrow = {"f16", "bf16", "s8", "u8"}, sums = {"f16", "f32", "s32"};
  const Shape shapes[] = {{"m16n16k16", {16, 16, 16}, narrow, sums},
                          {"m8n32k16", {8, 32, 16}, narrow, sums},
                          {"m32n8k16", {32, 8, 16}, narrow, sums},
                          {"m16n16k8", {16, 16, 8}, {"tf32"}, {"f32"}},
                          {"m8n8k4", {8, 8, 4}, {"f64"}, {"f64"}}};
  std::vector<FragmentKernel> list;
  for (const Shape& shape : shapes)
    for (const char operand : {'a', 'b', 'c', 'd'})
      for (const std::string& type : operand <= 'b' ? shape.factors : shape.accumulators)
        for (const bool by_columns : {false, true})
          for (const int place : {0, 1, 2, 3})
            list.push_back(fragment_kernel(operand, shape.name, shape.mnk, type, by_columns, (place & 1) != 0,
                                           (place & 2) != 0));
  return list;
}

/// A PTX module with these kernels.
inline std::string fragment_module(const std::vector<FragmentKernel>& kernels) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 128 .b8 tile[];\n";
  for (const FragmentKernel& kernel : kernels) text += kernel.ptx;
  return text;
}

/// Strides and offsets at which each instruction is counted: the smallest stride, one that keeps rows apart
/// by 16 bytes, and one by 64, with the matrix 32 bytes into a line. Generic addresses have the second.
struct FragmentPlace {
  std::uint32_t stride = 0;  ///< elements
  std::uint32_t offset = 0;  ///< bytes
};
inline std::vector<FragmentPlace> fragment_places(const FragmentKernel& k) {
  const std::uint32_t grain = 16 / k.element_bytes;
  const FragmentPlace apart = {k.extent() + grain, 0};
  if (k.generic) return {apart};
  return {{k.extent(), 0}, apart, {k.extent() + 4 * grain, 32}};
}

}  // namespace fusebox::patterns
