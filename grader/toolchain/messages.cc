#include "grader/toolchain/messages.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "grader/report/text/demangle.h"
#include "grader/toolchain/take.h"

namespace fusebox {
namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view trim_left(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front())) != 0) s.remove_prefix(1);
  return s;
}

// Takes a number off the front; false when there is none.
bool take_number(std::string_view& s, int& value) {
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || value < 0) return false;
  s.remove_prefix(end - s.data());
  return true;
}

// "error: x", "fatal error: x", "catastrophic error: x", "error #20: x", "warning #177-D: x"
bool take_severity(std::string_view& s, std::string& severity) {
  std::string_view rest = s;
  if (!take(rest, "fatal ")) take(rest, "catastrophic ");
  if (take(rest, "error") || take(rest, "Error"))
    severity = "error";
  else if (take(rest, "warning") || take(rest, "Warning"))
    severity = "warning";
  else
    return false;
  if (take(rest, " #")) rest.remove_prefix(std::min(rest.find(':'), rest.size()));
  if (!take(rest, ":")) return false;
  s = trim_left(rest);
  return true;
}

// file(line): severity: text
bool front_end_message(std::string_view line, Diagnostic& message) {
  for (auto open = line.find('('); open != line.npos; open = line.find('(', open + 1)) {
    std::string_view rest = line.substr(open + 1);
    if (take_number(rest, message.line) && take(rest, "): ") && take_severity(rest, message.severity)) {
      message.file = line.substr(0, open);
      message.text = rest;
      return true;
    }
  }
  return false;
}

// file:line:column: severity: text, or without the column
bool host_compiler_message(std::string_view line, Diagnostic& message) {
  for (auto colon = line.find(':'); colon != line.npos; colon = line.find(':', colon + 1)) {
    std::string_view rest = line.substr(colon + 1);
    if (!take_number(rest, message.line) || !take(rest, ":")) continue;
    message.column = 0;
    if (std::string_view with_column = rest;
        take_number(with_column, message.column) && take(with_column, ":"))
      rest = with_column;
    rest = trim_left(rest);
    if (!take_severity(rest, message.severity)) continue;
    message.file = line.substr(0, colon);
    message.text = rest;
    return true;
  }
  return false;
}

// "ptxas error   : text" and "ptxas /tmp/x.ptx, line 25; error   : text". The PTX file is gone by then, so
// the line in it does not help.
bool gpu_assembler_message(std::string_view line, Diagnostic& message) {
  if (!line.starts_with("ptxas ") && !line.starts_with("nvlink ") && !line.starts_with("nvcc ") &&
      !line.starts_with("cicc ") && !line.starts_with("cudafe++ "))
    return false;
  for (const char* word : {"error", "fatal", "warning"}) {
    const auto at = line.find(word);
    if (at == line.npos) continue;
    std::string_view rest = trim_left(line.substr(at + std::string_view(word).size()));
    if (!take(rest, ":")) continue;
    message.severity = std::string_view(word) == "warning" ? "warning" : "error";
    message.text = demangle_names(std::string(trim_left(rest)));
    return true;
  }
  return false;
}

// Where the caret under `shown` points to in the source line, or 0. What is behind the caret is compared
// first, because macros before it (such as __global__) may have been expanded to something longer.
int column_of(std::string_view shown, std::size_t caret, std::string_view written) {
  if (caret > shown.size()) return 0;
  const std::string_view behind = shown.substr(caret);
  if (!behind.empty() && written.ends_with(behind))
    return static_cast<int>(written.size() - behind.size()) + 1;
  const std::string_view text = trim_left(shown), own = trim_left(written);
  const std::size_t indent = shown.size() - text.size();
  if (caret < indent || text.substr(0, caret - indent) != own.substr(0, caret - indent)) return 0;
  return static_cast<int>(written.size() - own.size() + caret - indent) + 1;
}

// "detected during instantiation of ... at line 7", and lines below it that say who asked for that: 7; or 0.
int instantiation_line(std::string_view line) {
  constexpr std::string_view kAt = " at line ";
  line = trim_left(line);
  const auto at = line.rfind(kAt);
  if (at == line.npos || !(line.starts_with("detected during") || line.starts_with("instantiation of")))
    return 0;
  line.remove_prefix(at + kAt.size());
  int number = 0;
  return take_number(line, number) ? number : 0;
}

}  // namespace

std::string demangle_names(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto word_character = [&](std::size_t i) {
      return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
    };
    std::size_t end = at;
    while (word_character(end)) ++end;
    if (end == at) {
      result += text[at++];
      continue;
    }
    result += demangle(text.substr(at, end - at));
    at = end;
  }
  return result;
}

std::vector<Diagnostic> parse_diagnostics(const std::string& output, const std::string& source,
                                          const std::string& file) {
  const auto lines = split_lines(output);
  const auto source_lines = split_lines(source);
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Diagnostic message;
    if (front_end_message(lines[i], message)) {
      // The front end writes the line again, and a caret on a line of its own below it.
      const auto caret_line = i + 2 < lines.size() ? lines[i + 2] : std::string_view();
      const auto caret = caret_line.find('^');
      if (caret != caret_line.npos && trim_left(caret_line) == "^" && message.file == file &&
          message.line >= 1 && static_cast<std::size_t>(message.line) <= source_lines.size())
        message.column = column_of(lines[i + 1], caret, source_lines[message.line - 1]);
    } else if (gpu_assembler_message(lines[i], message)) {
      message.file = file;
    } else if (!host_compiler_message(lines[i], message)) {
      if (const int asked = instantiation_line(lines[i]); asked > 0 && !found.empty())
        found.back().instantiated_at = asked;
      continue;
    }
    const auto same = [&](const Diagnostic& other) {
      return other.file == message.file && other.line == message.line && other.text == message.text &&
             (other.column == message.column || other.column == 0 || message.column == 0);
    };
    // nvcc preprocesses a file once for the host and once for the GPU: each warning of that stage comes
    // twice. What is a warning in a template is an error where it is instantiated.
    const auto known = std::find_if(found.begin(), found.end(), same);
    if (known == found.end())
      found.push_back(std::move(message));
    else if (message.severity == "error")
      known->severity = message.severity;
  }
  return found;
}

std::vector<KernelResources> parse_resources(const std::string& output) {
  std::vector<KernelResources> kernels;
  // Lines about device functions that were not inlined come between a kernel's own; only the kernel's count.
  std::string_view properties_of;
  for (std::string_view line : split_lines(output)) {
    const auto quoted = [&] {
      const auto open = line.find('\''), close = line.find('\'', open + 1);
      return open == line.npos || close == line.npos ? std::string_view()
                                                     : line.substr(open + 1, close - open - 1);
    };
    const auto number_before = [&](std::string_view words) {
      const auto at = line.find(words);
      if (at == line.npos) return 0;
      auto start = at;
      while (start > 0 && std::isdigit(static_cast<unsigned char>(line[start - 1])) != 0) --start;
      std::string_view digits = line.substr(start, at - start);
      int value = 0;
      take_number(digits, value);
      return value;
    };
    constexpr std::string_view kProperties = "Function properties for ";
    if (line.find("Compiling entry function '") != line.npos) {
      kernels.push_back({});
      kernels.back().kernel = quoted();
      properties_of = {};
    } else if (const auto at = line.find(kProperties); at != line.npos) {
      properties_of = line.substr(at + kProperties.size());
    } else if (kernels.empty()) {
      continue;
    } else if (line.find("bytes spill stores") != line.npos) {
      if (properties_of == kernels.back().kernel)
        kernels.back().spill_bytes =
            number_before(" bytes spill stores") + number_before(" bytes spill loads");
    } else if (line.find(": Used ") != line.npos) {
      kernels.back().registers = number_before(" registers");
      kernels.back().static_shared_bytes = number_before(" bytes smem");
    }
  }
  return kernels;
}

}  // namespace fusebox
