#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "grader/simulator/observe/traffic/assembled.h"
#include "grader/simulator/observe/traffic/channels.h"
#include "grader/simulator/observe/traffic/flops.h"
#include "grader/simulator/observe/traffic/instruction_cost.h"
#include "grader/simulator/observe/traffic/tensor_cost.h"
#include "grader/simulator/observe/traffic/traffic.h"
#include "grader/simulator/ptx/module.h"

// What was counted, as a launch's record has it: in total, per buffer and per source line.

namespace fusebox::sim {

class Traffic::RecordWriter {
 public:
  RecordWriter(const Traffic& traffic, LaunchRecord& record)
      : traffic_(traffic), record_(record), counters_(record.counters) {
    counters_ = {};
    record_.issue_slots = 0;
    record_.unit_cycles = {};
    record_.data_stage_cycles = record_.tensor_cycles = 0;
    record_.tensors.clear();
    record_.lines.clear();
  }

  /// What one instruction accessed.
  void add(const Site& site) {
    add_to_counters(site);
    LineTraffic& line = line_of(site.function, site.instruction);
    if (channels::is_global(site.channel)) {
      line.requests += site.requests;
      line.sectors += site.sectors;
      line.ideal_sectors += site.ideal_sectors;
      line.lanes += site.lanes;
    }
    line.bank_conflicts += site.wavefronts - site.ideal_wavefronts;
  }

  /// How often each instruction was issued.
  void add(const Code& executed) {
    add_shared_instructions(executed);
    for (std::uint32_t i = 0; i < executed.function->instructions.size(); ++i) {
      const Issues& issues = executed.issues[i];
      if (issues.warps == 0) continue;
      const ptx::Instruction& instruction = executed.function->instructions[i];
      counters_.warp_instructions += issues.warps;
      const bool again = assembled_of(executed.function).divides_again[i];
      const auto joined = executed.joined->find(i);
      if (joined == executed.joined->end() || joined->second.bytes > 0)
        record_.issue_slots += static_cast<double>(issues.warps) * issue_slots(instruction, again);
      record_.unit_cycles.add(static_cast<double>(issues.warps), unit_cycles(instruction, again));
      counters_.lane_instructions += issues.lanes;
      if (instruction.opcode == ptx::Opcode::shfl) record_.data_stage_cycles += issues.warps;
      if (is_special_function(instruction)) counters_.special_functions += issues.lanes;
      const std::uint64_t flops = issues.lanes * flops_per_lane(instruction);
      counters_.flops += flops;
      if (is_matrix_product(instruction)) {
        counters_.matrix_flops += flops;
        add_product(instruction, issues.warps);
      }
      LineTraffic& line = line_of(executed.function, i);
      line.warp_instructions += issues.warps;
      line.lane_instructions += issues.lanes;
    }
  }

  /// What was read and written of one buffer.
  void add(const NamedRange& range, const Ledger& ledger) {
    TensorTraffic tensor;
    tensor.tensor = range.name;
    tensor.buffer_bytes = range.bytes;
    tensor.requested_read = kSectorBytes * ledger.requested_read;
    tensor.requested_write = kSectorBytes * ledger.requested_write;
    tensor.compulsory_read = kSectorBytes * ledger.read.count();
    tensor.compulsory_write = kSectorBytes * ledger.written.count();
    counters_.compulsory_read_bytes += tensor.compulsory_read;
    counters_.compulsory_write_bytes += tensor.compulsory_write;
    if (tensor.requested_read || tensor.requested_write) record_.tensors.push_back(std::move(tensor));
  }

  /// After all that was added.
  void put_lines() {
    record_.lines.reserve(lines_.size());
    for (auto& [where, line] : lines_) record_.lines.push_back(std::move(line));
  }

 private:
  void add_product(const ptx::Instruction& instruction, std::uint64_t warps) {
    const TensorCost cost = tensor_cost(instruction);
    const std::uint64_t times = instruction.opcode == ptx::Opcode::wgmma ? warps / 4 : warps;
    record_.tensor_cycles += static_cast<double>(times) * cost.tensor_cycles;
    record_.data_stage_cycles += times * cost.shared_cycles;
  }

  /// One instruction takes a turn for each lane of its busiest address, and one for all of them where they
  /// count and no old value comes back (bench/pipes/shared_atomics.cu). Loops are no concern of L1's alone.
  void add_shared_turns(const Site& site) {
    if (is_shared_loop(site.function->instructions[site.instruction])) return;
    record_.data_stage_cycles +=
        assembled_of(site.function).counts[site.instruction] ? site.requests : site.data_stage_cycles;
  }

  void add_to_counters(const Site& site) {
    counters_.waiting_sectors += site.outside;
    switch (site.channel) {
      case channels::kGlobalLoad:
        record_.data_stage_cycles += site.data_stage_cycles;
        return add_global(counters_.global_load, site);
      case channels::kGlobalStore:
        return add_global(counters_.global_store, site);
      case channels::kGlobalAtomic:
        counters_.waiting_atomics += site.outside_requests;
        add_atomic_requests(site);
        return add_atomic(counters_.global_atomic, site);
      case channels::kSharedLoad:
        return add_shared(counters_.shared_load, site);
      case channels::kSharedStore:
        return add_shared(counters_.shared_store, site);
      case channels::kSharedAtomic:
        add_shared_turns(site);
        return add_atomic(counters_.shared_atomic, site);
      case channels::kBulkLoad:
        counters_.bulk.load_sectors += site.sectors;
        return;
      case channels::kBulkStore:
        counters_.bulk.store_sectors += site.sectors;
        return;
      case channels::kBulkReduce:
        counters_.bulk.reduce_sectors += site.sectors;
        return;
      case channels::kLocalLoad:
        record_.data_stage_cycles += site.data_stage_cycles;
        counters_.local_load_requests += site.requests;
        return;
      default:
        record_.data_stage_cycles += site.data_stage_cycles;
        counters_.local_store_requests += site.requests;
    }
  }

  const Assembled& assembled_of(const ptx::Function* function) {
    const auto [at, fresh] = assembled_.try_emplace(function);
    if (fresh) at->second = assembled(*function);
    return at->second;
  }

  /// Of both kinds, as often as the assembler's instructions are issued.
  void add_shared_instructions(const Code& executed) {
    const ptx::Function& function = *executed.function;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const ptx::Instruction& instruction = function.instructions[i];
      const bool loads = instruction.opcode == ptx::Opcode::ld;
      if (!loads && instruction.opcode != ptx::Opcode::st) continue;
      if (!instruction.has("shared") && !instruction.has("shared::cta")) continue;
      const auto joined = executed.joined->find(i);
      if (joined != executed.joined->end() && joined->second.bytes == 0) continue;
      (loads ? counters_.shared_load_instructions : counters_.shared_store_instructions) +=
          executed.issues[assembled_of(&function).issued_with[i]].warps;
    }
  }

  /// As hardware has them: of a sum that one lane carries out for all a request is one sector.
  void add_atomic_requests(const Site& site) {
    const Assembled& assembled = assembled_of(site.function);
    RequestTraffic& traffic =
        assembled.reduces[site.instruction] ? counters_.global_red : counters_.global_atom;
    traffic.requests += site.requests;
    traffic.sectors += assembled.by_one_lane[site.instruction] ? site.requests : site.sectors;
  }

  static void add_global(GlobalTraffic& traffic, const Site& site) {
    traffic.requests += site.requests;
    traffic.sectors += site.sectors;
    traffic.lines += site.lines;
    traffic.useful_bytes += site.useful_bytes;
    traffic.ideal_sectors += site.ideal_sectors;
    traffic.lanes += site.lanes;
  }

  static void add_atomic(AtomicTraffic& traffic, const Site& site) {
    traffic.requests += site.requests;
    traffic.sectors += site.sectors;
    traffic.lanes += site.lanes;
    traffic.max_lanes_on_one_address =
        std::max(traffic.max_lanes_on_one_address, site.max_lanes_on_one_address);
  }

  void add_shared(SharedTraffic& traffic, const Site& site) {
    traffic.requests += site.requests;
    traffic.wavefronts += site.wavefronts;
    traffic.ideal_wavefronts += site.ideal_wavefronts;
    record_.data_stage_cycles += site.data_stage_cycles;
    traffic.lanes += site.lanes;
  }

  LineTraffic& line_of(const ptx::Function* function, std::uint32_t instruction) {
    const bool written = instruction < function->instructions.size();
    const ptx::Location location = written ? function->instructions[instruction].location : ptx::Location{};
    const bool known = location.line > 0 && location.file < traffic_.module_.files.size();
    const std::string_view file =
        known ? std::string_view(traffic_.module_.files[location.file]) : std::string_view();
    LineTraffic& line = lines_[{file, known ? location.line : 0}];
    line.file = file;
    line.line = known ? location.line : 0;
    return line;
  }

  const Traffic& traffic_;
  LaunchRecord& record_;
  Counters& counters_;
  std::map<std::pair<std::string_view, int>, LineTraffic> lines_;  ///< by file and line
  std::map<const ptx::Function*, Assembled> assembled_;
};

void Traffic::fill(LaunchRecord& record) const {
  RecordWriter writer(*this, record);
  for (const Site& site : sites_) writer.add(site);
  for (const Code& executed : code_) writer.add(executed);
  for (std::size_t i = 0; i < ranges_.size(); ++i) writer.add(ranges_[i], ledgers_[i]);
  record.counters.branches = branches_;
  record.counters.divergent_branches = divergent_branches_;
  record.counters.barriers = barriers_;
  const auto slow_doubles = static_cast<double>(slow_double_divisions_);
  record.issue_slots +=
      kSlowDivisionSlots * static_cast<double>(slow_divisions_) + kSlowDoubleSlots * slow_doubles;
  record.unit_cycles.fp64 += kSlowDoubleFp64Cycles * slow_doubles;
  record.unit_cycles.constants = kConstantCycles * static_cast<double>(constant_places_);
  record.unit_cycles.waits += kConstantWait * static_cast<double>(constant_places_ - divergent_constants_);
  writer.put_lines();
}

}  // namespace fusebox::sim
