#pragma once

#include <string>
#include <type_traits>
#include <vector>

namespace fusebox {

/// How an argument of a host function travels: a device address, or a scalar by value.
enum class ParameterKind { pointer, int32, int64, float32 };

struct Parameter {
  ParameterKind kind;
  std::string type;  ///< as the demangler writes it: "float const*", "int"
};

/// The host function that a puzzle file must define.
struct Signature {
  std::string function;
  std::vector<Parameter> parameters;

  /// "layernorm(float const*, float*, int)", as a demangled symbol reads.
  std::string demangled() const;
};

/// Stands for __nv_bfloat16 in typed signatures: the grader never looks inside one.
struct bf16;

template <class T>
Parameter parameter_of() {
  if constexpr (std::is_same_v<T, const float*>)
    return {ParameterKind::pointer, "float const*"};
  else if constexpr (std::is_same_v<T, float*>)
    return {ParameterKind::pointer, "float*"};
  else if constexpr (std::is_same_v<T, const int*>)
    return {ParameterKind::pointer, "int const*"};
  else if constexpr (std::is_same_v<T, int*>)
    return {ParameterKind::pointer, "int*"};
  else if constexpr (std::is_same_v<T, const long*>)
    return {ParameterKind::pointer, "long const*"};
  else if constexpr (std::is_same_v<T, const bf16*>)
    return {ParameterKind::pointer, "__nv_bfloat16 const*"};
  else if constexpr (std::is_same_v<T, bf16*>)
    return {ParameterKind::pointer, "__nv_bfloat16*"};
  else if constexpr (std::is_same_v<T, int>)
    return {ParameterKind::int32, "int"};
  else if constexpr (std::is_same_v<T, long>)
    return {ParameterKind::int64, "long"};
  else if constexpr (std::is_same_v<T, float>)
    return {ParameterKind::float32, "float"};
  else
    static_assert(sizeof(T) == 0, "add this type to parameter_of()");
}

template <class F>
struct SignatureOf;
template <class... P>
struct SignatureOf<void(P...)> {
  static Signature named(std::string function) { return {std::move(function), {parameter_of<P>()...}}; }
};

/// signature<void(const float*, float*, int)>("layernorm"): typed, so that a spec reads like the declaration
/// it stands for.
template <class F>
Signature signature(std::string function) {
  return SignatureOf<F>::named(std::move(function));
}

}  // namespace fusebox
