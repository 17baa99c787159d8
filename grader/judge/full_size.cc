#include "grader/judge/full_size.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/judge/source/allocation_names.h"
#include "grader/judge/source/function_match.h"
#include "grader/report/json/json.h"
#include "grader/report/text/format.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/sha256.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

// Counted, so that every machine stops at the same place.
constexpr std::uint64_t kMaxFullWork = 250'000'000;
constexpr std::uint64_t kMaxFullBytes = 700 << 20;  // of the host function's own allocations
constexpr std::size_t kMaxKept = 300;

/// What fills the tensors: positive, so that no root, logarithm or division gives a NaN, of different sizes,
/// so that branches on values part every warp, and the same in every 32 neighbours along rows and columns, so
/// that all blocks find the same work.
std::vector<std::byte> repeating(const Tensor& tensor) {
  constexpr std::int64_t kPeriod = 32, kMaxElements = 1 << 20;
  const std::int64_t columns = tensor.shape.empty() ? 1 : std::max<std::int64_t>(tensor.shape.back(), 1);
  const bool turned = columns <= kMaxElements / kPeriod && columns % kPeriod == 0;
  const std::int64_t count = std::min(turned ? kPeriod * columns : kPeriod * kPeriod, tensor.count());
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] =
        static_cast<double>(1 + (i + (turned ? i / columns : 0)) * 11 % kPeriod) / 16;
  return encode(values, tensor.dtype);
}

FullSizeRun problem_run(std::string problem) {
  FullSizeRun run;
  run.problem = std::move(problem);
  return run;
}

/// The first fault, in a sentence; empty: none.
std::string fault_of(const Run& run) {
  const auto told = [](const Fault& fault) {
    return fault.what + (fault.where.empty() ? "" : ", " + fault.where);
  };
  for (const LaunchRecord& launch : run.launches)
    for (const Fault& fault : launch.faults)
      if (!is_remark(fault)) return told(fault);
  return run.faults.empty() ? "" : told(run.faults.front());
}

/// Calls follow one another: what one leaves in L2, written, the next one's first launches have to write to
/// DRAM, as they need the room.
void charge_written_before(std::vector<LaunchRecord>& launches, std::uint64_t left, const GpuProfile& gpu) {
  for (LaunchRecord& launch : launches) {
    if (!launch.model || gpu.dram_copy_bytes_per_second <= 0) continue;
    const std::uint64_t room = std::min(left, launch.counters.compulsory_bytes());
    left -= room;
    for (ModelTerm& term : launch.model->terms)
      if (term.name == "DRAM") term.seconds += static_cast<double>(room) / gpu.dram_copy_bytes_per_second;
    launch.model->decide(gpu.launch_overhead_s);
  }
}

FullSizeRun taken(const LaunchPlan& plan, Run& run, const Call& call, std::span<const std::string> names,
                  const GpuProfile& gpu) {
  FullSizeRun taken;
  taken.launches = operations_of(plan, run, call.buffers, names);
  for (LaunchRecord& launch : taken.launches) {
    launch.faults.clear();
    const auto& grid = launch.grid;
    if (is_kernel(launch)) taken.blocks += std::uint64_t{grid[0]} * grid[1] * grid[2];
  }
  taken.blocks_run = run.blocks_run;
  taken.left_in_l2_bytes = run.left_in_l2_bytes;
  charge_written_before(taken.launches, run.left_in_l2_bytes, gpu);
  sum_up(taken, gpu.sms);
  return taken;
}

Result<FullSizeRun> carry_out(const Services& services, const CompiledFile& program, std::size_t function,
                              const Entry& entry, const FullSizeCase& size, const FullSizeOptions& full) {
  const Problem problem = size.arguments(size.which);
  auto call = prepare_call(services, program, function, entry, problem);
  if (!call) return call.error();
  const auto recorded = services.record(call->request);
  if (!recorded) return recorded.error();
  if (const auto* failure = std::get_if<RecordFailure>(&recorded.value())) return problem_run(failure->what);
  const LaunchPlan& plan = std::get<Recording>(recorded.value()).plan;
  for (std::size_t i = 0; i < call->buffers.size(); ++i)
    if (call->tensors[i]->role != Role::out && call->tensors[i]->values.empty())
      call->buffers[i].contents = repeating(*call->tensors[i]);
  ExecuteOptions options;
  options.numbers_only = options.model = true;
  options.cold_launches = full.cold_launches;
  options.share = size.whole ? 1 : full.share;
  options.max_warp_instructions = kMaxFullWork;
  options.plan = {kMaxFullWork, kMaxFullBytes, full.seconds};
  options.intermediate_names =
      allocation_names(program.source, entry.signature.function, plan, entry.intermediates);
  auto run = services.device->execute(plan, program.artifact.module, call->buffers, options);
  if (!run) {
    if (run.error().kind != ErrorKind::not_passed) return run.error();
    return problem_run(run.error().what);
  }
  if (std::string fault = fault_of(*run); !fault.empty()) return problem_run(std::move(fault));
  return taken(plan, *run, *call, options.intermediate_names, services.gpu);
}

/// Of everything that a run follows from: the code, the call, the GPU as it is modelled, and who models it.
std::string key_of(const Services& services, const CompiledFile& program, const Entry& entry,
                   const FullSizeCase& size) {
  std::error_code none;
  const auto self = fs::read_symlink("/proc/self/exe", none);
  std::string text = fmt::format("full size 2\n{}\n{}\n", fs::file_size(self, none),
                                 fs::last_write_time(self, none).time_since_epoch().count());
  text += program.artifact.source_sha256 + "\n" + sha256_hex(program.artifact.module.ptx) + "\n";
  text += entry.signature.function + "\n" + shape_of(size.which) + "\n" + size.which.values + "\n";
  for (const std::string& name : entry.intermediates) text += name + "\n";
  text += services.gpu.full_name + "\n" + services.gpu.text;
  return sha256_hex(text);
}

std::optional<FullSizeRun> find_kept(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  // The first line is a hash of the rest: half a file counts as none.
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || sha256_hex(std::string_view(text).substr(end + 1)) != text.substr(0, end))
    return std::nullopt;
  auto run = full_size_run_from_json(std::string_view(text).substr(end + 1));
  if (!run) return std::nullopt;
  std::error_code none;
  fs::last_write_time(file, fs::file_time_type::clock::now(), none);
  return std::move(run.value());
}

/// What cannot be written is made again next time.
void keep(const fs::path& folder, const fs::path& file, const FullSizeRun& run) {
  std::error_code none;
  fs::create_directories(folder, none);
  const std::string json = full_size_run_to_json(run);
  const fs::path fresh = file.string() + fmt::format(".{}", ::getpid());
  if (!write_file(fresh, sha256_hex(json) + "\n" + json)) {
    fs::remove(fresh, none);
    return;
  }
  fs::rename(fresh, file, none);
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const auto& each : fs::directory_iterator(folder, none))
    all.emplace_back(each.last_write_time(none), each.path());
  if (all.size() <= kMaxKept) return;
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i + kMaxKept < all.size(); ++i) fs::remove(all[i].second, none);
}

std::optional<double> value_of(const FullSizeRun* run, const std::string& tag) {
  if (run == nullptr || !run->problem.empty()) return std::nullopt;
  if (tag == "bytes.dram") return static_cast<double>(run->dram_bytes());
  if (tag == "bytes.requested") return static_cast<double>(run->requested_bytes);
  return std::nullopt;
}

}  // namespace

Result<FullSizeRun> run_full_size(const Services& services, const CompiledFile& program, std::size_t function,
                                  const Entry& entry, const FullSizeCase& size,
                                  const FullSizeOptions& options) {
  const fs::path file = options.kept.empty() || options.cold_launches
                            ? fs::path{}
                            : options.kept / key_of(services, program, entry, size);
  if (!file.empty())
    if (auto known = find_kept(file)) return std::move(*known);
  auto run = carry_out(services, program, function, entry, size, options);
  // A problem may be the machine's, which is another one tomorrow.
  if (run && run->problem.empty() && !file.empty()) keep(options.kept, file, *run);
  return run;
}

Result<FullSizeRun> run_full_size(const Services& services, const SourceFile& source, const Entry& entry,
                                  const FullSizeCase& size, const FullSizeOptions& options) {
  const auto no_numbers = [](std::string problem) {
    FullSizeRun run;
    run.problem = std::move(problem);
    return run;
  };
  auto compiled = services.compile(source);
  if (!compiled) return compiled.error();
  if (std::holds_alternative<CompileFailure>(*compiled)) return no_numbers("it does not compile");
  Artifact& artifact = std::get<Artifact>(*compiled);
  auto kernels = kernel_parameters(artifact.module);
  if (!kernels) return kernels.error();
  const CompiledFile program{source, std::move(artifact), std::move(*kernels)};
  const auto match = match_function(entry.signature, program.artifact.functions);
  if (!match.index) return no_numbers(match.problem);
  return run_full_size(services, program, *match.index, entry, size, options);
}

std::string shape_of(const Case& which) {
  std::string text;
  for (const auto& [name, value] : which.sizes)
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", name, value);
  return text.empty() ? which.name : text;
}

std::vector<FullSizeBudget> check_full_size(const Entry& entry, const FullSizeRun* student,
                                            const FullSizeRun* reference) {
  std::vector<FullSizeBudget> lines;
  for (const Budget& budget : entry.full_size_budgets) {
    FullSizeBudget line;
    const bool dram = budget.metric == "bytes.dram";
    line.student = {
        budget.metric, dram ? "DRAM bytes" : "bytes requested", "",
        Unit::bytes,   value_of(student, budget.metric),        dram ? Source::modelled : Source::counted};
    line.reference = value_of(reference, budget.metric);
    line.limit = budget.limit;
    line.within = line.student.value && *line.student.value <= budget.limit;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace fusebox
