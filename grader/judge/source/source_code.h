#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A little reading of C++, enough to find what somebody called something. `code` is what code_of made of a
/// text.
namespace fusebox {

/// A letter, a digit or '_'.
bool is_word(char c);

/// The text with comments and what stands in quotes as spaces: every place keeps its number.
std::string code_of(std::string_view text);

/// Where the bracket that is opened at `open` is closed; npos when it never is.
std::size_t closing(std::string_view code, std::size_t open);

/// The next place from `at` on that is no white space.
std::size_t next_solid(std::string_view code, std::size_t at);

/// The next place from `at` on where `word` stands by itself.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t at);

/// Between the braces of the function's definition.
std::optional<std::string_view> body_of(std::string_view code, std::string_view function);

/// Names of the parameters in the function's definition, in order; empty where there is none.
std::vector<std::string> parameters_of(std::string_view code, std::string_view function);

}  // namespace fusebox
