#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <set>

#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/dev/parity_full.h"
#include "grader/cli/workshop/dev/parity_jobs.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/parity/compare.h"
#include "grader/process/run_process.h"
#include "grader/simulator/simulator.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

Result<Run> simulate(Device& simulator, const ParityJob& job) {
  auto plan = job.make(simulator);
  if (!plan) return plan.error();
  ExecuteOptions options;
  options.max_warp_instructions = 4'000'000'000;
  options.races = false;
  options.model = true;
  options.cold_launches = true;  // as Nsight Compute flushes the caches before each
  auto run = simulator.execute(plan->plan, *job.module, plan->buffers, options);
  if (!run) return run.error();
  for (const LaunchRecord& launch : run->launches)
    if (!launch.faults.empty())
      return Error{ErrorKind::internal, job.name + " has a fault on the simulator: " + launch.faults[0].what,
                   ""};
  return run;
}

Result<Run> execute_on_gpu(gpu::Gpu& gpu, const ParityJob& job) {
  auto plan = job.make(gpu);
  if (!plan) return plan.error();
  return gpu.execute(plan->plan, *job.module, plan->buffers, {});
}

/// Outputs of both, as the hardware table keeps it.
void compare_outputs(const ParityJob& job, const Run& ours, const Run& theirs, HardwareLaunch& into) {
  const bool same = ours.outputs == theirs.outputs;
  for (std::size_t b = 0; b < ours.outputs.size() && !same; ++b)
    for (std::size_t i = 0; (i + 1) * size_of(job.types[b]) <= ours.outputs[b].size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const double difference =
          decode(ours.outputs[b], at, job.types[b]) - decode(theirs.outputs[b], at, job.types[b]);
      into.largest_difference = std::fmax(into.largest_difference, std::fabs(difference));
    }
  if (job.exact) into.same_bytes = same;
}

/// What the shell's `date` would say.
std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// Runs this program again under Nsight Compute, which counts for it.
Result<std::vector<HardwareLaunch>> count_on_hardware(const WorkspacePaths& paths, const Options& of_parity) {
  std::vector<std::string> argv = {"ncu",
                                   "--csv",
                                   "--page",
                                   "raw",
                                   "--print-units",
                                   "base",
                                   "--clock-control",
                                   "none",
                                   "--cache-control",
                                   "all",
                                   "--target-processes",
                                   "all",
                                   "--kernel-name",
                                   "regex:^(?!fusebox_probe)",
                                   "--metrics",
                                   hardware_metrics(),
                                   paths.grader().string(),
                                   "dev",
                                   "parity",
                                   "--execute-only",
                                   "--root",
                                   paths.root.string()};
  if (of_parity.only_new) argv.push_back("--new");
  ProcessOptions options;
  options.time_limit_s = 900;
  const auto ran = run_process(argv, options);
  if (!ran) return ran.error();
  if (ran->exit_code != 0 || ran->timed_out)
    return Error{ErrorKind::missing_part, "Nsight Compute could not count: " + ran->output.substr(0, 600),
                 "is `ncu` on PATH, and may this user read hardware counters?"};
  return parse_ncu_table(ran->output);
}

int execute_only(gpu::Gpu& gpu, const std::vector<ParityJob>& jobs) {
  for (const ParityJob& job : jobs)
    if (const auto run = execute_on_gpu(gpu, job); !run) return fail(run.error());
  return 0;
}

/// What the simulator counts beside what the hardware does.
struct Pairing {
  std::vector<ParityPair> pairs;
  std::vector<std::string> unknown;     ///< jobs that the table has no row of
  std::vector<HardwareLaunch> counted;  ///< of this recording, launch after launch
  std::size_t next = 0;                 ///< in `counted`: the first of the next job
};

bool is_of(const HardwareLaunch& launch, const ParityJob& job) { return launch.row == job.name; }

bool knows(const HardwareTable& table, const ParityJob& job) {
  return std::any_of(table.launches.begin(), table.launches.end(),
                     [&](const HardwareLaunch& launch) { return is_of(launch, job); });
}

void begin_record(HardwareTable& table, const gpu::Gpu& gpu, const Compiler& compiler) {
  table.gpu = gpu.info().name;
  table.driver = gpu.info().driver;
  table.cuda = fmt::format("{}.{}", compiler.major, compiler.minor);
  table.date = today();
  table.command = "grader dev parity --record";
}

/// What was counted of a job's launches just now; they go into the table too.
Result<std::vector<HardwareLaunch>> record_job(gpu::Gpu& gpu, const ParityJob& job, const Run& run,
                                               Pairing& pairing, HardwareTable& table) {
  if (pairing.counted.size() - pairing.next < run.launches.size())
    return Error{ErrorKind::missing_part, "Nsight Compute counted fewer launches than there are",
                 "run it by hand: ncu grader dev parity --execute-only"};
  const auto first = pairing.counted.begin() + static_cast<std::ptrdiff_t>(pairing.next);
  std::vector<HardwareLaunch> mine(first, first + static_cast<std::ptrdiff_t>(run.launches.size()));
  pairing.next += run.launches.size();
  auto there = execute_on_gpu(gpu, job);
  if (!there) return there.error();
  for (HardwareLaunch& launch : mine) launch.row = job.name;
  if (!mine.empty()) compare_outputs(job, run, *there, mine.back());
  table.launches.insert(table.launches.end(), mine.begin(), mine.end());
  return mine;
}

/// What the table, which lies at `file`, says of a job of so many launches.
Result<std::vector<HardwareLaunch>> recorded_of(const HardwareTable& table, const ParityJob& job,
                                                std::size_t launches, const fs::path& file) {
  std::vector<HardwareLaunch> mine;
  std::copy_if(table.launches.begin(), table.launches.end(), std::back_inserter(mine),
               [&](const HardwareLaunch& launch) { return is_of(launch, job); });
  if (mine.size() != launches)
    return Error{ErrorKind::missing_part, fmt::format("{} does not know `{}`", shown(file), job.name),
                 "record the table anew on a machine with a GPU: grader dev parity --record"};
  return mine;
}

/// Runs the jobs on the simulator, and enters the launches of each into `pairing` beside what `table`, which
/// lies at `file`, says of them. `gpu`: what was counted there goes into the table; null: it has that
/// already.
std::optional<Error> pair_jobs(const std::vector<ParityJob>& jobs, sim::Simulator& simulator, gpu::Gpu* gpu,
                               const fs::path& file, HardwareTable& table, Pairing& pairing) {
  for (const ParityJob& job : jobs) {
    if (gpu == nullptr && !knows(table, job)) {
      pairing.unknown.push_back(job.name);
      continue;
    }
    show_progress(fmt::format("[{}/{}] {}", pairing.pairs.size(), jobs.size(), job.name));
    auto run = simulate(simulator, job);
    if (!run) return run.error();
    auto mine = gpu != nullptr ? record_job(*gpu, job, *run, pairing, table)
                               : recorded_of(table, job, run->launches.size(), file);
    if (!mine) return mine.error();
    for (std::size_t i = 0; i < mine->size(); ++i)
      pairing.pairs.push_back({std::move(run->launches[i]), (*mine)[i]});
  }
  show_progress("");
  return std::nullopt;
}

}  // namespace

int dev_parity_verb(const WorkspacePaths& paths, const Options& options) {
  if (options.full) return dev_parity_full(paths, options);
  const fs::path recorded = paths.recorded() / "parity" / (options.gpu + ".json");
  HardwareTable table;
  if (!options.record || options.only_new) {
    auto read = read_hardware_table(recorded);
    if (!read) return fail(read.error());
    table = std::move(*read);
  }
  std::set<std::string> known;
  if (options.only_new)
    for (const HardwareLaunch& launch : table.launches) known.insert(launch.row);
  auto machine = Machine::open(paths, options);
  if (!machine) return fail(machine.error());
  const auto prepared = prepare_parity_jobs(paths, **machine, known);
  if (!prepared) return fail(prepared.error());
  const std::vector<ParityJob>& jobs = *prepared;
  gpu::Gpu* gpu = (*machine)->gpu();
  if ((options.record || options.execute_only) && gpu == nullptr)
    return fail({ErrorKind::missing_part, "there is no GPU here to record from",
                 "without --record the simulator is compared with what was recorded before"});
  if (options.execute_only) return execute_only(*gpu, jobs);

  const auto profile = load_gpu_profile(paths.assets(), options.gpu);
  if (!profile) return fail(profile.error());
  sim::Simulator simulator(*profile);

  Pairing pairing;
  if (options.record) {
    if (options.only_new && table.gpu != gpu->info().name)
      return fail({ErrorKind::wrong_usage,
                   fmt::format("{} is of {}, and this is {}", shown(recorded), table.gpu, gpu->info().name),
                   "without --new all of it is recorded anew"});
    auto rows = count_on_hardware(paths, options);
    if (!rows) return fail(rows.error());
    pairing.counted = std::move(*rows);
    begin_record(table, *gpu, (*machine)->toolchain().compiler());
  }
  if (auto error = pair_jobs(jobs, simulator, options.record ? gpu : nullptr, recorded, table, pairing))
    return fail(*error);
  std::error_code ignored;
  if (options.record) fs::create_directories(recorded.parent_path(), ignored);
  if (options.record)
    if (auto written = write_atomically(recorded, hardware_table_to_json(table)); written)
      return fail(*written);
  fmt::print("{}", render_parity(table, pairing.pairs));
  if (!pairing.unknown.empty())
    fmt::print("\nNot recorded yet, and so not compared: {}\n", fmt::join(pairing.unknown, ", "));
  return summarise(pairing.pairs).kept() ? 0 : 1;
}

}  // namespace fusebox
