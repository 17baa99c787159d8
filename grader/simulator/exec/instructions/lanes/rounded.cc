#include "grader/simulator/exec/instructions/lanes/rounded.h"

#include <cfenv>
#include <cmath>

// Built with -frounding-math: the compiler must not move or fold arithmetic across the change of mode.

namespace fusebox::sim {
namespace {

class ScopedRounding {
 public:
  explicit ScopedRounding(Rounding mode) : before_(std::fegetround()) {
    switch (mode) {
      case Rounding::nearest_even:
        std::fesetround(FE_TONEAREST);
        break;
      case Rounding::toward_zero:
        std::fesetround(FE_TOWARDZERO);
        break;
      case Rounding::down:
        std::fesetround(FE_DOWNWARD);
        break;
      case Rounding::up:
        std::fesetround(FE_UPWARD);
        break;
    }
  }
  ~ScopedRounding() { std::fesetround(before_); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  int before_;
};

template <class T>
T compute(RoundedOp op, Rounding mode, T x, T y, T z) {
  ScopedRounding scope(mode);
  volatile T a = x, b = y, c = z;
  volatile T result = 0;
  switch (op) {
    case RoundedOp::add:
      result = a + b;
      break;
    case RoundedOp::mul:
      result = a * b;
      break;
    case RoundedOp::fma:
      result = std::fma(T{a}, T{b}, T{c});
      break;
    case RoundedOp::div:
      result = a / b;
      break;
    case RoundedOp::sqrt:
      result = std::sqrt(T{a});
      break;
  }
  return result;
}

template <class To, class From>
To convert(Rounding mode, From value) {
  ScopedRounding scope(mode);
  volatile From from = value;
  volatile To result = static_cast<To>(from);
  return result;
}

}  // namespace

float rounded(RoundedOp op, Rounding mode, float a, float b, float c) {
  return compute<float>(op, mode, a, b, c);
}
double rounded(RoundedOp op, Rounding mode, double a, double b, double c) {
  return compute<double>(op, mode, a, b, c);
}
float rounded_to_float(Rounding mode, double a) { return convert<float>(mode, a); }
float rounded_to_float(Rounding mode, std::int64_t a) { return convert<float>(mode, a); }
float rounded_to_float(Rounding mode, std::uint64_t a) { return convert<float>(mode, a); }
double rounded_to_double(Rounding mode, std::int64_t a) { return convert<double>(mode, a); }
double rounded_to_double(Rounding mode, std::uint64_t a) { return convert<double>(mode, a); }

}  // namespace fusebox::sim
