#include "grader/simulator/observe/modelled/load_depths.h"

#include <algorithm>
#include <map>
#include <string>

#include "grader/simulator/ptx/branches/open_runs.h"
#include "grader/simulator/ptx/branches/ways.h"

namespace fusebox::sim {
namespace {

constexpr std::uint8_t kDeepest = kBehindStores - 1;

bool waits_for_memory(const ptx::Instruction& i) {
  return ptx::traits_of(i.opcode).waits == ptx::Waits::memory && !i.has("param") && !i.has("const");
}

bool ends_run(const ptx::Instruction& i) { return ptx::traits_of(i.opcode).run == ptx::StraightRun::ends; }

/// The assembler makes a branch of it, to a routine for subnormal numbers and the like: what is loaded behind
/// it is asked for when all is known that stands before it, and no sooner.
bool branches_by_itself(const ptx::Instruction& i) {
  using ptx::Opcode;
  const bool rounded = i.has("rn") || i.has("rz") || i.has("rm") || i.has("rp");
  return rounded && (i.opcode == Opcode::div || i.opcode == Opcode::rcp || i.opcode == Opcode::sqrt);
}

/// Stores to global memory of a run so far. The assembler moves no load in front of one, unless it knows that
/// the two places differ: because nobody writes what is loaded (.nc), or both are offsets to one register.
class EarlierStores {
 public:
  void add(const ptx::Operand& place, std::uint8_t depth) {
    if (depth > 0) stores_.push_back({place.name, place.integer, depth});
  }
  /// What was an offset to this register's old value is now one to nothing that is known.
  void register_changed(const std::string& name) {
    for (Store& store : stores_)
      if (store.base == name) store.base.clear();
  }
  std::uint8_t before(const ptx::Operand& place) const {
    std::uint8_t depth = 0;
    for (const Store& store : stores_)
      if (store.base.empty() || store.base != place.name || store.offset == place.integer)
        depth = std::max(depth, store.depth);
    return depth;
  }

 private:
  struct Store {
    std::string base;
    std::int64_t offset;
    std::uint8_t depth;  ///< loads that have to come back before its value is known
  };
  std::vector<Store> stores_;
};

bool is_store(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::st && !i.has("shared") && !i.has("local") && !i.has("param") &&
         !i.operands.empty();
}

bool stays_behind_stores(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::ld && !i.has("nc") && !i.has("shared") && !i.has("local") &&
         !i.has("param") && !i.has("const") && i.operands.size() > 1;
}

/// What is known of a straight run so far.
class StraightRun {
 public:
  /// The mark of its next instruction, as load_depths() gives it.
  std::uint8_t follow(const ptx::Instruction& i) {
    const ptx::OpcodeTraits& traits = ptx::traits_of(i.opcode);
    const bool writes = ptx::writes_first_operand(i);
    std::uint8_t needs = 0;
    const auto read = [&](const std::string& name) {
      if (const auto known = of_register_.find(name); known != of_register_.end())
        needs = std::max(needs, known->second);
    };
    read(i.guard);
    for (std::size_t o = writes ? 1 : 0; o < i.operands.size(); ++o) for_each_name(i.operands[o], read);
    if (stays_behind_stores(i)) needs = std::max(needs, stores_.before(i.operands[1]));
    used_ = std::max(used_, needs);
    if (branches_by_itself(i)) branched_ = used_;
    if (waits_for_memory(i)) needs = std::max(needs, branched_);
    if (is_store(i)) stores_.add(i.operands[0], needs);
    if (writes) {
      const auto known = static_cast<std::uint8_t>(std::min<int>(needs + waits_for_memory(i), kDeepest));
      for_each_name(i.operands[0], [&](const std::string& name) {
        of_register_[name] = known;
        stores_.register_changed(name);
      });
    }
    return static_cast<std::uint8_t>(needs | (traits.waits == ptx::Waits::later ? kAsynchronous : 0) |
                                     (stays_behind_stores(i) ? kBehindStores : 0));
  }

 private:
  std::map<std::string, std::uint8_t, std::less<>>
      of_register_;  ///< loads that have to come back before it is known
  EarlierStores stores_;
  std::uint8_t used_ = 0;      ///< loads that have to come back before all so far is worked out
  std::uint8_t branched_ = 0;  ///< the same of the last hidden branch: what stands before it stays there
};

}  // namespace

std::vector<std::uint8_t> load_depths(const ptx::Function& function) {
  const ptx::ShortBranches short_ones = ptx::short_branches(function);
  const ptx::OpenRuns open = ptx::open_runs(function, short_ones);
  const ptx::Ways ways(function);
  std::vector<std::uint8_t> depths(function.instructions.size());
  StraightRun run;
  std::map<std::uint32_t, StraightRun> arriving;  // by instruction: runs that go on there
  for (std::uint32_t k = 0; k < function.instructions.size(); ++k) {
    const ptx::Instruction& i = function.instructions[k];
    if (ways.labelled[k] && !short_ones.join[k]) run = std::move(arriving[k]);
    depths[k] = run.follow(i);
    if (open.target[k]) arriving[*ways.target_of(i)] = run;
    if (ends_run(i) && !short_ones.branch[k] && !open.next[k]) run = {};
  }
  return depths;
}

}  // namespace fusebox::sim
