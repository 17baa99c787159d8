#include "grader/judge/cause/read_where_written.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "grader/judge/patterns/facts/names.h"
#include "grader/judge/repair/plan_places.h"
#include "grader/judge/source/source_code.h"
#include "grader/judge/source/tokens.h"
#include "grader/report/fault_key.h"

namespace fusebox {
namespace {

/// Whether the two lines of a race name different ones of these parameters.
bool are_apart(const SourceFile& source, const Fault& fault, const std::vector<std::string>& parameters) {
  const auto named_in = [&](int line) {
    const std::string code = code_of(source.line(line));
    std::set<std::string> names;
    for (const Token& token : tokens_of(code))
      for (const std::string& parameter : parameters)
        if (parameter == fmt::format("`{}`", token.text)) names.insert(parameter);
    return names;
  };
  const auto one = named_in(fault.line), other = named_in(fault.other_line);
  return one.size() == 1 && other.size() == 1 && one != other;
}

}  // namespace

std::string read_where_written(const Suspect& suspect, const Fault& fault, const CaseAnswer& answer) {
  if (!is_one_of(fault, {FaultKey::race_global}) || fault.between_stores || fault.buffer.empty() ||
      fault.line == fault.other_line || !suspect.student_program)
    return {};
  const auto recorded = suspect.record(*suspect.student_program, answer);
  if (!recorded || !recorded->recording()) return {};
  const LaunchPlan& plan = recorded->recording()->plan;
  const Regions regions = regions_of(plan, recorded->call);
  const std::vector<std::string> names = region_names(suspect, plan, recorded->call);
  const std::string code = code_of(suspect.student.text);
  for (const std::size_t at : launches_in(plan)) {
    const auto& launch = std::get<LaunchOp>(plan.ops[at]);
    const std::string kernel = shown_name(launch.kernel);
    if (!fault.kernel.ends_with(kernel)) continue;
    const Arguments arguments = arguments_of(suspect, code, launch.kernel);
    std::map<std::size_t, std::vector<std::string>> given;  // by region
    for (std::size_t i = 0; i < arguments.slots.size(); ++i) {
      if (arguments.slots[i].bytes != sizeof(DeviceAddress)) continue;
      if (const auto region = region_with(regions, value_of(launch, arguments.slots[i])))
        given[*region].push_back(arguments.name(i));
    }
    for (const auto& [region, who] : given)
      if (who.size() > 1 && names[region] == fmt::format("`{}`", fault.buffer) &&
          are_apart(suspect.student, fault, who))
        return fmt::format(
            "`{}` is given {} for {}: what some threads store there others have still to load, and nothing lets them wait. Let the result lie elsewhere.",
            kernel.substr(0, kernel.find('<')), names[region], patterns::listed(who));
  }
  return {};
}

}  // namespace fusebox
