#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/model/book/book.h"
#include "viewer/model/panels/strip.h"

namespace fusebox::view {

/// What is chosen, in all panels at once: whatever is pointed at in one is marked in the others. Parts that
/// are empty (0, npos) are not chosen.
struct Selection {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::string run;     ///< "fused · you", as Side::name
  std::string tensor;  ///< of global memory
  std::string kernel;
  std::size_t launch = kNone;  ///< of the run
  std::string label;           ///< of `line`: "you" or another side's
  int line = 0;
  std::size_t access = kNone;  ///< of accesses_of()
  std::string budget;          ///< its tag
  bool empty() const;
  bool operator==(const Selection&) const = default;
};

Selection select_access(const std::vector<StripAccess>& accesses, std::size_t access);
/// The rest is filled in from the worst access that fits; without one only what is given is chosen.
Selection select_tensor(const std::vector<StripAccess>& accesses, const std::string& tensor,
                        const std::string& run = "");
Selection select_launch(const Book& book, const std::vector<StripAccess>& accesses, const std::string& run,
                        std::size_t launch);
Selection select_line(const std::vector<StripAccess>& accesses, const std::string& label, int line);

/// Where a click on a budget leads: the panel that shows what it counts, and what there costs most.
struct BudgetLead {
  std::string tab;
  Selection selection;
};
BudgetLead lead_of_budget(const Book& book, const std::vector<StripAccess>& accesses,
                          const std::string& entry, const std::string& tag);

/// "x · line 49 · layernorm_kernel": what is chosen, in a few words.
std::string to_text(const Selection& selection);

}  // namespace fusebox::view
