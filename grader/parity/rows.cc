#include "grader/parity/rows.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace fusebox {
namespace {

constexpr std::int32_t kMany = 1 << 24, kSome = 1 << 20;

/// n elements, one thread for each `per_thread` of them.
ParityRow line(const char* kernel, std::uint32_t threads, std::int32_t n, std::int32_t m,
               std::int32_t per_thread) {
  ParityRow row;
  row.kernel = kernel;
  row.n = n;
  row.m = m;
  const std::int64_t wanted = (std::int64_t{n} + per_thread - 1) / per_thread;
  row.grid.x = static_cast<std::uint32_t>((wanted + threads - 1) / threads);
  row.block.x = threads;
  row.a_bytes = row.out_bytes = std::uint64_t{4} * static_cast<std::uint64_t>(n);
  return row;
}

template <class Bytes>
void append(std::vector<std::byte>& to, const Bytes& value) {
  while (to.size() % sizeof value != 0) to.push_back({});
  to.resize(to.size() + sizeof value);
  std::memcpy(to.data() + to.size() - sizeof value, &value, sizeof value);
}

/// A permutation of 0 .. n - 1 (n a power of two) without order that a cache could use: an odd factor and a
/// few swapped bits.
std::vector<std::byte> permutation(std::uint64_t n) {
  std::vector<std::byte> bytes(n * 4);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint32_t x = static_cast<std::uint32_t>((i * 2654435761u) & (n - 1));
    x ^= x >> 7;
    x = static_cast<std::uint32_t>((x * 40503ull) & (n - 1));
    std::memcpy(bytes.data() + i * 4, &x, 4);
  }
  return bytes;
}

std::vector<std::byte> floats(std::uint64_t bytes, std::uint32_t seed) {
  std::vector<std::byte> out(bytes);
  std::uint32_t state = seed;
  for (std::uint64_t at = 0; at + 4 <= bytes; at += 4) {
    state = state * 1664525u + 1013904223u;
    const float value = static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
    std::memcpy(out.data() + at, &value, 4);
  }
  return out;
}

}  // namespace

std::string ParityRow::name() const {
  const std::string threads =
      block.y > 1 ? std::to_string(block.x) + "x" + std::to_string(block.y) : std::to_string(block.x);
  return kernel + " " + threads + (m > 1 ? " m=" + std::to_string(m) : "") +
         (n != kMany ? " n=" + std::to_string(n) : "");
}

std::vector<ParityRow> parity_rows() {
  std::vector<ParityRow> rows;
  const auto add = [&](ParityRow row) -> ParityRow& { return rows.emplace_back(std::move(row)); };
  const auto with_b = [](ParityRow row, std::uint64_t bytes) {
    row.b_bytes = bytes;
    return row;
  };
  const auto with_index = [](ParityRow row) {
    row.index_bytes = std::uint64_t{4} * static_cast<std::uint64_t>(row.n);
    return row;
  };
  for (const std::uint32_t threads : {32u, 128u, 256u, 1024u}) {
    add(line("copy", threads, kMany, 1, 1));
    add(line("copy_float4", threads, kMany, 1, 4));
    add(with_b(line("add", threads, kMany, 1, 1), 4ull * kMany));
    add(line("stencil", threads, kMany, 1, 1));
    ParityRow per_block = line("block_per_row", threads, kMany, 2048, 1);
    per_block.grid.x = kMany / 2048;
    per_block.out_bytes = per_block.grid.x * 4;
    add(per_block);
    ParityRow normalise = per_block;
    normalise.kernel = "normalise_row";
    normalise.out_bytes = normalise.a_bytes;
    add(with_b(normalise, 2048 * 4));
    ParityRow warps = line("warp_per_row", threads, kMany, 512, 16);
    warps.out_bytes = kMany / 512 * 4;
    add(warps);
  }
  for (const std::uint32_t threads : {64u, 256u, 512u}) {
    add(line("write_only", threads, kMany, 1, 1)).a_bytes = 4;
    add(line("copy_float2", threads, kMany, 1, 2));
    add(line("read_misaligned", threads, kMany, 1, 1));
    add(line("read_strided", threads, kMany, 8, 8)).out_bytes = kMany / 8 * 4;
    add(line("write_strided", threads, kMany, 8, 8));
    add(with_index(line("gather", threads, kSome * 4, 1, 1)));
    add(with_index(line("scatter", threads, kSome * 4, 1, 1)));
    add(line("compute", threads, kSome * 4, 256, 1));
    add(line("special", threads, kSome * 4, 128, 1)).exact = false;
  }
  for (const std::uint32_t threads : {128u, 512u}) {
    add(line("copy_bytes", threads, kMany, 1, 1));
    add(line("copy_halves", threads, kMany, 1, 1));
    add(with_b(with_index(line("small_table", threads, kMany, 1, 1)), 4096));
    ParityRow& rows_each = add(line("thread_per_row", threads, kMany, 256, 256));
    rows_each.out_bytes = kMany / 256 * 4;
    ParityRow& walking = add(line("copy_grid_stride", threads, kMany, 1, 1));
    walking.grid.x = 132 * 8 * 256 / threads;
    ParityRow& small = add(line("copy", threads, kSome, 1, 1));
    small.grid.x = kSome / threads;
    ParityRow count = with_index(line("count_values", threads, kSome, 4096, 1));
    count.out_bytes = 4096 * 4;
    add(count);
  }
  for (const std::uint32_t y : {4u, 8u, 32u})
    for (const char* kernel : {"transpose", "transpose_conflicts", "transpose_padded"}) {
      ParityRow row = line(kernel, 32, kMany, 4096, 1);
      row.block = {32, y, 1};
      row.grid = {4096 / 32, kMany / 4096 / 32, 1};
      add(row);
    }
  for (const auto& [kernel, x, y] :
       {std::tuple{"matmul", 16u, 16u}, {"matmul", 32u, 8u}, {"matmul_tiled", 16u, 16u}}) {
    ParityRow row = line(kernel, x, 512 * 512, 512, 1);
    row.block = {x, y, 1};
    row.grid = {512 / x, 512 / y, 1};
    add(with_b(row, row.a_bytes));
  }
  for (const auto& [kernel, exact] :
       {std::pair{"wmma_tf32", false}, {"wmma_half", false}, {"wmma_bytes", true}}) {
    ParityRow row = line(kernel, 128, 512 * 512, 512, 8);
    row.exact = exact;
    add(with_b(row, row.a_bytes));
  }
  for (const std::uint32_t threads : {32u, 128u}) {
    ParityRow row = line("copy_bulk", threads, kMany, 2048, 1);
    row.grid.x = kMany / 2048;
    add(row);
  }
  for (const std::uint32_t threads : {32u, 128u}) {
    ParityRow row = line("chase", threads, kSome, 256, 1);
    row.grid.x = 32;
    row.out_bytes = std::uint64_t{32} * threads * 4;
    row.a_bytes = 4;
    add(with_index(row));
  }
  return rows;
}

ParityPlan make_parity_plan(const ParityRow& row, const AddressRange& range) {
  const std::uint64_t sizes[] = {std::max<std::uint64_t>(row.a_bytes, 4),
                                 std::max<std::uint64_t>(row.b_bytes, 4),
                                 std::max<std::uint64_t>(row.index_bytes, 4), row.out_bytes};
  const std::vector<DeviceAddress> at = place_buffers(range, sizes);
  ParityPlan made;
  made.buffers = {{"a", at[0], sizes[0], floats(sizes[0], 1)},
                  {"b", at[1], sizes[1], floats(sizes[1], 2)},
                  {"index", at[2], sizes[2], permutation(sizes[2] / 4)},
                  // Not undefined: a kernel that leaves gaps must leave the same bytes in them everywhere.
                  {"out", at[3], sizes[3], std::vector<std::byte>(sizes[3])}};
  LaunchOp launch;
  launch.kernel = row.kernel;
  launch.grid = row.grid;
  launch.block = row.block;
  for (const DeviceAddress address : at) append(launch.arguments, address);
  append(launch.arguments, row.n);
  append(launch.arguments, row.m);
  made.plan.ops.push_back(std::move(launch));
  return made;
}

}  // namespace fusebox
