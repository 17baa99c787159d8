#include "grader/judge/cases/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_include(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == line.npos || line[first] != '#') return false;
  const auto word = line.find_first_not_of(" \t", first + 1);
  return word != line.npos && line.substr(word).starts_with("include");
}

/// The name that a line defines for the preprocessor; empty: none.
std::string_view defined_by(std::string_view line) {
  const auto skip = [&](std::size_t at) { return std::min(line.find_first_not_of(" \t", at), line.size()); };
  std::size_t at = skip(0);
  if (at == line.size() || line[at] != '#') return {};
  at = skip(at + 1);
  if (!line.substr(at).starts_with("define")) return {};
  at = skip(at + 6);
  return line.substr(at, line.find_first_of(" \t\r\n(", at) - at);
}

template <class Use>
void for_each_line(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    use(text.substr(at, end - at));
    at = end;
  }
}

void remove_all(std::string& text, const std::string& what) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos;) text.erase(at, what.size());
}

}  // namespace

Result<SourceFile> with_mistake(const SourceFile& reference, const Mutant& mutant) {
  const auto blanks = find_blanks(reference.text);
  if (!blanks) return blanks.error();
  const auto blank =
      std::find_if(blanks->begin(), blanks->end(), [&](const Blank& b) { return b.name == mutant.blank; });
  if (blank == blanks->end())
    return Error{
        ErrorKind::missing_part,
        fmt::format("`{}` changes blank `{}`, which the solution does not have", mutant.name, mutant.blank),
        "name one of the solution's blanks"};
  const auto body = mutated(mutant, blank->body);
  if (!body) return body.error();
  const auto text = graft_blank(reference.text, mutant.blank, *body);
  if (!text) return text.error();
  return SourceFile{reference.path, *text};
}

std::string namespace_name(std::size_t index) {
  return fmt::format("{}{:0{}}", kMistakeNamespace, index, kMistakeDigits);
}

std::string as_if_alone(std::string text) {
  for (std::size_t at = 0; (at = text.find(kMistakeNamespace, at)) != text.npos;) {
    const std::size_t end = at + kMistakeNamespace.size() + kMistakeDigits;
    if (text.compare(end, 2, "::") == 0)
      text.erase(at, end + 2 - at);
    else
      at = end;
  }
  return text;
}

std::string in_one_file(std::span<const SourceFile> sources, std::size_t first) {
  std::string includes, all;
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    all += fmt::format("namespace {} {{\n#line 1\n", namespace_name(first + i));
    std::string_view text = sources[i].text;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::string forget;  // macros know no namespace
    for_each_line(text, [&](std::string_view line) {
      if (!is_include(line)) {
        all += line;
        if (const auto name = defined_by(line); !name.empty()) forget += fmt::format("#undef {}\n", name);
        return;
      }
      all += '\n';
      if (std::find(seen.begin(), seen.end(), line) != seen.end()) return;
      seen.push_back(line);
      includes += line;
    });
    all += fmt::format("\n}}  // namespace {}\n{}", namespace_name(first + i), forget);
  }
  return includes + all;
}

Artifact part_of(const Artifact& whole, const std::vector<PtxPiece>& pieces, std::size_t index) {
  const std::string mine = namespace_name(index), prefix = mine + "::";
  Artifact part = whole;
  part.functions.clear(), part.mangled.clear();
  part.warnings.clear();  // they do not say whose they are
  for (std::size_t i = 0; i < whole.functions.size(); ++i) {
    if (whole.mangled[i].find(mine) == std::string::npos) continue;
    part.functions.push_back(whole.functions[i]);
    remove_all(part.functions.back(), prefix);
    part.mangled.push_back(whole.mangled[i]);
  }
  std::erase_if(part.module.resources, [&](const KernelResources& kernel) {
    return kernel.kernel.find(kMistakeNamespace) != kernel.kernel.npos &&
           kernel.kernel.find(mine) == kernel.kernel.npos;
  });
  part.module.ptx = ptx_of(pieces, static_cast<int>(index));
  return part;
}

Result<std::vector<std::optional<Artifact>>> compile_each(const Services& services,
                                                          std::span<const SourceFile> sources) {
  std::vector<std::optional<Artifact>> artifacts(sources.size());
  if (sources.empty()) return artifacts;
  const bool alone = sources.size() == 1;
  auto compiled =
      services.compile(alone ? sources.front() : SourceFile{sources.front().path, in_one_file(sources)});
  if (!compiled) return compiled.error();
  if (auto* whole = std::get_if<Artifact>(&compiled.value())) {
    const auto pieces = ptx_pieces(alone ? std::string_view() : whole->module.ptx);
    for (std::size_t i = 0; i < sources.size(); ++i)
      artifacts[i] = alone ? std::move(*whole) : part_of(*whole, pieces, i);
    return artifacts;
  }
  if (alone) return artifacts;
  const std::size_t half = sources.size() / 2;
  for (const std::size_t begin : {std::size_t{0}, half}) {
    auto part = compile_each(services, sources.subspan(begin, begin == 0 ? half : sources.size() - half));
    if (!part) return part.error();
    std::move(part->begin(), part->end(), artifacts.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return artifacts;
}

Result<CompiledFile> program_of(const SourceFile& source, Artifact artifact) {
  const ModuleImage& image = artifact.module;
  auto kernels = kernel_parameters({without_bodies(image.ptx), {}, image.resources});
  if (!kernels) return kernels.error();
  return CompiledFile{source, std::move(artifact), std::move(kernels.value())};
}

Result<std::vector<std::optional<CompiledFile>>> compile_together(const Services& services,
                                                                  std::span<const SourceFile> sources) {
  std::vector<std::optional<Artifact>> artifacts(sources.size());
  std::vector<SourceFile> fresh;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Artifact* known = services.known ? services.known(sources[i].text) : nullptr;
    if (known)
      artifacts[i] = *known;
    else
      fresh.push_back(sources[i]), places.push_back(i);
  }
  auto made = compile_each(services, fresh);
  if (!made) return made.error();
  for (std::size_t i = 0; i < fresh.size(); ++i) artifacts[places[i]] = std::move((*made)[i]);
  std::vector<std::optional<CompiledFile>> programs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto program =
        artifacts[i] ? program_of(sources[i], std::move(*artifacts[i])) : Result<CompiledFile>(Error{});
    programs.push_back(program ? std::optional(std::move(*program)) : std::nullopt);
  }
  return programs;
}

Result<std::vector<MistakeProgram>> compile_mistakes(const Services& services, const SourceFile& reference,
                                                     std::span<const Mutant> mutants,
                                                     const std::string& blank) {
  std::vector<const Mutant*> chosen;
  std::vector<SourceFile> sources;
  for (const Mutant& mutant : mutants) {
    if (mutant.blank != blank) continue;
    auto source = with_mistake(reference, mutant);
    if (!source) return source.error();
    chosen.push_back(&mutant);
    sources.push_back(std::move(*source));
  }
  std::vector<MistakeProgram> made;
  if (sources.empty()) return made;
  auto programs = compile_together(services, sources);
  if (!programs) return programs.error();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!(*programs)[i])
      return Error{ErrorKind::missing_part,
                   fmt::format("the known mistake `{}` does not compile", chosen[i]->name),
                   "mend it in the puzzle's mutants.md"};
    made.push_back({chosen[i], std::move(*(*programs)[i])});
  }
  return made;
}

}  // namespace fusebox
