#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"

/// What the specs share: tensors, kinds of values, oracles of operations that several puzzles contain.
namespace fusebox {

/// Unit roundoff of float: the largest relative error of one rounding.
inline constexpr double kFloatRoundoff = 0x1p-24;

/// A tensor that the kernel only reads. `values` are exactly representable in `dtype`.
Tensor input(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> values);
/// The same for an array in host memory, which the host function reads.
Tensor host_input(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> values);
/// A tensor that the kernel must write completely.
Tensor output(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> expected,
              Tolerance tolerance);
/// A tensor that the kernel updates in place.
Tensor inout(std::string name, DType dtype, std::vector<std::int64_t> shape, std::vector<double> values,
             std::vector<double> expected, Tolerance tolerance);

/// A tensor of a full-size problem, whose values do not matter.
Tensor shaped(std::string name, DType dtype, std::vector<std::int64_t> shape, Role role);

/// The size called `name`. A spec that asks for a size its case does not have stops the program with a
/// sentence.
std::int64_t size_of(const Case& which, const std::string& name);
/// The same as the `int` that host functions take.
std::int32_t int_of(const Case& which, const std::string& name);

/// What a kernel sees when it is given `value` as a float.
double as_float(double value);

/// Bytes of the whole 32-byte sectors that hold `count` elements of `element_bytes` from an aligned base.
double sector_bytes(std::int64_t count, std::uint64_t element_bytes = 4);

/// Limit on "sectors_over_ideal": rows may start anywhere and have tails, lanes may not stand apart.
inline constexpr double kCoalesced = 1.25;

/// `exact` with the tenth of room that every budget has above the reference's count.
double with_room(double exact);

/// Limits on "bytes.dram" and "bytes.requested" at full size, with room.
std::vector<Budget> full_size_budgets(double dram, double requested);

/// Parameter vectors (gamma, beta, bias): random sign, magnitude in [0.25, 0.75), so never 0 or 1, and
/// leaving one out shows.
std::vector<double> draw_parameters(std::int64_t count, Random& random);

/// [rows, columns] values for the normalising puzzles, rounded to float. Kinds:
///   "normal"  mean 0, deviation 1;
///   "offset"  mean 1e4, deviation 1: E[x^2] - E[x]^2 cancels;
///   "tiny"    deviation 1e-3: the variance is a tenth of eps = 1e-5;
///   "rows"    every row has a mean and a deviation of its own: statistics of a neighbour or along the wrong
///   axis show.
std::vector<double> draw_rows(const std::string& kind, std::int64_t rows, std::int64_t columns,
                              Random& random);

}  // namespace fusebox
