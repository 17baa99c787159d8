#include "grader/judge/source/allocation_names.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <variant>

#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

/// "partial" of `(void**)&partial`, "s.sums" of `&s.sums`; empty when the address of nothing named is taken.
std::string variable_in(std::string_view argument) {
  const std::size_t at = argument.rfind('&');
  if (at == argument.npos) return {};
  std::string name;
  for (const char c : argument.substr(at + 1)) {
    if (is_word(c) || c == '.' || c == '[' || c == ']')
      name += c;
    else if (c == ')')
      break;
    else if (!std::isspace(static_cast<unsigned char>(c)))
      return {};
  }
  return name;
}

struct AllocationCall {
  std::size_t at = 0;
  std::string variable;
  std::string size;
};

/// The argument that begins at `from`, without the white space around it.
std::string argument_at(std::string_view code, std::size_t from) {
  from = next_solid(code, from);
  std::size_t end = from;
  for (; end < code.size() && code[end] != ',' && code[end] != ')'; ++end)
    if (code[end] == '(' || code[end] == '[' || code[end] == '{')
      end = std::min(closing(code, end), code.size() - 1);
  while (end > from && std::isspace(static_cast<unsigned char>(code[end - 1]))) --end;
  return from < end ? std::string(code.substr(from, end - from)) : std::string();
}

std::vector<AllocationCall> calls_in(std::string_view body) {
  std::vector<AllocationCall> calls;
  for (const char* call : {"cudaMalloc", "cudaMallocAsync"}) {
    for (std::size_t at = find_word(body, call, 0); at != body.npos; at = find_word(body, call, at + 1)) {
      std::size_t open = next_solid(body, at + std::string_view(call).size());
      if (open < body.size() && body[open] == '<') open = std::min(body.find('(', open), body.size());
      if (open >= body.size() || body[open] != '(') continue;
      const std::size_t end = body.find(',', open);
      if (end == body.npos) continue;
      calls.push_back({at, variable_in(body.substr(open + 1, end - open - 1)), argument_at(body, end + 1)});
    }
  }
  std::sort(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return calls;
}

}  // namespace

std::vector<std::string> allocation_names(const SourceFile& source, const std::string& function,
                                          const LaunchPlan& plan, std::span<const std::string> otherwise) {
  const std::string code = code_of(source.text);
  const auto body = body_of(code, function);
  if (!body) return {otherwise.begin(), otherwise.end()};
  std::vector<std::string> names;
  for (AllocationCall& call : calls_in(*body)) names.push_back(std::move(call.variable));
  const auto allocations = std::count_if(
      plan.ops.begin(), plan.ops.end(), [](const PlanOp& op) { return std::holds_alternative<AllocOp>(op); });
  if (static_cast<std::ptrdiff_t>(names.size()) != allocations) return {};
  // One variable that is given memory twice is two buffers, and they need two names.
  std::multiset<std::string> all(names.begin(), names.end());
  std::set<std::string> taken;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty())
      names[i] = "buffer " + std::to_string(i + 1);
    else if (all.count(names[i]) > 1)
      for (int turn = 1; !taken.insert(names[i]).second; ++turn)
        names[i] = names[i].substr(0, names[i].find(" (")) + " (" + std::to_string(turn + 1) + ")";
  return names;
}

std::string allocated_size(const SourceFile& source, const std::string& function,
                           const std::string& variable) {
  const std::string code = code_of(source.text);
  const auto body = body_of(code, function);
  if (!body) return {};
  std::string size;
  for (const AllocationCall& call : calls_in(*body)) {
    if (call.variable != variable) continue;
    if (!size.empty()) return {};
    size = call.size;
  }
  return size;
}

}  // namespace fusebox
