#include "grader/simulator/exec/program/matrix_fragment.h"

#include <algorithm>
#include <utility>

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kRowBytes = 16;  ///< of an 8 x 8 matrix of ldmatrix

/// Do lines of the fragment lie in memory as lines?
bool lies_along(const MatrixFragment& fragment, bool by_columns) {
  return fragment.lines_are_columns == by_columns;
}

FragmentAccess::Cell cell(const MatrixFragment& fragment, bool by_columns, std::uint32_t line,
                          std::uint32_t along) {
  if (!lies_along(fragment, by_columns)) std::swap(line, along);
  return {static_cast<std::uint16_t>(line), static_cast<std::uint16_t>(along)};
}

}  // namespace

std::optional<MatrixFragment> fragment_of(Factor factor, Type type, std::uint32_t rows,
                                          std::uint32_t columns) {
  const bool sum = factor == Factor::sum;
  const auto is = [&](std::initializer_list<Type> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  if (sum ? !is({Type::f16, Type::f32, Type::s32, Type::f64})
          : !is({Type::f16, Type::bf16, Type::tf32, Type::s8, Type::u8, Type::f64}))
    return std::nullopt;
  MatrixFragment f{rows, columns};
  f.piece = sum ? 2 : std::max(1u, 4 / type_bytes(type));
  // The 8 x 32 sum is worked out as that of the transposed factors: B then takes A's place.
  f.lines_are_columns = factor == Factor::b || (sum && columns == 32);
  const std::uint32_t width = f.lines_are_columns ? rows : columns;
  if (f.lines() == 0 || f.lines() % 8 != 0 || width == 0 || width % (4 * f.piece) != 0) return std::nullopt;
  f.tiles_of_line = width / (4 * f.piece);
  f.pairs = (factor != Factor::b || columns == 32) && f.lines() > 8 ? 2 : 1;
  return f;
}

bool loads_by_matrices(Factor factor, const MatrixFragment& fragment, Type type, bool by_columns) {
  const std::uint32_t bytes = type_bytes(type);
  // It can transpose elements of 16 bits alone.
  return factor != Factor::sum && (bytes == 2 || (bytes == 1 && lies_along(fragment, by_columns)));
}

std::vector<FragmentAccess> fragment_accesses(const MatrixFragment& fragment, Type type, bool by_columns,
                                              bool by_matrices) {
  const std::uint32_t bytes = type_bytes(type), tiles = fragment.tiles();
  const bool along = lies_along(fragment, by_columns);
  std::vector<FragmentAccess> list;
  if (by_matrices) {
    // As many matrices as sixteen lines hold, or fewer.
    const std::uint32_t max = 2 * fragment.tiles_of_line, together = std::min(tiles, max);
    for (std::uint32_t first = 0; first < tiles; first += together) {
      FragmentAccess& access = list.emplace_back();
      access.bytes = kRowBytes;
      access.lanes = 8 * together;
      for (std::uint32_t lane = 0; lane < access.lanes; ++lane) {
        const MatrixFragment::Place begin = fragment.tile(first + lane / 8);
        const std::uint32_t row = lane % 8;
        access.first[lane] = along ? cell(fragment, by_columns, begin.line + row, begin.along)
                                   : cell(fragment, by_columns, begin.line, begin.along + row);
      }
    }
    return list;
  }
  const bool transposed = !along && bytes == 2;
  const std::uint32_t at_once = along || transposed ? fragment.piece : 1;
  for (std::uint32_t tile = 0; tile < tiles; ++tile)
    for (std::uint32_t e = 0; e < fragment.piece; e += at_once) {
      const MatrixFragment::Place begin = fragment.tile(tile);
      FragmentAccess& access = list.emplace_back();
      access.bytes = at_once * bytes;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t group = lane / 4, part = lane % 4 * fragment.piece + e;
        access.first[lane] = transposed ? cell(fragment, by_columns, begin.line + part, begin.along + group)
                                        : cell(fragment, by_columns, begin.line + group, begin.along + part);
      }
    }
  return list;
}

}  // namespace fusebox::sim
