#pragma once

// Copies by tensor maps (cp.async.bulk.tensor), run on a GPU by tensor_copies.cu and on the simulator by a
// test that holds it to the bytes that the GPU moved and to what its counters said.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fusebox::patterns {

/// What cuTensorMapEncodeTiled is given; numbers are those of cuda.h.
struct TensorMapping {
  std::uint32_t type = 7, rank = 2;                            ///< 7: float
  std::uint64_t offset = 0;                                    ///< of the tensor in its memory, in bytes
  std::array<std::uint64_t, 5> size{1, 1, 1, 1, 1}, stride{};  ///< stride: bytes, from dimension 1 on
  std::array<std::uint32_t, 5> box{1, 1, 1, 1, 1}, step{1, 1, 1, 1, 1};
  std::uint32_t swizzle = 0, fill = 0, interleave = 0, promotion = 0;
};

inline std::uint32_t tensor_element_bytes(std::uint32_t type) {
  constexpr std::array<std::uint32_t, 13> kBytes = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return kBytes[type];
}

/// One copy of a warp's first thread.
struct TensorCopy {
  std::string name, kernel;  ///< kernel: without its rank
  TensorMapping map;
  std::array<std::int32_t, 5> at{};
  std::uint32_t shared_offset = 0;  ///< of the tile, from a multiple of 1024
  bool counted = false;             ///< by a profiler too

  std::uint32_t tile_bytes() const {
    std::uint32_t bytes = tensor_element_bytes(map.type);
    for (std::uint32_t d = 0; d < map.rank; ++d)
      bytes *= d == 0 ? map.box[d] : (map.box[d] + map.step[d] - 1) / map.step[d];
    return bytes;
  }
};

inline constexpr std::uint32_t kTensorTileBytes = 16384, kTensorSharedBytes = kTensorTileBytes + 1024;
inline constexpr std::uint32_t kTensorMemoryBytes = 1 << 18;

/// What the tensor's memory holds at first, and what is stored from: any bits for loads, numbers of the type
/// for what computes.
inline std::vector<std::uint32_t> tensor_contents(std::uint32_t type, bool numbers, std::uint32_t seed) {
  std::vector<std::uint32_t> words(kTensorMemoryBytes / 4);
  std::uint32_t state = seed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    const std::uint32_t bits = state ^ state >> 15;
    words[i] = bits;
    if (!numbers) continue;
    if (type == 6) words[i] = 0x3c003c00u | (bits & 0x83ff83ffu);                // halves of 1 to 2
    if (type == 9) words[i] = 0x3f803f80u | (bits & 0x807f807fu);                // the same in bfloat16
    if (type == 7 || type >= 10) words[i] = 0x3f800000u | (bits & 0x807fffffu);  // in float
    if (type == 8 && i % 2 == 1) words[i] = 0x3ff00000u | (bits & 0x800fffffu);  // in double
  }
  return words;
}

/// For each rank and each of these: (map, data, shared offset, bytes, coordinates). Loads copy the tile to
/// `data`, with 0xa5 where nothing was written; the others fill it with `data` first.
inline std::vector<std::string> tensor_kernels() {
  return {"load", "store", "add", "min", "max", "inc", "dec", "and", "or", "xor", "prefetch"};
}

inline std::string tensor_kernel(const std::string& what, std::uint32_t rank) {
  const std::string name = what + "_" + std::to_string(rank) + "d",
                    dimensions = "." + std::to_string(rank) + "d";
  std::string text =
      ".visible .entry " + name +
      "(.param .align 64 .b8 map[128], .param .u64 data, .param .u32 offset, .param .u32 bytes";
  for (int d = 0; d < 5; ++d) text += ", .param .u32 at" + std::to_string(d);
  text +=
      ")\n{\n  .reg .pred %p<4>;\n  .reg .b32 %r<16>;\n  .reg .b64 %rd<6>;\n  .shared .align 8 .b64 barrier;\n"
      "  mov.b64 %rd0, map;\n  cvta.param.u64 %rd1, %rd0;\n"
      "  ld.param.u64 %rd2, [data];\n  cvta.to.global.u64 %rd3, %rd2;\n  ld.param.u32 %r0, [offset];\n"
      "  mov.u32 %r1, tile;\n  add.u32 %r1, %r1, 1023;\n  and.b32 %r1, %r1, -1024;\n  add.u32 %r2, %r1, %r0;\n"
      "  mov.u32 %r3, %tid.x;\n  setp.ne.u32 %p0, %r3, 0;\n  mov.u32 %r4, barrier;\n"
      "  ld.param.u32 %r5, [bytes];\n";
  std::string at;
  for (std::uint32_t d = 0; d < rank; ++d) {
    const std::string reg = "%r" + std::to_string(10 + d);
    text += "  ld.param.u32 " + reg + ", [at" + std::to_string(d) + "];\n";
    at += (d == 0 ? "" : ", ") + reg;
  }
  const bool loads = what == "load", prefetches = what == "prefetch";
  const std::string tensor = "[%rd1, {" + at + "}]", size = std::to_string(kTensorTileBytes);
  text += "  shl.b32 %r6, %r3, 2;\nfill:\n  cvt.u64.u32 %rd4, %r6;\n  add.u64 %rd5, %rd3, %rd4;\n";
  text += loads ? "  mov.u32 %r7, 0xa5a5a5a5;\n" : "  ld.global.u32 %r7, [%rd5];\n";
  text +=
      "  add.u32 %r8, %r1, %r6;\n  st.shared.u32 [%r8], %r7;\n  add.u32 %r6, %r6, 128;\n  setp.lt.u32 %p1, %r6, " +
      size + ";\n  @%p1 bra fill;\n  fence.proxy.async;\n  bar.sync 0;\n  @%p0 bra met;\n";
  if (loads)
    text +=
        "  mbarrier.init.shared.b64 [%r4], 1;\n  fence.mbarrier_init.release.cluster;\n"
        "  mbarrier.arrive.expect_tx.shared.b64 _, [%r4], %r5;\n  cp.async.bulk.tensor" +
        dimensions + ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], " + tensor +
        ", [%r4];\n  mov.u32 %r9, 0;\nagain:\n  mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0;\n"
        "  add.u32 %r9, %r9, 1;\n  setp.gt.u32 %p3, %r9, 10000;\n  @%p3 bra met;\n  @!%p2 bra again;\n";
  else if (prefetches)
    text += "  cp.async.bulk.prefetch.tensor" + dimensions + ".L2.global.tile " + tensor + ";\n";
  else
    text += std::string(what == "store" ? "  cp" : "  cp.reduce") + ".async.bulk.tensor" + dimensions +
            ".global.shared::cta" + (what == "store" ? "" : "." + what) + ".tile.bulk_group " + tensor +
            ", [%r2];\n  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\n";
  text += "met:\n";
  // Whether the bytes that were announced came: behind the tile.
  if (loads)
    text +=
        "  @%p0 bra told;\n  selp.u32 %r9, 1, 0, %p2;\n  st.global.u32 [%rd3+" + size + "], %r9;\ntold:\n";
  text += "  bar.sync 0;\n";
  if (loads)
    text +=
        "  shl.b32 %r6, %r3, 2;\ndump:\n  cvt.u64.u32 %rd4, %r6;\n  add.u64 %rd5, %rd3, %rd4;\n"
        "  add.u32 %r8, %r1, %r6;\n  ld.shared.u32 %r7, [%r8];\n  st.global.u32 [%rd5], %r7;\n"
        "  add.u32 %r6, %r6, 128;\n  setp.lt.u32 %p1, %r6, " +
        size + ";\n  @%p1 bra dump;\n";
  return text + "  ret;\n}\n";
}

inline std::string tensor_module() {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 128 .b8 tile[];\n";
  for (const std::string& what : tensor_kernels())
    for (std::uint32_t rank = 1; rank <= 5; ++rank) text += tensor_kernel(what, rank);
  return text;
}

/// A matrix of `rows` rows of `columns`, and a box of it.
inline TensorMapping tensor_matrix(std::uint32_t type, std::uint64_t columns, std::uint64_t rows,
                                   std::uint32_t box_columns, std::uint32_t box_rows) {
  TensorMapping map;
  map.type = type;
  map.size = {columns, rows, 1, 1, 1};
  map.stride = {0, (columns * tensor_element_bytes(type) + 15) / 16 * 16};
  map.box = {box_columns, box_rows, 1, 1, 1};
  return map;
}

inline std::vector<TensorCopy> tensor_copies() {
  std::vector<TensorCopy> copies;
  const auto add = [&](const std::string& name, const std::string& kernel, const TensorMapping& map,
                       std::array<std::int32_t, 5> at, std::uint32_t shared_offset = 0) {
    copies.push_back({kernel + " " + name, kernel, map, at, shared_offset});
  };
  // Of every type, inside and over three edges, with zeros and with NaN; and from where no copy begins.
  for (std::uint32_t type = 0; type < 13; ++type) {
    const std::uint32_t bytes = tensor_element_bytes(type), piece = 16 / bytes, per_row = 4 * piece;
    TensorMapping map = tensor_matrix(type, 2 * per_row + 3, 20, per_row, 8);
    const std::string name = "type " + std::to_string(type);
    const auto columns = [&](int pieces) { return pieces * static_cast<std::int32_t>(piece); };
    for (const char* kernel : {"load", "store"}) {
      add(name + " inside", kernel, map, {columns(2), 5});
      add(name + " right", kernel, map, {columns(7), 15});
      add(name + " left", kernel, map, {columns(-1), -2});
      if (type % 7 == 0) add(name + " between", kernel, map, {1, 2});
    }
    if (type < 6) continue;
    map.fill = 1;
    add(name + " NaN", "load", map, {columns(7), 15});
  }
  // Swizzles of rows that fill their span, half of it, or not a power of two of it, from several places.
  for (std::uint32_t swizzle = 0; swizzle < 4; ++swizzle)
    for (const std::uint32_t bytes : {16u, 32u, 48u, 64u, 96u, 128u})
      for (const std::uint32_t offset : {0u, 128u, 384u, 512u, 896u}) {
        if (swizzle != 0 && bytes > 16u << swizzle) continue;
        if (swizzle == 0 && offset > 128) continue;
        TensorMapping map = tensor_matrix(7, 100, 50, bytes / 4, 24);
        map.swizzle = swizzle;
        const std::string name = "swizzle " + std::to_string(swizzle) + " of " + std::to_string(bytes) +
                                 " at " + std::to_string(offset);
        add(name, "load", map, {8, 4}, offset);
        if (offset < 384) add(name, "store", map, {8, 4}, offset);
      }
  // Every rank, with gaps between rows, inside and over edges; and steps.
  for (std::uint32_t rank = 1; rank <= 5; ++rank)
    for (std::uint32_t step = 1; step <= 3; ++step) {
      TensorMapping map;
      map.type = rank % 2 == 0 ? 7 : 6;
      map.rank = rank;
      map.size = {27, 9, 7, 6, 5};
      map.stride = {0, 112, 112 * 9 + 16, 112 * 9 * 7 + 160, 112 * 9 * 7 * 6 + 2048};
      map.box = {16, 5, 4, 3, 2};
      for (std::uint32_t d = 1; d < rank; ++d) map.step[d] = step + d % 2;
      if (step == 3) map.step[0] = 2;
      const std::string name = "rank " + std::to_string(rank) + " step " + std::to_string(step);
      for (const char* kernel : {"load", "store"}) {
        add(name + " inside", kernel, map, {8, 1, 2, 1, 1});
        add(name + " outside", kernel, map, {16, 6, -1, 4, -1});
      }
    }
  // What is computed, of every type; not all have it.
  for (const char* kernel : {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
    for (std::uint32_t type = 0; type < 13; ++type) {
      const std::uint32_t per_row = 64 / tensor_element_bytes(type);
      const TensorMapping map = tensor_matrix(type, 2 * per_row + 3, 20, per_row, 8);
      add("type " + std::to_string(type), kernel, map, {static_cast<std::int32_t>(7 * per_row / 4), 3});
    }
  // Rows that begin and end in the middle of a sector and in a line: what is counted.
  for (const std::uint32_t bytes : {16u, 32u, 64u, 128u, 256u, 512u})
    for (const std::int32_t column : {0, 4, 8, 12, 16, 20, 24, 28})
      for (const std::uint64_t pitch : {1024u, 1072u}) {
        TensorMapping map = tensor_matrix(7, 256, 40, bytes / 4, 8);
        map.stride[1] = pitch;
        const std::string name = "row of " + std::to_string(bytes) + " from " + std::to_string(column) +
                                 " pitch " + std::to_string(pitch);
        for (const char* kernel : {"load", "store", "add"})
          if (kernel[0] == 'l' || pitch == 1024) {
            add(name, kernel, map, {column, 3});
            copies.back().counted = true;
          }
      }
  return copies;
}

/// Arguments that the driver takes or refuses, by name.
inline std::vector<std::pair<std::string, TensorMapping>> tensor_encodings() {
  std::vector<std::pair<std::string, TensorMapping>> list;
  const auto add = [&](const std::string& name, std::uint64_t value, auto change) {
    TensorMapping map;
    map.rank = 3;
    map.size = {64, 32, 16, 1, 1};
    map.stride = {0, 256, 8192, 0, 0};
    map.box = {16, 8, 2, 1, 1};
    change(map, value);
    list.emplace_back(name + " " + std::to_string(value), map);
  };
  const auto each = [&](const std::string& name, std::initializer_list<std::uint64_t> values, auto change) {
    for (const std::uint64_t value : values) add(name, value, change);
  };
  using Map = TensorMapping&;
  using Value = std::uint64_t;
  const auto word = [](Value v) { return static_cast<std::uint32_t>(v); };
  constexpr Value kGiant = Value{1} << 32;
  each("type", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 99},
       [=](Map m, Value v) { m.type = word(v); });
  each("rank", {0, 1, 2, 3, 4, 6}, [=](Map m, Value v) { m.rank = word(v); });
  each("address", {4, 8, 16, 32}, [](Map m, Value v) { m.offset = v; });
  each("size of rows", {0, 1, 15, 63, 65, 128, kGiant, kGiant + 1}, [](Map m, Value v) { m.size[0] = v; });
  each("size of columns", {0, 1, 33, kGiant, kGiant + 1}, [](Map m, Value v) { m.size[1] = v; });
  each("pitch", {0, 8, 16, 24, 128, 240, 264, 272, (Value{1} << 40) - 16, Value{1} << 40},
       [](Map m, Value v) { m.stride[1] = v; });
  each("slice", {0, 8, 16, 256, 8176, 8208, Value{1} << 40}, [](Map m, Value v) { m.stride[2] = v; });
  each("box of rows", {0, 1, 2, 3, 4, 6, 8, 65, 128, 256, 260, 512},
       [=](Map m, Value v) { m.box[0] = word(v); });
  each("box of columns", {0, 1, 64, 256, 257}, [=](Map m, Value v) { m.box[1] = word(v); });
  for (const std::uint32_t rows : {1u, 2u, 3u, 4u, 8u, 16u})
    each("box of 256 bytes by " + std::to_string(rows) + " by",
         {128, 192, 224, 226, 227, 228, 232, 240, 255, 256}, [=](Map m, Value v) {
           m.type = 0;
           m.box = {256, word(v), rows, 1, 1};
         });
  each("stepped box", {128, 256}, [=](Map m, Value v) {
    m.box = {64, word(v), 16, 1, 1};
    m.step = {1, 8, 8, 1, 1};
  });
  each("step of rows", {0, 1, 2, 8, 9}, [=](Map m, Value v) { m.step[0] = word(v); });
  each("step of columns", {0, 2, 8, 9}, [=](Map m, Value v) { m.step[1] = word(v); });
  each("box of bytes", {8, 16, 24, 256}, [=](Map m, Value v) {
    m.type = 0;
    m.box[0] = word(v);
  });
  for (std::uint32_t swizzle = 0; swizzle < 8; ++swizzle)
    each("swizzle " + std::to_string(swizzle) + " of rows", {4, 8, 12, 16, 32, 36, 64}, [=](Map m, Value v) {
      m.swizzle = swizzle;
      m.box[0] = word(v);
    });
  for (std::uint32_t interleave = 0; interleave < 4; ++interleave)
    each("interleave " + std::to_string(interleave) + " swizzle", {0, 1, 2, 3}, [=](Map m, Value v) {
      m.interleave = interleave;
      m.swizzle = word(v);
    });
  each("interleaved rank", {1, 2, 3, 4}, [=](Map m, Value v) {
    m.interleave = 1;
    m.rank = word(v);
  });
  each("promotion", {0, 1, 2, 3, 4}, [=](Map m, Value v) { m.promotion = word(v); });
  for (std::uint32_t fill = 1; fill < 3; ++fill)
    each("fill " + std::to_string(fill) + " of type", {0, 3, 5, 6, 7, 8, 9, 10, 11, 12}, [=](Map m, Value v) {
      m.fill = fill;
      m.type = word(v);
    });
  return list;
}

}  // namespace fusebox::patterns
