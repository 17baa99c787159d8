#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/judge/suspect/suspect.h"
#include "grader/toolchain/blanks.h"

/// One change at a time in what the learner's host function launches: where every case comes out right with
/// it, that is what was wrong, or does as well. It is proven by being carried out.
namespace fusebox {

struct PlanEdit {
  /// Changes the plan of a case; false: there is nothing to change in it.
  std::function<bool(LaunchPlan&, const Call&)> change;
  /// What to have in place of what: "a block of (32, 8) in place of (8, 32) at launch 2, `k`". `before` is
  /// the plan of the case that tells most.
  std::function<std::string(const LaunchPlan& before)> with;
  bool does_more = false;  ///< than others, or is less likely: those come first
  bool replaces = false;   ///< one argument by another: may mend by accident what a kernel does
  bool chooses = false;    ///< another kernel, in the cases in which the host function chooses one
  bool resizes = false;    ///< more or fewer blocks or threads: may hide what is wrong in a kernel
  /// Of several changes of a family the first that mends all is meant.
  enum class Family {
    none,
    fuller_block,
    more_blocks,
    larger_blocks,
    smaller_blocks,
    more_shared,
    another_kernel
  } family = Family::none;
};

/// A change with which every case is right.
struct Repair {
  std::string with;
  std::size_t cases = 0;
  bool replaces = false;
  int line = 0;          ///< of the learner's text, where the change is one in it
  bool drops = false;    ///< it takes something away, in whose place something else may belong
  bool dear = false;     ///< with it a budget is broken that was kept: it may only go around what is wrong
  bool chooses = false;  ///< see PlanEdit
  bool resizes = false;  ///< see PlanEdit
  /// A change in the text that mends it as well is nearer to what is wrong.
  bool may_go_around() const { return chooses || resizes; }
};
/// Whether it has a launch in it.
bool launches_kernels(const Blank& blank);
/// Drops what may mend by accident, where the trials say that a blank without a launch in it is wrong by
/// itself, or the kernel's launches are written as in the reference: then they are not what was wrong.
void drop_accidents(const std::string& student, const std::string& reference,
                    const std::vector<BlankTrial>& trials, std::vector<Repair>& repairs);
/// "With a grid of (4, 8) in place of (8, 4) at launch 2, `k`, every answer is right." Of two: either. What
/// only takes something away is not said to be all that is to be done.
std::string sentence_of(const std::vector<Repair>& repairs);
std::string evidence_of(const std::vector<Repair>& repairs);

/// Beyond so many launches, or copies and memsets, they are left alone: a loop is wrong in all of them.
inline constexpr std::size_t kMaxChangedOps = 8;
/// Grids, blocks and arguments of single launches, the order of two, and what edits_of_memory() has. `plan`
/// and `call` are those of the case that tells most.
std::vector<PlanEdit> edits_of_plan(const Suspect& suspect, const LaunchPlan& plan, const Call& call);
/// How many bytes a memset or a copy has, which buffer a memset is of, and where in its tensor an argument
/// points.
std::vector<PlanEdit> edits_of_memory(const Suspect& suspect, const LaunchPlan& plan, const Call& call);

/// Warp instructions of a case without a change, and of its longest launch.
std::uint64_t work_of(const CaseAnswer& answer);
std::uint64_t longest_launch_of(const CaseAnswer& answer);
/// The cases as they are tried: what failed first, and of that what takes little and is not right by
/// accident.
std::vector<const CaseAnswer*> in_order_of_trial(const Suspect& suspect);

/// How many cases an edit is tried on, wrong ones first, and what all edits together may cost on the first,
/// in warp instructions: no clock decides it.
struct TrialLimits {
  static constexpr std::uint64_t kAny = ~std::uint64_t{0};
  std::size_t cases = ~std::size_t{0};
  std::uint64_t work = kAny;
  std::uint64_t longest = 0;             ///< launch of the first case without a change; 0: not known
  std::size_t enough = ~std::size_t{0};  ///< no more are tried once so many are found
};
/// Which of `edits` make those cases right, tried on the first device in their order, as far as the work
/// goes.
std::vector<std::size_t> edits_that_mend(const Suspect& suspect, const std::vector<PlanEdit>& edits,
                                         const TrialLimits& limits = {});
/// Whether changes can be tried at all.
bool can_be_repaired(const Suspect& suspect);

/// Those changes that make every case right. Nothing where more than two do: then none of them is what was
/// meant.
std::vector<Repair> find_repairs(const Suspect& suspect);

}  // namespace fusebox
