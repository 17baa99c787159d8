#include "grader/judge/again/kept_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "grader/judge/cases/mistakes.h"
#include "grader/judge/source/source_code.h"
#include "grader/judge/source/tokens.h"
#include "grader/report/text/demangle.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox {
namespace {

constexpr std::size_t kMaxTrials = 4;
constexpr std::uint64_t kMaxVariableBytes = 1 << 20;

int line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// The learner's text without one `static`, if it compiles and still has the function.
std::optional<std::pair<CompiledFile, std::size_t>> without_static(const Services& services,
                                                                   const CompiledFile& program,
                                                                   std::size_t function, std::size_t place) {
  SourceFile source = program.source;
  std::fill_n(source.text.begin() + static_cast<std::ptrdiff_t>(place), std::strlen("static"), ' ');
  auto compiled = services.compile(source);
  if (!compiled) return std::nullopt;
  auto* artifact = std::get_if<Artifact>(&compiled.value());
  if (!artifact) return std::nullopt;
  // Not by its symbol, which has a namespace if the file was compiled together with others.
  const auto& functions = artifact->functions;
  const auto found = std::find(functions.begin(), functions.end(), program.artifact.functions[function]);
  if (found == functions.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - functions.begin());
  auto other = program_of(source, std::move(*artifact));
  if (!other) return std::nullopt;
  return std::pair(std::move(other.value()), index);
}

std::string kept_by_static(const Services& services, const CompiledFile& program, std::size_t function,
                           const Entry& entry, CallsBefore before, const Problem& last) {
  const auto places = static_places(program.source.text);
  for (const std::size_t place : std::span(places).first(std::min(places.size(), kMaxTrials))) {
    const auto other = without_static(services, program, function, place);
    if (!other) continue;
    const auto calls = call_twice(services, other->first, other->second, entry, before, last);
    if (calls && *calls && (*calls)->is_right())
      return fmt::format(
          "`static` in line {} keeps what the first call put there; without that word the second is right",
          line_of(program.source.text, place));
  }
  return {};
}

/// A `__device__` variable that nobody sets back.
std::string kept_on_the_device(const Services& services, const CompiledFile& program, const Entry& entry,
                               const SecondCall& calls) {
  const auto module = ptx::parse(program.artifact.module.ptx);
  if (!module) return {};
  for (const ptx::Variable& variable : module->globals) {
    if (variable.bytes == 0 || variable.bytes > kMaxVariableBytes || !variable.references.empty()) continue;
    CopyOp reset{0, 0, variable.bytes, variable.name, std::vector<std::byte>(variable.bytes)};
    std::memcpy(reset.host_bytes.data(), variable.initial.data(),
                std::min<std::size_t>(variable.initial.size(), variable.bytes));
    LaunchPlan plan = calls.plan;
    plan.insert(plan.of_calls_before, std::move(reset));
    const auto result = carry_out(services, program, entry, calls, plan);
    if (!result || result->check.outcome != Outcome::passed) continue;
    const std::string name = as_if_alone(demangle(variable.name));
    return fmt::format("`{}` still holds what the first call left there; set back, the second is right",
                       name);
  }
  return {};
}

std::vector<std::uint64_t> allocations_of(std::span<const PlanOp> ops) {
  std::vector<std::uint64_t> bytes;
  for (const PlanOp& op : ops)
    if (const auto* allocation = std::get_if<AllocOp>(&op)) bytes.push_back(allocation->bytes);
  return bytes;
}

std::string shape(const Dim3& of) {
  if (of.y == 1 && of.z == 1) return fmt::format("{}", of.x);
  return of.z == 1 ? fmt::format("{} x {}", of.x, of.y) : fmt::format("{} x {} x {}", of.x, of.y, of.z);
}

/// The first argument of at most four bytes, so none that is an address, in which two launches differ.
std::optional<std::size_t> differing_argument(const LaunchOp& a, const LaunchOp& b,
                                              const std::vector<KernelParameters>& kernels) {
  for (const KernelParameters& kernel : kernels) {
    if (kernel.kernel != a.kernel) continue;
    for (std::size_t i = 0; i < kernel.slots.size(); ++i) {
      const auto& slot = kernel.slots[i];
      if (slot.bytes > 4 || slot.offset + slot.bytes > std::min(a.arguments.size(), b.arguments.size()))
        continue;
      if (std::memcmp(&a.arguments[slot.offset], &b.arguments[slot.offset], slot.bytes) != 0) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> static_places(std::string_view text) {
  const std::string code = code_of(text);
  std::vector<std::size_t> places;
  const std::vector<Token> tokens = tokens_of(code);
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    depth += tokens[i].is("{") - tokens[i].is("}");
    if (depth > 0 && tokens[i].is("static") && i + 1 < tokens.size() && !tokens[i + 1].is("constexpr"))
      places.push_back(tokens[i].begin);
  }
  return places;
}

std::string difference(const LaunchPlan& calls, const LaunchPlan& alone, const CompiledFile& program) {
  const auto last = std::span(calls.ops).subspan(calls.of_calls_before);
  const auto behind = launches_of(last);
  const auto own = launches_of(alone.ops);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string name = as_if_alone(kernel_name(own[i]->kernel));
    if (i >= behind.size() || behind[i]->kernel != own[i]->kernel)
      return fmt::format("it does not launch `{}`, which it launches when it is called first", name);
    if (behind[i]->grid != own[i]->grid)
      return fmt::format("it launches `{}` with a grid of {}, and of {} when it is called first", name,
                         shape(behind[i]->grid), shape(own[i]->grid));
    if (behind[i]->block != own[i]->block)
      return fmt::format("it launches `{}` with blocks of {}, and of {} when it is called first", name,
                         shape(behind[i]->block), shape(own[i]->block));
    if (const auto argument = differing_argument(*behind[i], *own[i], program.kernels)) {
      const auto names =
          parameters_of(code_of(program.source.text), std::string_view(name).substr(0, name.find('<')));
      return fmt::format("it gives `{}` another {} than when it is called first", name,
                         *argument < names.size() ? "`" + names[*argument] + "`" : "argument");
    }
  }
  if (allocations_of(last).size() < allocations_of(alone.ops).size())
    return "it does not allocate what it allocates when it is called first, for other sizes";
  return {};
}

std::string what_is_kept(const Services& services, const CompiledFile& program, std::size_t function,
                         const Entry& entry, CallsBefore before, const Problem& last,
                         const SecondCall& calls) {
  std::string kept;
  if (!calls.plan.ops.empty()) kept = kept_on_the_device(services, program, entry, calls);
  if (kept.empty()) kept = kept_by_static(services, program, function, entry, before, last);
  if (!kept.empty()) return kept;
  RecordRequest request = calls.call.request;
  request.calls_before.clear();
  const auto alone = services.record(request);
  const auto* recording = alone ? std::get_if<Recording>(&alone.value()) : nullptr;
  return recording && !calls.plan.ops.empty() ? difference(calls.plan, recording->plan, program)
                                              : std::string();
}

}  // namespace fusebox
