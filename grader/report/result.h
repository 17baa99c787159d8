#pragma once

#include <string>
#include <utility>
#include <variant>

namespace fusebox {

/// What a caller should make of a failure; each kind has one exit code (see exit_code).
enum class ErrorKind {
  not_passed,    ///< the learner's file is at fault: a verdict, exit 1
  wrong_usage,   ///< the command line is at fault, exit 2
  missing_part,  ///< this machine lacks something, exit 3
  internal,      ///< Fusebox is at fault, exit 4
};

/// An expected failure: what happened and where, and what to do next. Never a bare error code.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string what;
  std::string remedy;  ///< one sentence or command; may be empty
};

constexpr int exit_code(ErrorKind kind) { return static_cast<int>(kind) + 1; }

/// A value or the reason there is none. Expected failures travel like this across every seam; nothing throws.
template <class T>
class Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace fusebox
