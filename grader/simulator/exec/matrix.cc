#include "grader/simulator/exec/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "grader/simulator/exec/access.h"
#include "grader/simulator/exec/lanes/half.h"

namespace fusebox::sim {
namespace {

constexpr int kMostElements = 32 * 32;

/// A matrix of an operation, row-major. Integers that mma works on are exact in double.
struct Matrix {
  std::uint32_t rows = 0, columns = 0;
  double at[kMostElements] = {};
  double& operator()(std::uint32_t r, std::uint32_t c) { return at[r * columns + c]; }
};

/// Elements of a type in one register.
std::uint32_t per_register(Type type) {
  std::uint32_t bytes = type_bytes(type);
  return bytes >= 4 ? 1 : 4 / bytes;
}

double element(Warp& w, std::uint32_t reg, Type type, int lane, std::uint32_t e) {
  if (type == Type::f64) return w.lanes_of<double>(reg)[lane];
  std::uint32_t word = w.lanes_of<std::uint32_t>(reg)[lane];
  switch (type) {
    case Type::f16:
      return half_to_float(static_cast<std::uint16_t>(word >> (16 * e)));
    case Type::bf16:
      return bf16_to_float(static_cast<std::uint16_t>(word >> (16 * e)));
    case Type::tf32:  // the lowest 13 bits are not looked at
      return std::bit_cast<float>(word & 0xffffe000u);
    case Type::f32:
      return std::bit_cast<float>(word);
    case Type::s8:
      return static_cast<std::int8_t>(word >> (8 * e));
    case Type::u8:
      return static_cast<std::uint8_t>(word >> (8 * e));
    default:
      return static_cast<std::int32_t>(word);
  }
}

std::uint32_t bits_of(double value, Type type, bool saturate) {
  switch (type) {
    case Type::f16:
      return double_to_half(value);
    case Type::s32:
      if (saturate) value = std::clamp(value, -0x1p31, 0x1p31 - 1);
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    default: {
      float rounded = static_cast<float>(value);
      return rounded == rounded ? std::bit_cast<std::uint32_t>(rounded) : 0x7fffffffu;
    }
  }
}

void put_element(Warp& w, std::uint32_t reg, Type type, int lane, std::uint32_t e, double value,
                 bool saturate) {
  if (type == Type::f64) {
    w.lanes_of<double>(reg)[lane] = value;
    return;
  }
  std::uint32_t bits = bits_of(value, type, saturate), &word = w.lanes_of<std::uint32_t>(reg)[lane];
  if (type_bytes(type) == 2)
    word = e == 0 ? (word & 0xffff0000u) | bits : (word & 0xffffu) | bits << 16;
  else
    word = bits;
}

// Where the elements of a fragment lie (PTX ISA, "Matrix Fragments"): lanes in groups of four; a group holds
// a row of A, C and D and a column of B, each of its lanes neighbouring elements.
struct Place {
  std::uint32_t row, column;
};
Place place_in_a(std::uint32_t lane, std::uint32_t reg, std::uint32_t e, std::uint32_t per, std::uint32_t m) {
  std::uint32_t group = lane / 4, in_group = lane % 4, high_rows = m == 16 ? reg & 1 : 0,
                step = m == 16 ? reg >> 1 : reg;
  return {group + 8 * high_rows, per * in_group + 4 * per * step + e};
}
Place place_in_b(std::uint32_t lane, std::uint32_t reg, std::uint32_t e, std::uint32_t per) {
  return {per * (lane % 4) + 4 * per * reg + e, lane / 4};
}
Place place_in_c(std::uint32_t lane, std::uint32_t index) {
  return {lane / 4 + 8 * (index >> 1), 2 * (lane % 4) + (index & 1)};
}

/// Calls f(register, lane, element in it, index of the element in the lane's fragment).
template <class F>
void each_element(const std::vector<std::uint32_t>& registers, Type type, F f) {
  std::uint32_t per = per_register(type);
  for (std::uint32_t r = 0; r < registers.size(); ++r)
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      for (std::uint32_t e = 0; e < per; ++e) f(r, lane, e, r * per + e);
}

void multiply(const MatrixOp& op, Matrix& a, Matrix& b, Matrix& c) {
  for (std::uint32_t m = 0; m < op.m; ++m)
    for (std::uint32_t k = 0; k < op.k; ++k) {
      double factor = a(m, k);
      for (std::uint32_t n = 0; n < op.n; ++n) c(m, n) += factor * b(k, n);
    }
}
/// f64 is a chain of fused multiply-adds.
void multiply_double(const MatrixOp& op, Matrix& a, Matrix& b, Matrix& c) {
  for (std::uint32_t m = 0; m < op.m; ++m)
    for (std::uint32_t n = 0; n < op.n; ++n)
      for (std::uint32_t k = 0; k < op.k; ++k) c(m, n) = std::fma(a(m, k), b(k, n), c(m, n));
}

void compute(const MatrixOp& op, Matrix& a, Matrix& b, Matrix& c) {
  if (op.a_type == Type::f64)
    multiply_double(op, a, b, c);
  else
    multiply(op, a, b, c);
}

// A wmma fragment's layout is nobody's business but ours: element i of lane l is element l * n + i of the
// row-major matrix, and fragments with room for it hold the matrix twice.
Place place_in_fragment(std::uint32_t lane, std::uint32_t index, std::uint32_t per_lane, std::uint32_t rows,
                        std::uint32_t columns) {
  std::uint32_t at = (lane * per_lane + index) % (rows * columns);
  return {at / columns, at % columns};
}

void read_fragment(Warp& w, const std::vector<std::uint32_t>& registers, Type type, Matrix& to) {
  std::uint32_t per_lane = static_cast<std::uint32_t>(registers.size()) * per_register(type);
  each_element(registers, type,
               [&](std::uint32_t r, std::uint32_t lane, std::uint32_t e, std::uint32_t index) {
                 Place p = place_in_fragment(lane, index, per_lane, to.rows, to.columns);
                 to(p.row, p.column) = element(w, registers[r], type, static_cast<int>(lane), e);
               });
}

std::uint64_t base_address(Warp& w, const Step& s, int lane) {
  std::uint64_t base =
      s.address_width == 8 ? w.lanes_of<std::uint64_t>(s.a)[lane] : w.lanes_of<std::uint32_t>(s.a)[lane];
  std::uint64_t address = base + static_cast<std::uint64_t>(s.immediate);
  return s.address_width == 8 ? address : address & 0xffffffffu;
}

/// One wmma.load or wmma.store: each lane moves its elements, as many at once as lie together.
void move_fragment(Warp& w, const Step& s, LaneMask mask, bool store) {
  const MatrixOp& op = w.frame->program->matrix_ops[s.extra];
  const auto& registers = op.d;
  const std::uint32_t per = per_register(op.d_type), bytes = type_bytes(op.d_type);
  const std::uint32_t per_lane = static_cast<std::uint32_t>(registers.size()) * per;
  const bool by_columns = s.flag;
  // Neighbours in a lane are neighbours in memory when the matrix lies there by rows.
  const std::uint32_t run = by_columns ? 1 : std::max(1u, std::min(16 / bytes, std::min(per_lane, op.n)));
  for (std::uint32_t first = 0; first < per_lane; first += run) {
    std::uint64_t address[kWarpSize];
    LaneMask done = 0;
    Space space = s.space;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      int l = std::countr_zero(rest);
      Place p = place_in_fragment(static_cast<std::uint32_t>(l), first, per_lane, op.m, op.n);
      std::uint64_t stride = s.b != kNoOperand ? w.lanes_of<std::uint32_t>(s.b)[l] : by_columns ? op.m : op.n;
      std::uint64_t offset = by_columns ? p.column * stride + p.row : p.row * stride + p.column;
      address[l] = base_address(w, s, l) + offset * bytes;
      if (s.generic) space = space_of_generic(address[l]);
      std::uint8_t* data = checked_bytes(w, s, l, space, address[l], run * bytes, bytes,
                                         store ? AccessKind::store : AccessKind::load);
      if (data == nullptr) continue;
      done |= LaneMask{1} << l;
      for (std::uint32_t k = 0; k < run; ++k) {
        std::uint32_t index = first + k;
        auto* lane_word = w.lanes_of<unsigned char>(registers[index / per]) +
                          static_cast<std::size_t>(l) * std::max(bytes, 4u) + index % per * bytes;
        if (store)
          std::memcpy(data + k * bytes, lane_word, bytes);
        else
          std::memcpy(lane_word, data + k * bytes, bytes);
      }
    }
    tell_access(w, s, space, store ? AccessKind::store : AccessKind::load, run * bytes, done, address);
  }
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

}  // namespace

void matrix_multiply(Warp& w, const Step& s, LaneMask mask) {
  const MatrixOp& op = w.frame->program->matrix_ops[s.extra];
  Matrix a{op.m, op.k}, b{op.k, op.n}, c{op.m, op.n};
  each_element(op.a, op.a_type, [&](std::uint32_t r, std::uint32_t lane, std::uint32_t e, std::uint32_t) {
    Place p = place_in_a(lane, r, e, per_register(op.a_type), op.m);
    a(p.row, p.column) = element(w, op.a[r], op.a_type, static_cast<int>(lane), e);
  });
  each_element(op.b, op.b_type, [&](std::uint32_t r, std::uint32_t lane, std::uint32_t e, std::uint32_t) {
    Place p = place_in_b(lane, r, e, per_register(op.b_type));
    b(p.row, p.column) = element(w, op.b[r], op.b_type, static_cast<int>(lane), e);
  });
  each_element(op.c, op.c_type,
               [&](std::uint32_t r, std::uint32_t lane, std::uint32_t e, std::uint32_t index) {
                 Place p = place_in_c(lane, index);
                 c(p.row, p.column) = element(w, op.c[r], op.c_type, static_cast<int>(lane), e);
               });
  compute(op, a, b, c);
  each_element(
      op.d, op.d_type, [&](std::uint32_t r, std::uint32_t lane, std::uint32_t e, std::uint32_t index) {
        if ((mask >> lane & 1) == 0) return;
        Place p = place_in_c(lane, index);
        put_element(w, op.d[r], op.d_type, static_cast<int>(lane), e, c(p.row, p.column), op.saturate);
      });
}

void fragment_multiply(Warp& w, const Step& s, LaneMask mask) {
  const MatrixOp& op = w.frame->program->matrix_ops[s.extra];
  Matrix a{op.m, op.k}, b{op.k, op.n}, c{op.m, op.n};
  read_fragment(w, op.a, op.a_type, a);
  read_fragment(w, op.b, op.b_type, b);
  read_fragment(w, op.c, op.c_type, c);
  compute(op, a, b, c);
  std::uint32_t per_lane = static_cast<std::uint32_t>(op.d.size()) * per_register(op.d_type);
  each_element(
      op.d, op.d_type, [&](std::uint32_t r, std::uint32_t lane, std::uint32_t e, std::uint32_t index) {
        if ((mask >> lane & 1) == 0) return;
        Place p = place_in_fragment(lane, index, per_lane, op.m, op.n);
        put_element(w, op.d[r], op.d_type, static_cast<int>(lane), e, c(p.row, p.column), op.saturate);
      });
}

void fragment_load(Warp& w, const Step& s, LaneMask mask) { move_fragment(w, s, mask, false); }
void fragment_store(Warp& w, const Step& s, LaneMask mask) { move_fragment(w, s, mask, true); }

// Lane 8 * i + r brings the address of row r of matrix i.
void matrix_load(Warp& w, const Step& s, LaneMask mask) {
  std::uint64_t address[kWarpSize];
  std::uint16_t rows[kWarpSize][8] = {};
  LaneMask read = 0;
  for (int l = 0; l < 8 * s.elements; ++l) {
    if ((mask >> l & 1) == 0) continue;
    address[l] = base_address(w, s, l);
    if (s.generic || address[l] - kSharedWindow < kWindowBytes) space_of_generic(address[l]);
    const std::uint8_t* row = checked_bytes(w, s, l, Space::shared, address[l], 16, 16, AccessKind::load);
    if (row == nullptr) continue;
    std::memcpy(rows[l], row, 16);
    read |= LaneMask{1} << l;
  }
  for (int i = 0; i < s.elements; ++i)
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      int l = std::countr_zero(rest);
      Cell low = cell(l, 0, s.flag), high = cell(l, 1, s.flag);
      w.lanes_of<std::uint32_t>(s.data[i])[l] =
          std::uint32_t{rows[8 * i + high.row][high.column]} << 16 | rows[8 * i + low.row][low.column];
    }
  tell_access(w, s, Space::shared, AccessKind::load, 16, read, address);
}

void matrix_store(Warp& w, const Step& s, LaneMask mask) {
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
      address[l] = base_address(w, s, l);
      if (s.generic || address[l] - kSharedWindow < kWindowBytes) space_of_generic(address[l]);
      std::uint8_t* row = checked_bytes(w, s, l, Space::shared, address[l], 16, 16, AccessKind::store);
      if (row == nullptr) continue;
      std::memcpy(row, rows[r], 16);
      written |= LaneMask{1} << l;
    }
  }
  tell_access(w, s, Space::shared, AccessKind::store, 16, written, address);
}

void matrix_transpose(Warp& w, const Step& s, LaneMask mask) {
  std::uint16_t rows[8][8];
  for (int l = 0; l < kWarpSize; ++l)
    for (int half = 0; half < 2; ++half) {
      Cell c = cell(l, half, false);
      rows[c.row][c.column] = static_cast<std::uint16_t>(w.lanes_of<std::uint32_t>(s.a)[l] >> (16 * half));
    }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    int l = std::countr_zero(rest);
    Cell low = cell(l, 0, true), high = cell(l, 1, true);
    w.lanes_of<std::uint32_t>(s.d)[l] =
        std::uint32_t{rows[high.row][high.column]} << 16 | rows[low.row][low.column];
  }
}

}  // namespace fusebox::sim
