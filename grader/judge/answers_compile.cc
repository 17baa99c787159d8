#include "grader/judge/answers_compile.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <span>

#include "grader/judge/both_devices.h"
#include "grader/judge/mistakes.h"

namespace fusebox {
namespace {

constexpr std::size_t kTogether = 12;  // more share the headers' cost better, and lose more when one fails

struct Collected {
  std::mutex mutex;
  CompiledTexts texts;
  std::optional<Error> error;

  void add(const std::string& text, Artifact artifact) {
    const std::lock_guard lock(mutex);
    texts.emplace(text, std::move(artifact));
  }
  void fail(const Error& machine) {
    const std::lock_guard lock(mutex);
    if (!error) error = machine;
  }
};

void compile_some(const Services& services, std::span<const SourceFile> sources, Collected& into) {
  if (sources.empty()) return;
  const bool alone = sources.size() == 1;
  const auto compiled =
      services.compile(alone ? sources.front() : SourceFile{sources.front().path, in_one_file(sources)});
  if (!compiled) return into.fail(compiled.error());
  if (const auto* artifact = std::get_if<Artifact>(&compiled.value())) {
    for (std::size_t i = 0; i < sources.size(); ++i)
      into.add(sources[i].text, alone ? *artifact : part_of(*artifact, i));
  } else if (!alone) {
    const std::size_t half = sources.size() / 2;
    compile_some(services, sources.first(half), into);
    compile_some(services, sources.subspan(half), into);
  }
}

}  // namespace

Result<CompiledTexts> compile_answers(const Services& services, const std::vector<SourceFile>& sources) {
  std::vector<SourceFile> distinct;
  std::set<std::string> seen;
  for (const SourceFile& source : sources)
    if (seen.insert(source.text).second) distinct.push_back(source);
  // Line tables carry the name of the file: only those of one name are compiled together.
  std::stable_sort(distinct.begin(), distinct.end(),
                   [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  std::vector<std::span<const SourceFile>> parts;
  for (std::size_t begin = 0, end = 0; begin < distinct.size(); begin = end) {
    while (end < distinct.size() && end - begin < kTogether && distinct[end].path == distinct[begin].path)
      ++end;
    parts.push_back(std::span(distinct).subspan(begin, end - begin));
  }
  Collected all;
  on_both_devices(services, parts.size(),
                  [&](std::size_t i, const Services& own) { compile_some(own, parts[i], all); });
  if (all.error) return *all.error;
  return std::move(all.texts);
}

Services with_known(Services services, const CompiledTexts& texts) {
  const auto known = [&texts](const std::string& text) {
    const auto found = texts.find(text);
    return found == texts.end() ? nullptr : &found->second;
  };
  services.compile = [known, otherwise = services.compile](const SourceFile& source) {
    if (const Artifact* artifact = known(source.text)) return Result<CompileResult>(*artifact);
    return otherwise(source);
  };
  services.known = known;
  return services;
}

}  // namespace fusebox
