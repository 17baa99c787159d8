#include "grader/judge/workshop/answers_compile.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/mistakes.h"
#include "grader/judge/source/host_code.h"

namespace fusebox {
namespace {

constexpr std::size_t kTogether = 12;  // more share the headers' cost better, and lose more when one fails

/// How some are compiled together.
enum class How { whole, module, device_code };

struct Part {
  std::vector<SourceFile> sources;
  How how = How::whole;
};

/// Those of `sources` that are not in `seen`, in parts.
void add_parts(std::vector<SourceFile> sources, How how, std::set<std::string>& seen,
               std::vector<Part>& parts) {
  // Line tables carry the name of the file: only those of one name are compiled together.
  std::stable_sort(sources.begin(), sources.end(),
                   [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  Part part{{}, how};
  const auto end_part = [&] {
    if (!part.sources.empty()) parts.push_back(std::exchange(part, {{}, how}));
  };
  for (SourceFile& source : sources) {
    if (!seen.insert(source.text).second) continue;
    if (part.sources.size() == kTogether ||
        (!part.sources.empty() && part.sources.front().path != source.path))
      end_part();
    part.sources.push_back(std::move(source));
  }
  end_part();
}

}  // namespace

Result<CompiledTexts> compile_answers(const Services& services, const std::vector<SourceFile>& answers,
                                      const SourceFile& reference, const std::vector<SourceFile>& trials) {
  std::vector<SourceFile> whole, modules, device_code;
  const std::string host = host_code_of(reference.text);
  const auto is_like_reference = [&](const SourceFile& source) { return host_code_of(source.text) == host; };
  for (const SourceFile& answer : answers) (is_like_reference(answer) ? modules : whole).push_back(answer);
  for (const SourceFile& trial : trials) (is_like_reference(trial) ? device_code : whole).push_back(trial);
  std::set<std::string> seen;
  std::vector<Part> parts;
  add_parts(std::move(whole), How::whole, seen, parts);
  add_parts(std::move(modules), How::module, seen, parts);
  add_parts(std::move(device_code), How::device_code, seen, parts);
  CompiledTexts texts;
  std::optional<Error> error;
  std::mutex mutex;
  on_both_devices(services, parts.size(), [&](std::size_t i, const Services& own) {
    const auto& [sources, how] = parts[i];
    auto compiled = how == How::whole ? compile_each(own, sources)
                                      : compile_each_like(how == How::module ? with_resources(own) : own,
                                                          reference, sources);
    const std::lock_guard lock(mutex);
    if (!compiled) {
      if (!error) error = compiled.error();
      return;
    }
    for (std::size_t k = 0; k < sources.size(); ++k)
      if ((*compiled)[k]) texts.emplace(sources[k].text, std::move(*(*compiled)[k]));
  });
  if (error) return *error;
  return texts;
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
