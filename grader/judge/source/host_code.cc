#include "grader/judge/source/host_code.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "grader/judge/source/source_code.h"
#include "grader/judge/source/source_lines.h"
#include "grader/judge/source/tokens.h"

namespace fusebox {
namespace {

struct Range {
  std::size_t begin = 0, end = 0;  ///< characters
};

/// Whether it has a line of the preprocessor that may say something of what follows; a pragma does not.
bool defines_something(std::string_view code) {
  for (std::size_t at = 0; (at = code.find('#', at)) != code.npos;) {
    at = next_solid(code, at + 1);
    if (!code.substr(std::min(at, code.size())).starts_with("pragma")) return true;
  }
  return false;
}

/// Between the braces of functions that are `__global__`, or `__device__` and not `__host__`.
class DeviceBodies {
 public:
  explicit DeviceBodies(std::string_view code)
      : code_(code), tokens_(tokens_of(code)), partners_(partners_of(tokens_)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (is(i, "__global__") || is(i, "__device__")) i = read_function(i);
  }

  const std::vector<Range>& found() const { return found_; }

 private:
  bool is(std::size_t i, std::string_view text) const { return i < tokens_.size() && tokens_[i].is(text); }
  bool opens(std::size_t i) const { return partners_[i] != std::string_view::npos && partners_[i] > i; }

  /// Whether the declaration that holds this token is one of the host's as well.
  bool is_of_host(std::size_t i) const {
    for (std::size_t before = i; before-- > 0 && !is(before, ";") && !is(before, "}") && !is(before, "{");)
      if (is(before, "__host__")) return true;
    return false;
  }

  /// Returns the last token that was looked at.
  std::size_t read_function(std::size_t begin) {
    // Of a lambda the host's code says what it captures.
    const bool lambda = begin > 1 && is(begin - 1, "]") && !is(begin - 2, "]");
    bool has_parameters = false, of_host = lambda || is_of_host(begin);
    std::size_t i = begin;
    for (; i < tokens_.size() && !is(i, "{"); ++i) {
      if (is(i, ";") || is(i, "=") || is(i, "}")) return i;
      of_host |= is(i, "__host__");
      if (!opens(i)) continue;
      has_parameters |= is(i, "(") && !is(i - 1, "__launch_bounds__");
      i = partners_[i];
    }
    if (i >= tokens_.size() || !opens(i) || !has_parameters || of_host) return i;
    const Range body{tokens_[i].end, tokens_[partners_[i]].begin};
    if (!defines_something(code_.substr(body.begin, body.end - body.begin))) found_.push_back(body);
    return partners_[i];
  }

  std::string_view code_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
  std::vector<Range> found_;
};

}  // namespace

std::string host_code_of(std::string_view text) {
  const std::string code = code_of(text);
  std::string host;  // of `text`: what stands in quotes is the host's as well
  std::size_t at = 0;
  const auto keep = [&](std::size_t end) {
    for (const std::string_view line : trimmed_lines(text.substr(at, end - at))) {
      if (line.empty()) continue;
      host += line;
      host += '\n';
    }
  };
  const DeviceBodies bodies(code);
  for (const Range& body : bodies.found()) {
    keep(body.begin);
    at = body.end;
  }
  keep(text.size());
  return host;
}

}  // namespace fusebox
