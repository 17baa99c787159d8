#include "viewer/model/selection.h"

#include <algorithm>
#include <map>

namespace fusebox::view {
namespace {

/// The worst access that a test holds for; they are sorted.
template <class Test>
std::size_t worst_where(const std::vector<StripAccess>& accesses, Test test) {
  const auto found = std::find_if(accesses.begin(), accesses.end(), test);
  return found == accesses.end() ? Selection::kNone : static_cast<std::size_t>(found - accesses.begin());
}

const SideRun* run_called(const Book& book, const std::string& name) {
  for (const Side& side : sides_of(book))
    if (side.name == name) return side.run;
  return nullptr;
}

/// The tensor on which a run moves most bytes beyond what the reference moves.
std::string dearest_tensor(const SideRun& run, const SideRun* reference, bool requested) {
  std::map<std::string, double> bytes;
  const auto add = [&](const SideRun& from, double sign) {
    for (const LaunchRecord& launch : from.launches)
      for (const TensorTraffic& t : launch.tensors)
        bytes[t.tensor] += sign * static_cast<double>(requested ? t.requested_read + t.requested_write
                                                                : t.compulsory_read + t.compulsory_write);
  };
  add(run, 1);
  if (reference) add(*reference, -1);
  const auto most = std::max_element(bytes.begin(), bytes.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == bytes.end() ? "" : most->first;
}

}  // namespace

bool Selection::empty() const {
  return tensor.empty() && kernel.empty() && launch == kNone && line == 0 && access == kNone &&
         budget.empty();
}

Selection select_access(const std::vector<StripAccess>& accesses, std::size_t access) {
  Selection chosen;
  if (access >= accesses.size()) return chosen;
  const StripAccess& a = accesses[access];
  chosen.run = a.run, chosen.tensor = a.tensor, chosen.kernel = a.kernel;
  chosen.label = a.label, chosen.line = a.line, chosen.launch = a.launch, chosen.access = access;
  return chosen;
}

Selection select_tensor(const std::vector<StripAccess>& accesses, const std::string& tensor,
                        const std::string& run) {
  Selection chosen = select_access(accesses, worst_where(accesses, [&](const StripAccess& a) {
                                     return a.tensor == tensor && (run.empty() || a.run == run);
                                   }));
  chosen.tensor = tensor;
  if (!run.empty()) chosen.run = run;
  return chosen;
}

Selection select_launch(const Book& book, const std::vector<StripAccess>& accesses, const std::string& run,
                        std::size_t launch) {
  const SideRun* side = run_called(book, run);
  if (!side || launch >= side->launches.size()) return {};
  const std::string& kernel = side->launches[launch].kernel;
  Selection chosen = select_access(accesses, worst_where(accesses, [&](const StripAccess& a) {
                                     return a.run == run && a.kernel == kernel;
                                   }));
  chosen.run = run, chosen.kernel = kernel, chosen.launch = launch;
  return chosen;
}

Selection select_line(const std::vector<StripAccess>& accesses, const std::string& label, int line) {
  Selection chosen = select_access(accesses, worst_where(accesses, [&](const StripAccess& a) {
                                     return (a.label == "you") == (label == "you") && a.line == line;
                                   }));
  chosen.label = label, chosen.line = line;
  return chosen;
}

BudgetLead lead_of_budget(const Book& book, const std::vector<StripAccess>& accesses,
                          const std::string& entry, const std::string& tag) {
  BudgetLead lead{"traffic", {}};
  const SideRun* run = student_of(book, entry);
  const SideRun* reference = reference_of(book, entry);
  if (!run) run = reference;
  std::string name;
  for (const Side& side : sides_of(book))
    if (side.run == run) name = side.name;
  if (tag == "sectors_over_ideal") {
    lead.tab = "warp";
    lead.selection = select_access(
        accesses, worst_where(accesses, [&](const StripAccess& a) { return a.run == name && !a.shared; }));
  } else if (tag == "launches" || tag == "intermediate_bytes") {
    lead.tab = "launches";
  } else if (tag == "registers") {
    lead.tab = "occupancy";
  } else if (run) {
    const std::string tensor =
        dearest_tensor(*run, run == reference ? nullptr : reference, tag == "bytes.requested");
    if (!tensor.empty()) lead.selection = select_tensor(accesses, tensor, name);
  }
  lead.selection.budget = tag;
  if (lead.selection.run.empty()) lead.selection.run = name;
  return lead;
}

std::string to_text(const Selection& selection) {
  std::string text;
  const auto add = [&](const std::string& word) {
    if (!word.empty()) text += (text.empty() ? "" : " · ") + word;
  };
  add(selection.tensor);
  if (selection.line > 0) add("line " + std::to_string(selection.line));
  add(selection.kernel);
  return text;
}

}  // namespace fusebox::view
