#include "grader/classroom/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "grader/process/run_process.h"
#include "grader/toolchain/sandbox/environment.h"

namespace fusebox::classroom {
namespace {

namespace fs = std::filesystem;

constexpr double kPatience = 120;  // seconds for sbatch: it tries again by itself while a controller is busy
constexpr unsigned kCanaries = 3;  // each graded like an answer, before the first

struct Refusal {
  const char* says;  // in what sbatch prints
  const char* what;
  const char* remedy;
};
constexpr const char* kLimits =
    "wait until some of your jobs have ended, or make fewer tasks with a larger --chunk; then the same command again";

// The first that fits: some words are in several sentences of sbatch.
constexpr Refusal kRefusals[] = {
    {"QOS policy", "a limit on your jobs is reached", kLimits},
    {"SubmitJob", "a limit on your jobs is reached", kLimits},
    {"unable to accept", "Slurm takes no more jobs now", kLimits},
    {"nvalid account", "Slurm does not take this account",
     "`sacctmgr show associations user=$USER` lists yours; add --sbatch=--account=NAME"},
    {"nvalid qos", "Slurm does not take this quality of service",
     "`sacctmgr show qos` lists them; add --sbatch=--qos=NAME"},
    {"artition", "Slurm has no such partition, or it is not for you",
     "`sinfo -s` lists them; add --sbatch=--partition=NAME"},
    {"ime limit", "a task asks for more time than the partition gives",
     "a smaller --chunk or --row-seconds asks for less; `sinfo -o '%P %l'` says what partitions give"},
    {"nvalid job array", "the array has more tasks than Slurm takes",
     "a larger --chunk makes fewer; `scontrol show config | grep MaxArraySize` says how many it takes"},
    {"generic resource", "no node of the partition has a GPU",
     "add --sbatch=--partition=NAME with one that has, or leave --backend gpu out"},
    {"emory specification", "no node of the partition has the memory that a task asks for",
     "fewer --jobs or a smaller --memory ask for less"},
    {"node configuration", "no node of the partition has what a task asks for",
     "fewer --jobs or a smaller --memory ask for less; `sinfo -o '%P %c %m'` says what nodes have"},
};

constexpr const char* kSilence =
    "`squeue --me --name=fusebox-class` says whether it took the job all the same; where it did not, the same command again";

std::vector<std::string> lines_in(const std::string& output) {
  std::vector<std::string> lines;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

// Of what sbatch prints the last line is the reason.
std::string reason(const std::string& output) {
  const auto lines = lines_in(output);
  if (lines.empty()) return "it says nothing";
  const std::string prefix = "sbatch: error: ", &last = lines.back();
  return last.starts_with(prefix) ? last.substr(prefix.size()) : last;
}

Error refused(const ProcessResult& run) {
  const auto is_said = [&](const char* text) { return run.output.find(text) != run.output.npos; };
  if (run.timed_out)
    return {ErrorKind::missing_part, fmt::format("Slurm did not answer within {:g} seconds", kPatience),
            kSilence};
  if (is_said("timed out") || is_said("contact"))
    return {ErrorKind::missing_part, "Slurm does not answer: " + reason(run.output), kSilence};
  for (const Refusal& each : kRefusals)
    if (is_said(each.says))
      return {ErrorKind::missing_part, fmt::format("{}: {}", each.what, reason(run.output)), each.remedy};
  return {ErrorKind::missing_part,
          fmt::format("sbatch ended with exit code {}: {}", run.exit_code, reason(run.output)),
          "--sbatch=OPTION hands it an option; when it is put right, the same command again"};
}

// "17", or "17;cluster", beside what sbatch may warn of.
std::string job_in(const std::string& output) {
  for (const std::string& line : lines_in(output)) {
    std::string number = line.substr(0, line.find(';'));
    if (!number.empty() &&
        std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c); }))
      return number;
  }
  return "";
}

}  // namespace

TaskNeeds needs_of_task(const Manifest& manifest) {
  const BatchSettings& settings = manifest.settings;
  const std::size_t answers = std::min(manifest.chunk, std::max<std::size_t>(1, manifest.queued()));
  const unsigned jobs = static_cast<unsigned>(std::clamp<std::size_t>(settings.jobs, 1, answers));
  const std::size_t turns = (answers + jobs - 1) / jobs;
  TaskNeeds needs;
  needs.cores = jobs;
  // An answer that took all its time is graded once more.
  const double seconds = settings.how.seconds * static_cast<double>(2 * turns + kCanaries);
  needs.minutes = static_cast<std::uint64_t>(std::ceil(seconds / 60)) + 1;
  needs.memory_mib = jobs * memory_of_answer(settings.how.memory_mib);
  needs.gpu = settings.how.backend == "gpu";
  return needs;
}

std::string array_script(const Manifest& manifest, const fs::path& program, const fs::path& out) {
  const TaskNeeds needs = needs_of_task(manifest);
  std::string text = fmt::format(R"(#!/bin/sh
# Made by `grader class --slurm`: each task grades its part of a class. A task that was killed, requeued or started
# again does what is left of its part.
#SBATCH --job-name=fusebox-class
#SBATCH --array=0-{}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={}
#SBATCH --mem={}M
#SBATCH --time={}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=log/%a.txt
)",
                                 manifest.tasks() - 1, needs.cores, needs.memory_mib, needs.minutes);
  if (needs.gpu) text += "#SBATCH --gres=gpu:1\n";
  return text + "exec " +
         typed({program.string(), "class-task", out.string(), "--manifest", manifest.id, "--root",
                manifest.settings.how.root.string()}) +
         " --task \"$SLURM_ARRAY_TASK_ID\"\n";
}

std::vector<std::string> sbatch_command(const fs::path& folder, const std::vector<std::string>& more) {
  std::vector<std::string> command = {"sbatch", "--parsable", "--chdir=" + folder.string()};
  command.insert(command.end(), more.begin(), more.end());
  command.push_back((folder / "array.sh").string());
  return command;
}

std::string typed(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) ||
             std::string_view("-_./=:,+").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (!line.empty()) line += ' ';
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

bool has_sbatch() {
  std::error_code ignored;
  const auto folders = folders_of("PATH");
  return std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return fs::is_regular_file(folder / "sbatch", ignored); });
}

Result<std::string> submit(const std::vector<std::string>& command) {
  ProcessOptions options;
  options.time_limit_s = kPatience;
  const auto run = run_process(command, options);
  if (!run) return run.error();
  if (run->exit_code != 0 || run->timed_out) return refused(*run);
  const std::string job = job_in(run->output);
  if (!job.empty()) return job;
  return Error{ErrorKind::missing_part, "sbatch named no job: " + reason(run->output), kSilence};
}

bool is_queued(const std::string& job) {
  ProcessOptions options;
  options.time_limit_s = kPatience;
  const auto run = run_process({"squeue", "--noheader", "--format=%i", "--jobs=" + job}, options);
  return run && run->exit_code == 0 && run->output.find(job) != run->output.npos;
}

}  // namespace fusebox::classroom
