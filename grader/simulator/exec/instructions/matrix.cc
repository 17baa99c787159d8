#include "grader/simulator/exec/instructions/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/instructions/warpgroup/tensor_product.h"
#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {
namespace {

constexpr int kMaxElements = 32 * 32;

/// A matrix of an operation, row-major. Integers that mma works on are exact in double.
struct Matrix {
  std::uint32_t rows = 0, columns = 0;
  double at[kMaxElements] = {};
  double& operator()(std::uint32_t r, std::uint32_t c) { return at[r * columns + c]; }
};

/// Elements of a type in one register.
std::uint32_t per_register(Type type) {
  std::uint32_t bytes = type_bytes(type);
  return bytes >= 4 ? 1 : 4 / bytes;
}

/// The bits of element `e` of a register; of types of up to four bytes.
std::uint32_t bits_at(Warp& w, std::uint32_t reg, Type type, int lane, std::uint32_t e) {
  const std::uint32_t word = w.lanes_of<std::uint32_t>(reg)[lane], bits = 8 * type_bytes(type);
  return bits == 32 ? word : word >> bits * e & ((1u << bits) - 1);
}

void put_bits(Warp& w, std::uint32_t reg, Type type, int lane, std::uint32_t e, std::uint32_t value) {
  std::uint32_t& word = w.lanes_of<std::uint32_t>(reg)[lane];
  if (type_bytes(type) == 2)
    word = e == 0 ? (word & 0xffff0000u) | value : (word & 0xffffu) | value << 16;
  else
    word = value;
}

double element(Warp& w, std::uint32_t reg, Type type, int lane, std::uint32_t e) {
  if (type == Type::f64) return w.lanes_of<double>(reg)[lane];
  const std::uint32_t bits = bits_at(w, reg, type, lane, e);
  if (type == Type::s8) return static_cast<std::int8_t>(bits);
  if (type == Type::u8) return bits;
  return static_cast<std::int32_t>(bits);
}

void put_element(Warp& w, std::uint32_t reg, Type type, int lane, double value, bool saturate) {
  if (type == Type::f64) {
    w.lanes_of<double>(reg)[lane] = value;
    return;
  }
  if (saturate) value = std::clamp(value, -0x1p31, 0x1p31 - 1);
  w.lanes_of<std::uint32_t>(reg)[lane] = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

/// Calls f(register, element in it, lane, element of the matrix).
template <class F>
void each_element(const MatrixFragment& fragment, const std::vector<std::uint32_t>& registers, Type type,
                  F f) {
  const std::uint32_t per = per_register(type);
  fragment.each_element(static_cast<std::uint32_t>(registers.size()) * per,
                        [&](std::uint32_t index, std::uint32_t lane, std::uint32_t at) {
                          f(registers[index / per], index % per, static_cast<int>(lane), at);
                        });
}

/// Calls f as each_element does. What a fragment holds twice is taken from its first registers, as hardware
/// does.
template <class F>
void each_element_once(const MatrixFragment& fragment, const std::vector<std::uint32_t>& registers, Type type,
                       F f) {
  const std::size_t once = fragment.tiles() * fragment.piece / per_register(type);
  const std::vector<std::uint32_t> first(registers.begin(),
                                         registers.begin() + static_cast<std::ptrdiff_t>(once));
  each_element(fragment, first, type, f);
}

void read_fragment(Warp& w, const MatrixFragment& fragment, const std::vector<std::uint32_t>& registers,
                   Type type, Matrix& to) {
  each_element_once(fragment, registers, type,
                    [&](std::uint32_t reg, std::uint32_t e, int lane, std::uint32_t at) {
                      to.at[at] = element(w, reg, type, lane, e);
                    });
}

void multiply_integers(const MatrixOp& op, Matrix& a, Matrix& b, Matrix& c) {
  for (std::uint32_t m = 0; m < op.m; ++m)
    for (std::uint32_t k = 0; k < op.k; ++k) {
      double factor = a(m, k);
      for (std::uint32_t n = 0; n < op.n; ++n) c(m, n) += factor * b(k, n);
    }
}
/// f64 is a chain of fused multiply-adds.
void multiply_doubles(const MatrixOp& op, Matrix& a, Matrix& b, Matrix& c) {
  for (std::uint32_t m = 0; m < op.m; ++m)
    for (std::uint32_t n = 0; n < op.n; ++n)
      for (std::uint32_t k = 0; k < op.k; ++k) c(m, n) = std::fma(a(m, k), b(k, n), c(m, n));
}

/// Whole numbers and doubles.
void multiply_exactly(Warp& w, const MatrixOp& op, LaneMask mask) {
  Matrix a{op.m, op.k}, b{op.k, op.n}, c{op.m, op.n};
  read_fragment(w, op.a_fragment, op.a, op.a_type, a);
  read_fragment(w, op.b_fragment, op.b, op.b_type, b);
  read_fragment(w, op.sum, op.c, op.c_type, c);
  op.a_type == Type::f64 ? multiply_doubles(op, a, b, c) : multiply_integers(op, a, b, c);
  each_element(op.sum, op.d, op.d_type, [&](std::uint32_t reg, std::uint32_t, int lane, std::uint32_t at) {
    if ((mask >> lane & 1) != 0) put_element(w, reg, op.d_type, lane, c.at[at], op.saturate);
  });
}

MatrixElement matrix_element(Type type) {
  return type == Type::f16    ? MatrixElement::f16
         : type == Type::bf16 ? MatrixElement::bf16
                              : MatrixElement::tf32;
}

/// C and D of different types: the sum is one of f32.
std::uint32_t converted(std::uint32_t bits, Type from, Type to) {
  if (from == to) return bits;
  if (from == Type::f16) return std::bit_cast<std::uint32_t>(half_to_float(static_cast<std::uint16_t>(bits)));
  return double_to_half(std::bit_cast<float>(bits));
}

void multiply_floats(Warp& w, const MatrixOp& op, LaneMask mask) {
  TensorFactor rows[kMaxElements], columns[kMaxElements];  // of the first step, of the next one, ...
  std::uint32_t sums[kMaxElements] = {};
  const std::size_t m = op.m, n = op.n;
  const std::uint32_t k_count = op.k_at_once;
  const Type sum = op.c_type == op.d_type ? op.d_type : Type::f32;
  const MatrixElement factor = matrix_element(op.a_type);
  const auto place = [&](std::uint32_t lines, std::uint32_t line, std::uint32_t k) {
    return (k / k_count * lines + line) * k_count + k % k_count;
  };
  each_element_once(
      op.a_fragment, op.a, op.a_type, [&](std::uint32_t reg, std::uint32_t e, int lane, std::uint32_t at) {
        rows[place(op.m, at / op.k, at % op.k)] = tensor_factor(bits_at(w, reg, op.a_type, lane, e), factor);
      });
  each_element_once(op.b_fragment, op.b, op.b_type,
                    [&](std::uint32_t reg, std::uint32_t e, int lane, std::uint32_t at) {
                      columns[place(op.n, at % op.n, at / op.n)] =
                          tensor_factor(bits_at(w, reg, op.b_type, lane, e), factor);
                    });
  each_element_once(op.sum, op.c, op.c_type,
                    [&](std::uint32_t reg, std::uint32_t e, int lane, std::uint32_t at) {
                      sums[at] = converted(bits_at(w, reg, op.c_type, lane, e), op.c_type, sum);
                    });
  for (std::uint32_t k = 0; k < op.k; k += k_count)
    add_tensor_product({{rows + k * m, k_count * m}, {columns + k * n, k_count * n}, k_count, factor},
                       sum == Type::f16 ? MatrixElement::f16 : MatrixElement::f32, {sums, m * n});
  each_element(op.sum, op.d, op.d_type, [&](std::uint32_t reg, std::uint32_t e, int lane, std::uint32_t at) {
    if ((mask >> lane & 1) != 0) put_bits(w, reg, op.d_type, lane, e, converted(sums[at], sum, op.d_type));
  });
}

std::uint64_t base_address(Warp& w, const DecodedInstruction& s, int lane) {
  return lane_address(w, s.a, s.address_width, s.immediate, lane);
}

/// One wmma.load or wmma.store.
void move_fragment(Warp& w, const DecodedInstruction& s, LaneMask mask, bool store) {
  const FragmentMove& move = w.frame->program->fragment_moves[s.extra];
  const MatrixFragment& fragment = move.fragment;
  const std::uint32_t bytes = type_bytes(move.type);
  const AccessKind kind = store ? AccessKind::store : AccessKind::load;
  unsigned char cells[kMaxElements * sizeof(double)];  // of the matrix, by rows
  std::memset(cells, 0, std::size_t{fragment.rows} * fragment.columns * bytes);
  const auto with_registers = [&](auto f) {
    each_element(fragment, move.registers, move.type,
                 [&](std::uint32_t reg, std::uint32_t e, int lane, std::uint32_t at) {
                   if ((mask >> lane & 1) == 0) return;
                   f(w.lanes_of<unsigned char>(reg) + lane * std::max(bytes, 4u) + e * bytes,
                     cells + at * bytes);
                 });
  };
  if (store)
    with_registers([&](unsigned char* held, unsigned char* cell) { std::memcpy(cell, held, bytes); });
  const std::uint32_t cell_step = bytes * (move.by_columns ? fragment.columns : 1),
                      line_step = bytes * (move.by_columns ? 1 : fragment.columns);
  for (const FragmentAccess& access : move.accesses) {
    std::uint64_t address[kWarpSize];
    LaneMask done = 0;
    Space space = s.space;
    for (std::uint32_t lane = 0; lane < access.lanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      const int l = static_cast<int>(lane);
      const auto [line, along] = access.first[lane];
      const std::uint64_t stride = s.b != kNoOperand ? w.lanes_of<std::uint32_t>(s.b)[l]
                                   : move.by_columns ? fragment.rows
                                                     : fragment.columns;
      address[l] = base_address(w, s, l) + (line * stride + along) * bytes;
      if (s.generic) space = space_of_generic(address[l]);
      std::uint8_t* data =
          use_bytes(w, s, l, own_place(w, space, address[l]), {kind, access.bytes, access.bytes}).data;
      if (data == nullptr) continue;
      done |= LaneMask{1} << l;
      unsigned char* cell = cells + line * line_step + along * cell_step;
      for (std::uint32_t at = 0; at < access.bytes; at += bytes, cell += cell_step)
        store ? std::memcpy(data + at, cell, bytes) : std::memcpy(cell, data + at, bytes);
    }
    notify_access(w, s, {space, kind, access.bytes, done, address, AddressPattern::any, 0, move.path});
  }
  if (!store)
    with_registers([&](unsigned char* held, unsigned char* cell) { std::memcpy(held, cell, bytes); });
}

/// Which of a row's eight elements, and of which row, lane l holds in the lower or upper half of its
/// register.
struct Cell {
  int row, column;
};
Cell cell(int lane, int half, bool transposed) {
  int major = lane / 4, minor = 2 * (lane % 4) + half;
  return transposed ? Cell{minor, major} : Cell{major, minor};
}

/// A row of ldmatrix or stmatrix: 16 bytes in shared memory, or null with the fault raised.
std::uint8_t* row_bytes(Warp& w, const DecodedInstruction& s, int lane, std::uint64_t& address,
                        AccessKind kind) {
  address = base_address(w, s, lane);
  if (s.generic || in_shared_window(address)) space_of_generic(address);
  return use_bytes(w, s, lane, own_place(w, Space::shared, address), {kind, 16, 16}).data;
}

}  // namespace

void matrix_multiply(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const MatrixOp& op = w.frame->program->matrix_ops[s.extra];
  const bool floats = op.a_type == Type::f16 || op.a_type == Type::bf16 || op.a_type == Type::tf32;
  floats ? multiply_floats(w, op, mask) : multiply_exactly(w, op, mask);
}

void fragment_load(Warp& w, const DecodedInstruction& s, LaneMask mask) { move_fragment(w, s, mask, false); }
void fragment_store(Warp& w, const DecodedInstruction& s, LaneMask mask) { move_fragment(w, s, mask, true); }

// Lane 8 * i + r brings the address of row r of matrix i.
void matrix_load(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint64_t address[kWarpSize];
  std::uint16_t rows[kWarpSize][8] = {};
  LaneMask read = 0;
  for (int l = 0; l < 8 * s.elements; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const std::uint8_t* row = row_bytes(w, s, l, address[l], AccessKind::load);
    if (row == nullptr) continue;
    std::memcpy(rows[l], row, 16);
    read |= LaneMask{1} << l;
  }
  for (int i = 0; i < s.elements; ++i)
    for (const int l : lanes_in(mask)) {
      Cell low = cell(l, 0, s.flag), high = cell(l, 1, s.flag);
      w.lanes_of<std::uint32_t>(s.data[i])[l] =
          std::uint32_t{rows[8 * i + high.row][high.column]} << 16 | rows[8 * i + low.row][low.column];
    }
  notify_access(
      w, s,
      {Space::shared, AccessKind::load, 16, read, address, AddressPattern::any, 0, AccessPath::matrices});
}

void matrix_store(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint64_t address[kWarpSize];
  LaneMask written = 0;
  for (int i = 0; i < s.elements; ++i) {
    std::uint16_t rows[8][8];
    for (int l = 0; l < kWarpSize; ++l)
      for (int half = 0; half < 2; ++half) {
        Cell c = cell(l, half, s.flag);
        rows[c.row][c.column] =
            static_cast<std::uint16_t>(w.lanes_of<std::uint32_t>(s.data[i])[l] >> (16 * half));
      }
    for (int r = 0; r < 8; ++r) {
      int l = 8 * i + r;
      if ((mask >> l & 1) == 0) continue;
      std::uint8_t* row = row_bytes(w, s, l, address[l], AccessKind::store);
      if (row == nullptr) continue;
      std::memcpy(row, rows[r], 16);
      written |= LaneMask{1} << l;
    }
  }
  notify_access(
      w, s,
      {Space::shared, AccessKind::store, 16, written, address, AddressPattern::any, 0, AccessPath::matrices});
}

void matrix_transpose(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint16_t rows[8][8];
  for (int l = 0; l < kWarpSize; ++l)
    for (int half = 0; half < 2; ++half) {
      Cell c = cell(l, half, false);
      rows[c.row][c.column] = static_cast<std::uint16_t>(w.lanes_of<std::uint32_t>(s.a)[l] >> (16 * half));
    }
  for (const int l : lanes_in(mask)) {
    Cell low = cell(l, 0, true), high = cell(l, 1, true);
    w.lanes_of<std::uint32_t>(s.d)[l] =
        std::uint32_t{rows[high.row][high.column]} << 16 | rows[low.row][low.column];
  }
}

}  // namespace fusebox::sim
