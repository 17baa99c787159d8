#include "grader/judge/cases/other_device_code.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "grader/judge/cases/mistakes.h"
#include "grader/judge/cases/ptx_pieces.h"

namespace fusebox {
namespace {

/// The namespace that an artifact is part of; none: it was compiled alone.
std::optional<std::size_t> namespace_of(const Artifact& artifact) {
  for (const std::string& function : artifact.mangled) {
    const auto at = function.find(kMistakeNamespace);
    std::size_t index = 0;
    if (at == function.npos) continue;
    const char* digits = function.data() + at + kMistakeNamespace.size();
    if (std::from_chars(digits, digits + kMistakeDigits, index).ec == std::errc()) return index;
  }
  return std::nullopt;
}

/// How nvcc's namespaces begin for what is `static`, and for what stands in one without a name. Both are
/// named after the text, "_INTERNAL_11efa4e9_7_text_cu_1a3a1ec4", and their length stands in front of them.
constexpr std::string_view kOfTheText[] = {"_INTERNAL_", "_GLOBAL__N__"};

/// Does it end in the eight digits that such a name has at its end?
bool ends_in_hash(std::string_view name) {
  constexpr std::size_t kHash = 8;
  if (name.size() <= kHash || name[name.size() - kHash - 1] != '_') return false;
  const std::string_view hash = name.substr(name.size() - kHash);
  return std::all_of(hash.begin(), hash.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// The name that begins so; empty: there is none.
std::string_view namespace_in(std::string_view ptx, std::string_view begins) {
  const auto at = ptx.find(begins);
  if (at == ptx.npos) return {};
  // The name in front may end in digits too: "_ZN19fusebox_mistake_00740_GLOBAL__N__...".
  for (std::size_t digits = at; digits > 0 && std::isdigit(static_cast<unsigned char>(ptx[digits - 1]));) {
    std::size_t length = 0;
    std::from_chars(ptx.data() + --digits, ptx.data() + at, length);
    if (at + length <= ptx.size() && ends_in_hash(ptx.substr(at, length))) return ptx.substr(at, length);
  }
  return {};
}

}  // namespace

std::string with_static_names_of(const std::string& other, std::string ptx) {
  for (const std::string_view begins : kOfTheText) {
    const std::string_view theirs = namespace_in(other, begins);
    const std::string mine(namespace_in(ptx, begins));
    if (mine.empty() || mine.size() != theirs.size()) continue;
    for (std::size_t at = 0; (at = ptx.find(mine, at)) != ptx.npos; at += mine.size())
      ptx.replace(at, mine.size(), theirs);
  }
  return ptx;
}

Result<ProgramResult> with_device_code(const Services& services, const CompiledFile& program,
                                       const SourceFile& source) {
  const auto within = namespace_of(program.artifact);
  const SourceFile text =
      within ? SourceFile{source.path, in_one_file(std::span(&source, 1), *within)} : source;
  auto compiled = services.compile_device_code ? services.compile_device_code(text) : services.compile(text);
  if (!compiled) return compiled.error();
  if (auto* failure = std::get_if<CompileFailure>(&compiled.value()))
    return ProgramResult(std::move(*failure));
  Artifact artifact = program.artifact;
  artifact.module.ptx =
      with_static_names_of(artifact.module.ptx, std::move(std::get<Artifact>(*compiled).module.ptx));
  artifact.module.cubin.clear();
  auto made = program_of(source, std::move(artifact));
  if (!made) return made.error();
  return ProgramResult(std::move(*made));
}

}  // namespace fusebox
