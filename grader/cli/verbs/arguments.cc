#include "grader/cli/verbs/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "grader/cli/render/render.h"

namespace fusebox {
namespace {

struct Word {
  const char* name;
  const char* description;
  bool takes_puzzle;
};

constexpr Word kLearnersVerbs[] = {
    {"list", "all puzzles, with what is solved", false},
    {"lesson", "the idea behind a puzzle", true},
    {"hint", "one hint more", true},
    {"reset", "put the empty puzzle back (asks first, keeps a .bak)", true},
    {"solution", "the reference, once the puzzle is solved", true},
    {"all", "grade every puzzle", false},
    {"doctor", "what was found, what is missing, and a kernel run as the proof", false},
};

void add_settings(CLI::App& app, Options& options) {
  app.add_option("--from", options.from, "grade the files of another folder, for instance solutions");
  app.add_option("--backend", options.backend,
                 "sim: the simulator alone; gpu: on the GPU of this machine too; auto: where there is one")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}));
  app.add_option("--gpu", options.gpu, "the GPU that the simulator stands for: h200, a100, t4, ...")
      ->each([&options](const std::string&) { options.gpu_chosen = true; });
  app.add_option("--seed", options.seed, "repeat a run exactly")->envname("FUSEBOX_SEED");
  app.add_option("--cases", options.cases, "cases to pass besides, by their sizes: \"M=33 N=7; M=1 N=40\"")
      ->envname("FUSEBOX_CASES");
  app.add_option("--schedule", options.schedule,
                 "run warps and blocks in another order, which this number decides (simulator)");
  app.add_option("--schedules", options.schedules,
                 "run again in so many other orders, and say which change the results (simulator)");
  app.add_option(
         "--timeout", options.timeout,
         "seconds after which a case, or the program of sim, is stopped (600); 0: never. What a case may do is counted and not timed: this is only for machines that are very slow")
      ->check(CLI::NonNegativeNumber);
  app.add_option(
         "--memory", options.memory_mib,
         "MiB that a case may take: its host function, and what it allocates on the device, with as much again for bookkeeping (2048)")
      ->check(CLI::Range(64, 1 << 20));
  auto* full = app.add_flag(
      "--full", options.full,
      "also show the reference at full size while no answer is right; of `all`: run what passes at full size");
  app.add_flag("--no-full", options.no_full, "do not run anything at full size after the verdict")
      ->excludes(full);
  app.add_flag("--no-reference", options.no_reference,
               "do not run the reference for its numbers beside an answer that is right");
  app.add_option("--json", options.json, "write the report there");
  app.add_option("--junit", options.junit, "write JUnit XML there");
  app.add_flag("-v,--verbose", options.verbose, "every check, with its details");
  app.add_flag("--once", options.once, "on a terminal too: grade, and do not wait for the file to be saved");
  app.add_flag("--no-color", options.no_color, "plain text");
  app.add_option("--root", options.root, "the checkout, when this program is not in it");
}

void add_learners_verbs(CLI::App& app, Options& options, std::string& verb) {
  for (const Word& each : kLearnersVerbs) {
    CLI::App* command = app.add_subcommand(each.name, each.description);
    command->fallthrough();
    if (each.takes_puzzle)
      command->add_option("puzzle", options.puzzle, "p20, 20 or layernorm_linear")->required();
    if (std::string(each.name) == "reset") command->add_flag("--yes", options.yes, "do not ask");
    if (std::string(each.name) == "solution")
      command->add_flag("--force", options.force, "even if it is not solved");
    command->callback([&verb, &each] { verb = each.name; });
  }
}

void add_sim(CLI::App& app, Options& options, std::string& verb) {
  CLI::App* sim = app.add_subcommand(
      "sim", "run any CUDA program on the simulator: grader sim -- ./program its arguments");
  sim->fallthrough();
  sim->add_option("--max-instructions", options.max_instructions,
                  "warp instructions after which a launch counts as endless")
      ->check(CLI::PositiveNumber);
  sim->add_flag("--cold", options.cold,
                "every launch finds the modelled L2 empty, as Nsight Compute flushes it before each");
  sim->add_option(
      "--launches", options.launches,
      "count these launches alone: 5-7, 5, or 5- for all from there on; the others are carried out");
  sim->add_option("--kernel", options.kernels, "count launches of this kernel alone; may be given again")
      ->allow_extra_args(false);
  sim->add_flag(
      "--every-launch", options.every_launch,
      "count every launch: without it, one that repeats a launch to the byte of its arguments has that one's counts from its fourth time on");
  sim->callback([&verb] { verb = "sim"; });
}

void add_compare(CLI::App& app, Options& options, std::string& verb) {
  CLI::App* compare = app.add_subcommand(
      "compare", "the rungs of a ladder side by side at full size: grader compare p08..p13");
  compare->fallthrough();
  compare->add_option("puzzles", options.puzzle, "first..last, as in p08..p13")->required();
  compare->add_flag("--block-sizes", options.block_sizes,
                    "64 to 1024 threads a block too, where they are the constant kThreads");
  compare->callback([&verb] { verb = "compare"; });
}

void add_class(CLI::App& app, Options& options, std::string& verb) {
  ClassOptions& asked = options.class_;
  CLI::App* command = app.add_subcommand(
      "class", "grade a class: grader class --puzzles p01..p13 --submissions DIR --roster FILE --out DIR");
  command->fallthrough();
  CLI::Option* puzzles =
      command->add_option("--puzzles", asked.puzzles, "p04, p01..p13, or several with commas");
  command
      ->add_option("--course", asked.course,
                   "in place of --puzzles: a CSV table with the columns puzzle, weight and hidden")
      ->excludes(puzzles);
  command->add_option("--submissions", asked.submissions, "holds a folder or an archive for each student")
      ->required();
  command->add_option("--roster", asked.roster, "a CSV table with the columns id and name")->required();
  command->add_option("--out", asked.out, "where the results go; the same folder resumes")->required();
  command
      ->add_option("--rerun", asked.rerun,
                   "grade again: infra (what the machine prevented), failed (what did not pass too), all")
      ->check(CLI::IsMember({"infra", "failed", "all"}));
  command->add_option("--jobs", asked.jobs, "answers at a time (as many as there are cores)");
  command->add_option("--row-seconds", asked.row_seconds, "by the clock, for one answer (900)")
      ->check([](const std::string& text) -> std::string {
        constexpr double kWeek = 7 * 24 * 3600;
        const double seconds = std::strtod(text.c_str(), nullptr);
        return seconds > 0 && seconds <= kWeek ? "" : text + " is no time from above 0 to a week of seconds";
      });
  command->add_flag("--trust-submissions", asked.trust,
                    "grade even where nothing but limits confines what students wrote");
  command->add_flag(
      "--slurm{submit}", asked.slurm,
      "hand the class to Slurm as an array of tasks; --slurm=print shows the command in place of that");
  command->add_option("--chunk", asked.chunk, "answers for one task of Slurm (10)")
      ->check(CLI::PositiveNumber);
  command->add_option("--sbatch", asked.sbatch, "one more option for sbatch: --sbatch=--partition=NAME")
      ->allow_extra_args(false);
  command->callback([&verb] { verb = "class"; });
}

void add_collect(CLI::App& app, Options& options, std::string& verb) {
  ClassOptions& asked = options.class_;
  CLI::App* collect = app.add_subcommand(
      "collect", "the results of a class that is with Slurm, as far as they are: grader collect OUT");
  collect->fallthrough();
  collect->add_option("out", asked.out, "as --out of class")->required();
  collect->callback([&verb] { verb = "collect"; });
  CLI::App* task = app.add_subcommand("class-task", "what a task of Slurm runs");
  task->group("");
  task->fallthrough();
  task->add_option("out", asked.out)->required();
  task->add_option("--manifest", asked.manifest)->required();
  task->add_option("--task", asked.task)->required();
  task->callback([&verb] { verb = "class-task"; });
}

void add_bench(CLI::App& app, Options& options, std::string& verb) {
  CLI::App* bench = app.add_subcommand(
      "bench", "time a puzzle (or all) on the GPU: yours, the reference, its ladder, copies");
  bench->fallthrough();
  bench->add_option("puzzle", options.puzzle, "p20, 20, layernorm_linear, or all");
  bench->add_flag("--block-sizes", options.block_sizes, "your kernels with 64 to 1024 threads a block");
  bench->add_option("--seconds", options.bench_seconds, "of measuring, for each kind of sample")
      ->check(CLI::PositiveNumber);
  bench->add_flag("--mistakes", options.mistakes,
                  "known mistakes too, of those that are right and cost too much");
  bench->add_flag("--ncu-style", options.ncu_style,
                  "the hardware's own counters of each launch too, by Nsight Compute's names");
  bench->add_flag("--record", options.record, "keep the references' times in assets/recorded/");
  bench->callback([&verb] { verb = "bench"; });
}

void add_dev(CLI::App& app, Options& options, std::string& verb) {
  CLI::App* dev = app.add_subcommand("dev", "for those who write puzzles");
  dev->require_subcommand(1);
  dev->fallthrough();
  const auto dev_verb = [&](const std::string& name, const char* description) {
    CLI::App* command = dev->add_subcommand(name, description);
    command->fallthrough();
    command->callback([&verb, name] { verb = "dev " + name; });
    return command;
  };
  dev_verb("check", "the workbook's own rules, for one puzzle or all")->add_option("puzzle", options.puzzle);
  CLI::App* answers = dev_verb("answers", "how the judge fares with the answers that it is measured with");
  answers->add_option("puzzle", options.puzzle);
  answers->add_flag("--held", options.held, "those too that are kept for a last look");
  answers->add_flag("--check", options.check, "fail where fewer are named than recorded");
  answers->add_flag("--record", options.record, "write down how many are named");
  answers->add_flag("--without-patterns", options.without_patterns, "as if the judge knew no patterns");
  answers->add_option("--only", options.only, "those alone whose file's name has this in it");
  CLI::App* slips =
      dev_verb("slips", "how the judge fares with one slip at a time in answers that are right");
  slips->add_option("puzzle", options.puzzle);
  slips->add_option("--count", options.count, "so many slips (100)")->capture_default_str();
  slips->add_option("--keep", options.keep, "a folder for the texts in which a slip is not told");
  CLI::App* fresh = dev_verb("new", "skeletons of a new puzzle's files");
  fresh->add_option("id", options.puzzle, "p41")->required();
  fresh->add_option("slug", options.slug, "scan_block")->required();
  fresh->add_option("title", options.title, "one line");
  dev_verb("skeletons", "make puzzles/ from solutions/")->add_option("puzzle", options.puzzle);
  CLI::App* parity =
      dev_verb("parity", "the simulator's counts and times against those of a GPU, kernel by kernel");
  parity->add_option("puzzle", options.puzzle, "with --full: of this one alone");
  parity->add_flag("--record", options.record,
                   "count on the GPU of this machine, with Nsight Compute, and keep it");
  parity->add_flag("--new", options.only_new, "with --record: only what the table does not have yet");
  parity->add_flag("--execute-only", options.execute_only,
                   "run the kernels on the GPU, for a profiler to watch");
  parity->add_flag("--full", options.full,
                   "what is modelled at full size against what `bench --mistakes --ncu-style` recorded");
  dev_verb("warm", "compile every reference into the cache");
}

/// What stands behind the names of options, at most kWidth columns wide.
std::string narrow(const std::string& help) {
  constexpr std::size_t kNames = 30;
  std::string text;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const bool option = line.starts_with("  ") && line.size() > kNames;
    text += option ? hanging(line.substr(0, kNames), line.substr(kNames), kWidth) : wrapped(line, kWidth);
  }
  return text;
}

}  // namespace

std::optional<int> read_arguments(std::vector<std::string> words, Options& options) {
  // What stands behind `sim --` is the program's.
  if (const auto end = std::find(words.begin(), words.end(), "--");
      end != words.end() && std::find(words.begin(), end, "sim") != end) {
    options.words.assign(end + 1, words.end());
    words.erase(end, words.end());
  }
  // `all` is a verb by itself; behind `bench` it says which puzzles.
  if (const auto bench = std::find(words.begin(), words.end(), "bench");
      bench != words.end() && bench + 1 != words.end() && *(bench + 1) == "all")
    words.erase(bench + 1);
  // GoogleTest reads its own flags.
  std::erase_if(words, [&](const std::string& word) {
    if (!word.starts_with("--gtest_")) return false;
    options.gtest.push_back(word);
    return true;
  });

  CLI::App app("Fusebox: CUDA puzzles about the bytes that kernels move, and their grader.", "grader");
  app.footer(
      "grader p20 grades a puzzle; --gtest_filter, --gtest_output and --gtest_list_tests work too.\n"
      "Exit codes: 0 passed, 1 not passed, 2 wrong usage, 3 something is missing on this machine, 4 internal error.");
  app.set_help_flag("-h,--help", "this text");
  app.fallthrough();
  add_settings(app, options);
  app.add_option("puzzle", options.puzzle, "p20, 20 or layernorm_linear");
  app.add_flag("--fused", options.fused, "only the fused entry");
  app.add_flag("--unfused", options.unfused, "only the unfused entry");
  app.add_option("--entry", options.entry, "only the entry of this name");

  std::string verb;
  add_learners_verbs(app, options, verb);
  add_sim(app, options, verb);
  add_compare(app, options, verb);
  add_class(app, options, verb);
  add_collect(app, options, verb);
  add_bench(app, options, verb);
  add_dev(app, options, verb);

  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      fmt::print("{}", narrow(app.help()));
      return 0;
    }
    fmt::print(stderr, "grader: {}\n        `grader --help` shows what there is\n", error.what());
    return 2;
  }
  options.verb = !verb.empty() ? verb : options.puzzle.empty() ? "next" : "grade";
  return std::nullopt;
}

}  // namespace fusebox
