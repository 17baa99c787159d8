// What is handed to Slurm, and what is made of its answers: sbatch is a script here.
#include "grader/classroom/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>

#include "grader/classroom/canaries.h"
#include "grader/toolchain/cache/cache.h"

namespace fusebox::classroom {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Slurm : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-slurm-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    store_ = RowStore(folder_ / "rows");
    settings_.how = {"/there/grader", "/there", "/there/cache", "", 7, 30};
    settings_.submissions = folder_ / "handed";
    settings_.version = "v";
    settings_.puzzles = {{"p01", "p01_copy.cu"}, {"p04", "p04_gelu.cu"}};
    settings_.students = {{"ada", "A"}, {"bob", "B"}};
    for (const char* student : {"ada", "bob"})
      for (const char* file : {"p01_copy.cu", "p04_gelu.cu"}) hand_in(student, file, "text");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void hand_in(const std::string& student, const std::string& file, const std::string& text) {
    fs::create_directories(folder_ / "handed" / student);
    std::ofstream(folder_ / "handed" / student / file) << text;
  }
  /// As a machine that confines by `tier` would keep it, graded from the text that is there now.
  void keep(Pick pick, Verdict verdict, const std::string& tier = "Landlock 3, seccomp", double seconds = 1) {
    Row row;
    row.student = settings_.students[pick.student].id;
    row.puzzle = settings_.puzzles[pick.puzzle].id;
    row.verdict = verdict;
    row.tier = tier;
    row.seconds = seconds;
    row.key = row_key(settings_, tier, settings_.puzzles[pick.puzzle], digest_of(handed_in(settings_, pick)));
    ASSERT_FALSE(store_.keep(row));
  }
  Manifest written(Manifest manifest) const {
    EXPECT_FALSE(write_manifest(folder_ / "slurm/manifest.json", manifest));
    const auto read = read_manifest(folder_ / "slurm/manifest.json");
    EXPECT_TRUE(read.ok());
    return read.ok() ? *read : Manifest{};
  }
  Result<std::string> submit_to(const std::string& script) const {
    fs::create_directories(folder_ / "bin");
    std::ofstream(folder_ / "bin/sbatch") << "#!/bin/sh\n" << script;
    fs::permissions(folder_ / "bin/sbatch", fs::perms::owner_all);
    return submit({(folder_ / "bin/sbatch").string(), "--parsable", "array.sh"});
  }

  fs::path folder_;
  BatchSettings settings_;
  RowStore store_{""};
};

TEST_F(Slurm, AManifestComesBackAsItWas) {
  settings_.how.memory_mib = 512;
  settings_.how.backend = "gpu";
  settings_.jobs = 3;
  settings_.how.unpacker = "/there/unpacker";
  Manifest manifest = make_manifest(settings_, store_);
  manifest.trusted = true;
  manifest.chunk = 2;
  const Manifest read = written(manifest);
  EXPECT_EQ(read.settings.how.seed, 7u);
  EXPECT_EQ(read.settings.how.seconds, 30);
  EXPECT_EQ(read.settings.how.memory_mib, 512u);
  EXPECT_EQ(read.settings.how.backend, "gpu");
  EXPECT_EQ(read.settings.jobs, 3u);
  EXPECT_EQ(read.settings.how.unpacker, "/there/unpacker");
  EXPECT_EQ(read.settings.version, "v");
  EXPECT_EQ(read.settings.submissions, settings_.submissions);
  EXPECT_TRUE(read.trusted);
  EXPECT_EQ(read.tasks(), 2u);
  EXPECT_EQ(read.settings.students.at(1).name, "B");
  EXPECT_EQ(read.settings.puzzles.at(1).file_name, "p04_gelu.cu");
  EXPECT_EQ(read.answers.at(2).digest, manifest.answers.at(2).digest);
  EXPECT_EQ(read.id, written(read).id);
}

TEST_F(Slurm, WhatACourseAsksForReachesTasksAndResults) {
  settings_.course = true;
  settings_.puzzles[1].weight = 2.5;
  settings_.puzzles[1].hidden = 3;
  const Manifest read = written(make_manifest(settings_, store_));
  EXPECT_EQ(read.settings.puzzles.at(1).hidden, 3u);
  keep({0, 1}, Verdict::pass);
  EXPECT_EQ(collect(read, store_).results.weights.at("p04"), 2.5);
  EXPECT_EQ(collect(read, store_).left.size(), 3u);
  // With other hidden seeds or cases it is another verdict.
  settings_.puzzles[1].hidden = 4;
  EXPECT_EQ(collect(written(make_manifest(settings_, store_)), store_).left.size(), 4u);
  settings_.puzzles[1].hidden = 3;
  settings_.puzzles[1].cases = "n=7";
  const Manifest other = written(make_manifest(settings_, store_));
  EXPECT_EQ(other.settings.puzzles.at(1).cases, "n=7");
  EXPECT_EQ(collect(other, store_).left.size(), 4u);
}

TEST_F(Slurm, TheSeedIsReadableToItsOwnerAlone) {
  written(make_manifest(settings_, store_));
  struct stat status {};
  ASSERT_EQ(stat((folder_ / "slurm/manifest.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(Slurm, ADamagedManifestIsSaidToBe) {
  fs::create_directory(folder_ / "slurm");
  for (const char* text : {"", "{", "[]", R"({"how":{}})", "null"}) {
    std::ofstream(folder_ / "slurm/manifest.json") << text;
    const auto read = read_manifest(folder_ / "slurm/manifest.json");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(read.error().what, HasSubstr("is damaged"));
  }
  // An answer of a student that is not there.
  Manifest manifest = make_manifest(settings_, store_);
  manifest.settings.students.pop_back();
  ASSERT_FALSE(write_manifest(folder_ / "slurm/manifest.json", manifest));
  EXPECT_FALSE(read_manifest(folder_ / "slurm/manifest.json").ok());
  EXPECT_THAT(read_manifest(folder_ / "none.json").error().remedy, HasSubstr("--slurm"));
}

TEST_F(Slurm, WhatHasARowIsNotHandedInAgain) {
  keep({0, 0}, Verdict::pass);
  keep({0, 1}, Verdict::wrong_answer, "Landlock 6, seccomp");  // another machine's confinement counts as well
  keep({1, 0}, Verdict::infra_error);
  EXPECT_EQ(make_manifest(settings_, store_).queued(), 2u);
  settings_.rerun = Rerun::failed;
  EXPECT_EQ(make_manifest(settings_, store_).queued(), 3u);
  settings_.rerun = Rerun::all;
  EXPECT_EQ(make_manifest(settings_, store_).queued(), 4u);
}

TEST_F(Slurm, ATaskDoesWhatIsLeftOfItsChunk) {
  Manifest manifest = make_manifest(settings_, store_);
  manifest.chunk = 3;
  EXPECT_EQ(left_of_task(manifest, 0, store_).size(), 3u);
  EXPECT_EQ(left_of_task(manifest, 1, store_).size(), 1u);
  EXPECT_EQ(left_of_task(manifest, 2, store_).size(), 0u);
  keep({0, 0}, Verdict::pass);
  keep({0, 1}, Verdict::infra_error);
  const auto left = left_of_task(manifest, 0, store_);
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].puzzle, 1u);
  EXPECT_EQ(left[1].student, 1u);
}

TEST_F(Slurm, WhatIsAskedForOnceMoreIsDoneOnce) {
  keep({0, 0}, Verdict::pass);
  settings_.rerun = Rerun::all;
  const Manifest manifest = make_manifest(settings_, store_);
  EXPECT_EQ(left_of_task(manifest, 0, store_).size(), 4u);
  EXPECT_EQ(find_row(manifest, manifest.answers[0], store_).standing, Standing::again);
  keep({0, 0}, Verdict::pass, "Landlock 3, seccomp", 2);
  EXPECT_EQ(left_of_task(manifest, 0, store_).size(), 3u);
}

TEST_F(Slurm, CollectingNamesWhatIsLeftAndWhy) {
  keep({0, 0}, Verdict::pass);
  keep({0, 1}, Verdict::infra_error);
  keep({1, 0}, Verdict::pass);
  hand_in("bob", "p01_copy.cu", "another text");
  const Collected collected = collect(make_manifest(settings_, store_), store_);
  ASSERT_EQ(collected.left.size(), 3u);
  EXPECT_EQ(collected.left[0].standing, Standing::infra);
  EXPECT_EQ(collected.left[1].standing, Standing::outdated);
  EXPECT_EQ(collected.left[2].standing, Standing::missing);
  // The machine's fault is in the tables as such; a verdict of another text is in none.
  EXPECT_EQ(collected.results.rows.size(), 2u);
  EXPECT_EQ(collected.results.find("ada", "p04")->verdict, Verdict::infra_error);
  EXPECT_EQ(collected.results.find("bob", "p01"), nullptr);
}

TEST_F(Slurm, ARowThatNothingConfinedCountsOnlyWhereThatWasAskedFor) {
  keep({0, 0}, Verdict::pass, kTrustedTier);
  Manifest manifest = make_manifest(settings_, store_);
  EXPECT_EQ(find_row(manifest, manifest.answers[0], store_).standing, Standing::outdated);
  manifest.trusted = true;
  EXPECT_EQ(find_row(manifest, manifest.answers[0], store_).standing, Standing::done);
}

TEST_F(Slurm, ATaskAsksForWhatItsLimitsAllow) {
  settings_.how.seconds = 600;
  Manifest manifest = make_manifest(settings_, store_);
  manifest.chunk = 4;
  TaskNeeds needs = needs_of_task(manifest);
  EXPECT_EQ(needs.cores, 1u);
  EXPECT_EQ(needs.minutes, 10u * (4 * 2 + 3) + 1);  // each once more, and the canaries
  EXPECT_EQ(needs.memory_mib, 3 * 2048u + 512u);
  manifest.settings.jobs = 2;
  manifest.settings.how.memory_mib = 512;  // less than the compiler may take
  needs = needs_of_task(manifest);
  EXPECT_EQ(needs.cores, 2u);
  EXPECT_EQ(needs.minutes, 10u * (2 * 2 + 3) + 1);
  EXPECT_EQ(needs.memory_mib, 2 * (4096u + 512u));
  manifest.settings.jobs = 64;  // more than there are answers
  EXPECT_EQ(needs_of_task(manifest).cores, 4u);
}

TEST_F(Slurm, AnArrayHasNoMoreTasksThanSlurmTakesByDefault) {
  EXPECT_EQ(usual_chunk(1), 10u);
  EXPECT_EQ(usual_chunk(10'000), 10u);
  EXPECT_EQ(usual_chunk(10'001), 11u);
}

TEST_F(Slurm, TheScriptSaysWhatATaskNeeds) {
  Manifest manifest = make_manifest(settings_, store_);
  manifest.chunk = 3;
  manifest.id = "0123";
  const std::string script = array_script(manifest, "/a b/grader", "/out's");
  EXPECT_THAT(script, HasSubstr("\n#SBATCH --array=0-1\n"));
  EXPECT_THAT(script, HasSubstr("\n#SBATCH --requeue\n"));
  EXPECT_THAT(script, HasSubstr("\n#SBATCH --mem=6656M\n"));
  EXPECT_THAT(script, HasSubstr("exec '/a b/grader' class-task '/out'\\''s' --manifest 0123"));
  EXPECT_THAT(script, Not(HasSubstr("gres")));
  manifest.settings.how.backend = "gpu";
  EXPECT_THAT(array_script(manifest, "grader", "out"), HasSubstr("\n#SBATCH --gres=gpu:1\n"));
}

TEST_F(Slurm, AJobsNumberIsReadOutOfWhatSbatchPrints) {
  const std::pair<const char*, const char*> answers[] = {
      {"echo 17", "17"},
      {"echo '17;east'", "17"},
      {"echo 'sbatch: warning: the night is short' >&2; echo 18", "18"},
      {"echo 18; echo 'sbatch: 2 nodes are down' >&2", "18"}};
  for (const auto& [script, job] : answers) {
    const auto submitted = submit_to(script);
    ASSERT_TRUE(submitted.ok()) << script;
    EXPECT_EQ(*submitted, job) << script;
  }
  EXPECT_FALSE(submit_to("echo Submitted").ok());
}

// What sbatch of Slurm 22.05 and later prints, line by line.
TEST_F(Slurm, WhatSlurmRefusesIsToldWithWhatToDo) {
  struct Case {
    const char* printed;
    const char* what;
    const char* remedy;
  };
  const Case cases[] = {
      {"sbatch: error: invalid partition specified: nope\n"
       "sbatch: error: Batch job submission failed: Invalid partition name specified",
       "no such partition", "--sbatch=--partition=NAME"},
      {"sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified",
       "this account", "--sbatch=--account=NAME"},
      {"sbatch: error: Batch job submission failed: Invalid qos specification", "quality of service",
       "--sbatch=--qos=NAME"},
      {"sbatch: error: QOSMaxSubmitJobPerUserLimit\n"
       "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, "
       "user's size and/or time limits)",
       "a limit on your jobs", "larger --chunk"},
      {"sbatch: error: AssocMaxSubmitJobLimit", "a limit on your jobs", "wait until some"},
      {"sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying", "no more jobs now",
       "wait until some"},
      {"sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some "
       "limit)",
       "more time than the partition gives", "smaller --chunk"},
      {"sbatch: error: Batch job submission failed: Invalid job array specification",
       "more tasks than Slurm takes", "larger --chunk"},
      {"sbatch: error: Invalid generic resource (gres) specification", "has a GPU", "--backend gpu"},
      {"sbatch: error: Memory specification can not be satisfied\n"
       "sbatch: error: Batch job submission failed: Requested node configuration is not available",
       "has the memory", "--memory"},
      {"sbatch: error: Batch job submission failed: Requested node configuration is not available",
       "what a task asks for", "--jobs"},
      {"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
       "does not answer", "squeue --me"},
      {"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)",
       "does not answer", "squeue --me"},
      {"sbatch: fatal: Unable to process configuration file", "exit code 1: sbatch: fatal",
       "the same command"},
      {"", "it says nothing", "the same command"},
  };
  for (const Case& each : cases) {
    const auto submitted = submit_to("cat >&2 <<'END'\n" + std::string(each.printed) + "\nEND\nexit 1\n");
    ASSERT_FALSE(submitted.ok()) << each.printed;
    EXPECT_THAT(submitted.error().what, HasSubstr(each.what)) << each.printed;
    EXPECT_THAT(submitted.error().remedy, HasSubstr(each.remedy)) << each.printed;
    EXPECT_EQ(submitted.error().kind, ErrorKind::missing_part);
  }
}

TEST_F(Slurm, ACommandIsPrintedAsOneTypesIt) {
  EXPECT_EQ(typed({"sbatch", "--chdir=/a b", "it's", "$(x)", ""}),
            "sbatch '--chdir=/a b' 'it'\\''s' '$(x)' ''");
}

}  // namespace
}  // namespace fusebox::classroom
