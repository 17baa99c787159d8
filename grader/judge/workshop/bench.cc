#include "grader/judge/workshop/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "grader/judge/grading.h"
#include "grader/judge/source/function_match.h"
#include "grader/judge/workshop/bench_baselines.h"
#include "grader/report/text/demangle.h"

namespace fusebox {
namespace {

constexpr std::uint64_t kPage = 2 << 20;
constexpr std::uint64_t kCold = 3;  // the buffer sets together are that many times the L2, so that none stays
constexpr std::uint64_t kMinSets = 4, kMaxSets = 16;

std::uint64_t round_up(std::uint64_t value) { return (value + kPage - 1) / kPage * kPage; }

/// One entry of one file, on its way to the GPU.
struct Candidate {
  std::size_t row = 0;
  const Entry* entry = nullptr;
  std::shared_ptr<const CompiledFile> program;
  std::size_t function = 0;
  std::uint32_t module = 0;
  LaunchPlan plan;  ///< on the first buffer set
};

gpu::BufferUse use_of(Role role) {
  return role == Role::in    ? gpu::BufferUse::input
         : role == Role::out ? gpu::BufferUse::output
                             : gpu::BufferUse::both;
}

Result<LaunchPlan> record(const Services& services, const Call& call) {
  const auto recorded = services.record(call.request);
  if (!recorded) return recorded.error();
  if (const auto* failure = std::get_if<RecordFailure>(&recorded.value()))
    return Error{ErrorKind::not_passed, failure->what, failure->hint};
  return std::get<Recording>(recorded.value()).plan;
}

/// The first address behind everything that a plan touches.
DeviceAddress end_of(const Call& call, const LaunchPlan& plan) {
  DeviceAddress end = 0;
  for (const Buffer& buffer : call.buffers) end = std::max(end, buffer.address + buffer.bytes);
  for (const PlanOp& op : plan.ops)
    if (const auto* alloc = std::get_if<AllocOp>(&op)) end = std::max(end, alloc->address + alloc->bytes);
  return end;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class Bench {
 public:
  Bench(const Puzzle& puzzle, const TimedCase& timed, const Services& services, gpu::Gpu& gpu,
        const BenchOptions& options)
      : puzzle_(puzzle), timed_(timed), services_(services), gpu_(gpu), options_(options) {
    services_.device = &gpu;
    table_.puzzle = puzzle.id;
    table_.slug = puzzle.slug;
    table_.title = puzzle.title;
    table_.seed = options.seed;
    table_.min_bytes = timed.min_bytes;
    table_.sizes = sizes_text(timed.which);
    const gpu::DeviceInfo& info = gpu.info();
    table_.gpu = info.name;
    table_.driver = info.driver;
    table_.cuda = fmt::format("{}.{}", info.cuda / 1000, info.cuda % 1000 / 10);
    table_.sheet_bytes_per_second = info.dram_bytes_per_second;
    table_.l2_bytes = info.l2_bytes;
    table_.step_source = info.kernel_times;
  }

  Result<BenchTable> run(const std::vector<BenchFile>& files) {
    for (const BenchFile& file : files)
      if (auto added = add_file(file); !added) return added.error();
    if (candidates_.empty()) return std::move(table_);
    progress("drawing numbers");
    Random random(case_seed(options_.seed, timed_.which.name));
    problem_ = puzzle_.make(timed_.which, random);
    if (auto checked = check_all(); !checked) return checked.error();
    if (candidates_.empty()) return std::move(table_);
    auto request = make_request();
    if (!request) return request.error();
    progress(fmt::format("timing {} variants", candidates_.size()));
    auto reply = gpu_.time(request.value());
    if (!reply) return reply.error();
    take(reply.value());
    return std::move(table_);
  }

 private:
  void progress(const std::string& what) const {
    options_.progress(fmt::format("{} {}: {} ...", puzzle_.id, timed_.which.name, what));
  }

  void fail(std::size_t row, std::string problem) { table_.rows[row].problem = std::move(problem); }

  Result<bool> add_file(const BenchFile& file) {
    progress("compiling " + file.label);
    const std::size_t first_row = table_.rows.size();
    std::vector<const Entry*> entries;
    for (const Entry& entry : puzzle_.entries) {
      if (!file.entry.empty() && file.entry != entry.name) continue;
      BenchRow row;
      row.label = file.label;
      row.entry = entry.name;
      table_.rows.push_back(std::move(row));
      entries.push_back(&entry);
    }
    const auto all_fail = [&](const std::string& problem) {
      for (std::size_t i = first_row; i < table_.rows.size(); ++i) fail(i, problem);
      return true;
    };
    auto compiled = services_.compile(file.source);
    if (!compiled) return compiled.error();
    if (const auto* failure = std::get_if<CompileFailure>(&compiled.value()))
      return all_fail("does not compile: " + first_line(failure->output));
    Artifact& artifact = std::get<Artifact>(compiled.value());
    auto kernels = kernel_parameters(artifact.module);
    if (!kernels) return all_fail(kernels.error().what);
    const auto program = std::make_shared<const CompiledFile>(
        CompiledFile{file.source, std::move(artifact), std::move(*kernels)});
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const Entry& entry = *entries[e];
      const auto match = match_function(entry.signature, program->artifact.functions);
      if (!match.index) {
        fail(first_row + e, first_line(match.problem));
        continue;
      }
      candidates_.push_back({first_row + e, &entry, program, *match.index, 0, {}});
    }
    return true;
  }

  /// Correct first, time after: whatever is wrong is not timed.
  Result<bool> check_all() {
    std::vector<Candidate> right;
    for (Candidate& candidate : candidates_) {
      progress("checking " + table_.rows[candidate.row].label);
      auto call = prepare_call(services_, *candidate.program, candidate.function, *candidate.entry, problem_);
      if (!call) return call.error();
      auto plan = record(services_, *call);
      if (!plan) {
        if (plan.error().kind != ErrorKind::not_passed) return plan.error();
        fail(candidate.row, plan.error().what);
        continue;
      }
      auto ran = gpu_.execute(*plan, candidate.program->artifact.module, call->buffers, {});
      if (!ran) return ran.error();
      CaseResult result;
      judge_run(*candidate.entry, candidate.program->source, *call, *plan, *ran, result);
      if (result.check.outcome != Outcome::passed) {
        fail(candidate.row, "not timed, because it is wrong: " + result.check.summary);
        continue;
      }
      candidate.plan = std::move(*plan);
      stride_ =
          std::max(stride_, round_up(end_of(*call, candidate.plan) - gpu_.address_range().begin) + kPage);
      if (!call_) call_ = std::move(*call);
      right.push_back(std::move(candidate));
    }
    candidates_ = std::move(right);
    return true;
  }

  Result<gpu::TimeRequest> make_request() {
    gpu::TimeRequest request;
    request.min_bytes = timed_.min_bytes;
    request.seconds = options_.seconds;
    std::uint64_t set_bytes = 0;
    for (const Buffer& buffer : call_->buffers) set_bytes += buffer.bytes;
    const std::uint64_t wanted =
        (kCold * gpu_.info().l2_bytes + set_bytes - 1) / std::max<std::uint64_t>(set_bytes, 1);
    std::uint64_t sets = std::clamp(wanted, kMinSets, kMaxSets);
    // Intermediates are inside the stride; a third of the memory stays for copies and the flush.
    const std::uint64_t room = std::min(gpu_.address_range().bytes, gpu_.info().global_bytes / 3 * 2);
    while (sets > 1 && sets * stride_ > room) --sets;
    table_.sets = static_cast<std::uint32_t>(sets);

    for (const Tensor* tensor : call_->tensors) request.uses.push_back(use_of(tensor->role));
    for (std::uint64_t set = 0; set < sets; ++set) {
      std::vector<Buffer> buffers;
      for (const Buffer& buffer : call_->buffers)
        buffers.push_back({buffer.name, buffer.address + set * stride_, buffer.bytes,
                           set == 0 ? buffer.contents : std::vector<std::byte>()});
      request.sets.push_back(std::move(buffers));
    }
    if (timed_.linear) request.linear = linear_request(*timed_.linear, *call_);
    if (timed_.norm) request.norm = norm_request(*timed_.norm, *call_);
    if (options_.counters)
      for (const HardwareCounter& counter : hardware_counters()) request.counters.push_back(counter.metric);
    for (Candidate& candidate : candidates_) {
      progress("recording " + table_.rows[candidate.row].label);
      candidate.module = module_of(request, candidate);
      gpu::TimedVariant variant{table_.rows[candidate.row].label, candidate.module, {candidate.plan}};
      Call call = *call_;
      for (Buffer& buffer : call.buffers) buffer.contents.clear();
      call.request.library = candidate.program->artifact.host_library;
      call.request.function = candidate.program->artifact.mangled[candidate.function];
      call.request.kernels = candidate.program->kernels;
      for (std::uint64_t set = 1; set < sets; ++set) {
        auto plan = record(services_, moved(call, set * stride_));
        if (!plan) return plan.error();
        variant.plans.push_back(std::move(*plan));
      }
      request.variants.push_back(std::move(variant));
    }
    return request;
  }

  std::uint32_t module_of(gpu::TimeRequest& request, const Candidate& candidate) {
    for (const Candidate& other : candidates_) {
      if (&other == &candidate) break;
      if (other.program == candidate.program) return other.module;
    }
    const ModuleImage& image = candidate.program->artifact.module;
    request.modules.push_back({image.ptx, image.cubin});
    return static_cast<std::uint32_t>(request.modules.size() - 1);
  }

  void take(gpu::TimeReply& reply) {
    table_.sm_clock_hz = reply.sm_clock_hz;
    table_.memory_clock_hz = reply.memory_clock_hz;
    table_.rotated_bytes = reply.rotated_bytes;
    table_.runs_per_graph = reply.runs_per_graph;
    table_.dropped = reply.dropped;
    table_.counters_problem = reply.counters_problem;
    table_.samples = static_cast<std::uint32_t>(reply.copy.graph.size());
    const auto copy = spread_of(reply.copy.graph), large = spread_of(reply.large_copy.graph);
    if (large)
      table_.large_copy_bytes_per_second = static_cast<double>(reply.large_copy_bytes) / large->median;

    for (std::size_t v = 0; v < candidates_.size(); ++v) {
      const Candidate& candidate = candidates_[v];
      gpu::VariantTimes& times = reply.variants[v];
      BenchRow& row = table_.rows[candidate.row];
      if (!still_right(candidate, times)) continue;
      fill(row, times, copy);
      const std::size_t reference = find("reference", candidate.entry->name);
      if (reference < candidates_.size() && reference != v)
        row.against_reference = ratio(times.graph, reply.variants[reference].graph);
      const std::size_t unfused = find(row.label, "unfused");
      if (unfused < candidates_.size() && unfused != v)
        if (const auto slower = ratio(reply.variants[unfused].graph, times.graph))
          row.over_unfused = slower->median;
      name_steps(row, candidate.plan, times);
    }
    for (gpu::VariantTimes& baseline : reply.baselines) {
      BenchRow row;
      row.label = baseline.name;
      if (is_right(timed_, *call_, baseline))
        fill(row, baseline, copy);
      else
        row.problem = "the library's answers are wrong";
      table_.rows.push_back(std::move(row));
    }
    for (gpu::VariantTimes* each : {&reply.driver_copy, &reply.copy}) {
      if (each == &reply.copy && reply.copy.name == reply.driver_copy.name) break;
      BenchRow row;
      row.label = each->name;
      fill(row, *each, copy);
      table_.rows.push_back(std::move(row));
    }
  }

  std::size_t find(const std::string& label, const std::string& entry) const {
    for (std::size_t v = 0; v < candidates_.size(); ++v)
      if (table_.rows[candidates_[v].row].label == label && candidates_[v].entry->name == entry) return v;
    return candidates_.size();
  }

  static std::optional<Spread> ratio(const std::vector<double>& over, const std::vector<double>& under) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(over.size(), under.size()); ++i)
      ratios.push_back(over[i] / under[i]);
    return spread_of(std::move(ratios));
  }

  void fill(BenchRow& row, const gpu::VariantTimes& times, const std::optional<Spread>& copy) const {
    const auto seconds = spread_of(times.graph), cold = spread_of(times.cold);
    if (!seconds) {
      row.problem = times.problem.empty() ? "no sample was good enough" : times.problem;
      return;
    }
    // Nothing moves its least bytes faster than the memory can: then the bytes are counted wrong, or work
    // was left out. What may still be in the cache afterwards is at most one L2.
    const auto bytes = static_cast<double>(table_.min_bytes);
    const double floor = bytes / table_.sheet_bytes_per_second;
    if (table_.rotated_bytes >= kCold * table_.l2_bytes && seconds->median < floor) {
      row.problem = fmt::format("{:.2f} us is impossible: {:.0f} MB take at least {:.2f} us",
                                1e6 * seconds->median, 1e-6 * bytes, 1e6 * floor);
      return;
    }
    row.seconds = seconds;
    row.cold_seconds = cold;
    row.bytes_per_second = bytes / seconds->median;
    if (copy) row.share_of_copy = copy->median / seconds->median;
  }

  /// The outputs of the timed runs.
  bool still_right(const Candidate& candidate, gpu::VariantTimes& times) {
    Run run;
    for (std::size_t b = 0; b < call_->buffers.size(); ++b) {
      const bool input = call_->tensors[b]->role == Role::in;
      run.outputs.push_back(input ? call_->buffers[b].contents : std::move(times.outputs[b]));
      run.written.push_back(1);
      if (run.outputs[b].size() != call_->buffers[b].bytes) {
        fail(candidate.row, "the GPU returned no output after timing");
        return false;
      }
    }
    CaseResult result;
    judge_run(*candidate.entry, candidate.program->source, *call_, candidate.plan, run, result);
    if (result.check.outcome == Outcome::passed) return true;
    fail(candidate.row, "wrong after it was timed: " + result.check.summary);
    return false;
  }

  static void name_steps(BenchRow& row, const LaunchPlan& plan, const gpu::VariantTimes& times) {
    std::size_t at = 0, launches = 0;
    for (const PlanOp& op : plan.ops) {
      if (std::holds_alternative<AllocOp>(op) || std::holds_alternative<FreeOp>(op)) continue;
      if (at >= times.operations.size()) break;
      BenchStep step;
      if (const auto* launch = std::get_if<LaunchOp>(&op)) {
        step.name = kernel_name(launch->kernel);
        if (launches < times.counters.size()) step.counters = in_our_units(times.counters[launches]);
        ++launches;
      } else {
        step.name = std::holds_alternative<MemsetOp>(op) ? "memset" : "copy";
      }
      step.seconds = times.operations[at];
      if (at < times.gaps.size()) step.gap_after = times.gaps[at];
      row.steps.push_back(std::move(step));
      ++at;
    }
  }

  static std::vector<std::optional<double>> in_our_units(const std::vector<double>& values) {
    std::vector<std::optional<double>> counters;
    for (std::size_t i = 0; i < std::min(values.size(), hardware_counters().size()); ++i)
      counters.push_back(std::isnan(values[i]) ? std::nullopt
                                               : std::optional(hardware_counters()[i].scale * values[i]));
    return counters;
  }

  const Puzzle& puzzle_;
  const TimedCase& timed_;
  Services services_;
  gpu::Gpu& gpu_;
  const BenchOptions& options_;
  BenchTable table_;
  Problem problem_;
  std::vector<Candidate> candidates_;
  std::optional<Call> call_;
  std::uint64_t stride_ = 0;
};

}  // namespace

std::span<const HardwareCounter> hardware_counters() {
  static constexpr HardwareCounter kCounters[] = {
      {"gpu__time_duration.sum", "time", Unit::seconds, 1e-9},
      {"dram__bytes_read.sum", "DRAM read", Unit::bytes, 1},
      {"dram__bytes_write.sum", "DRAM written", Unit::bytes, 1},
      {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM busy", Unit::ratio, 0.01},
      {"lts__t_sector_hit_rate.pct", "L2 hits", Unit::ratio, 0.01},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "ld requests", Unit::count, 1},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "ld sectors", Unit::count, 1},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "st requests", Unit::count, 1},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "st sectors", Unit::count, 1},
      {"smsp__inst_executed.sum", "warp instr.", Unit::count, 1},
      {"sm__warps_active.avg.pct_of_peak_sustained_active", "occupancy", Unit::ratio, 0.01},
  };
  return kCounters;
}

std::optional<Spread> spread_of(std::vector<double> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1) + 0.5)];
  };
  return Spread{at(0.5), at(0.2), at(0.8)};
}

std::string sizes_text(const Case& which) {
  std::string text;
  for (const auto& [name, size] : which.sizes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, size);
  return text;
}

Result<BenchTable> bench(const Puzzle& puzzle, const TimedCase& timed, const std::vector<BenchFile>& files,
                         const Services& services, gpu::Gpu& gpu, const BenchOptions& options) {
  return Bench(puzzle, timed, services, gpu, options).run(files);
}

std::optional<std::string> with_block_size(const std::string& source, int threads) {
  static const std::regex pattern(
      R"((\n *(?:\[\[maybe_unused\]\] *)?constexpr +int +kThreads *= *)([0-9]+)( *;))");
  if (!std::regex_search(source, pattern)) return std::nullopt;
  return std::regex_replace(source, pattern, fmt::format("$01{}$3", threads),
                            std::regex_constants::format_first_only);
}

}  // namespace fusebox
