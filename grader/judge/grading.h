#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/catalog/puzzle_text.h"
#include "grader/judge/again/grown_case.h"
#include "grader/judge/again/second_call.h"
#include "grader/judge/cases/case_runner.h"
#include "grader/judge/cases/services.h"
#include "grader/judge/cause/cause.h"
#include "grader/judge/full_size.h"
#include "grader/report/report.h"

namespace fusebox {

/// What the reference is run for on the counted case.
enum class ReferenceUse : std::uint8_t {
  always,       ///< its numbers stand beside the learner's in every entry
  on_failures,  ///< only in those whose failure they may explain
  never,        ///< it is not even compiled
};

struct GradingOptions {
  std::filesystem::path file;       ///< what is graded
  std::optional<std::string> text;  ///< graded instead of the file's contents, under its name
  std::filesystem::path reference;  ///< its counterpart in solutions/
  std::uint64_t seed = 0;
  std::vector<std::string> entries;  ///< names; empty: all
  ReferenceUse reference_use = ReferenceUse::always;
  std::vector<Mutant> mutants;  ///< known mistakes that a wrong answer is compared with
  bool explain = true;          ///< look for the cause of a failure
  bool patterns = true;         ///< also by what the numbers prove
  std::uint64_t schedules = 0;  ///< run each case that passes again in so many orders of warps and blocks
  std::string command;          ///< what repeats this run but for the entry and the seed: "grader p20"
  std::string device;           ///< for the report: "simulator (PTX), profile h200"
  /// Told what takes long, "p20 fused: 6 of 20 cases fail, looking for the cause ...", and of its end, "".
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// One grading of one puzzle. Checks can be asked for one by one, in any order; each is worked out once. Once
/// a failure of the machine has been met, error() holds it and every further check is skipped.
class Grading {
 public:
  Grading(const Puzzle& puzzle, Services services, GradingOptions options);

  const Puzzle& puzzle() const { return puzzle_; }
  const GradingOptions& options() const { return options_; }
  const std::vector<const Entry*>& entries() const { return entries_; }
  const std::optional<Error>& error() const { return error_; }

  /// The file can be read and compiles. The first call compiles file and reference side by
  /// side.
  Check check_file();
  /// The host function of an entry is there, with its signature.
  Check check_signature(const Entry& entry);
  /// No blank that the entry needs is empty; Outcome::unsolved otherwise.
  Check check_blanks(const Entry& entry);
  Check check_case(const Entry& entry, const Case& which);
  /// `index` into entry.budgets; skipped when the counted case did not run to its end.
  Check check_budget(const Entry& entry, std::size_t index);

  /// Asks for the recordings of these cases two at a time before they are judged one by one: starting a
  /// process per case is most of the wall time of a file that was compiled before.
  void record_ahead(const std::vector<std::pair<const Entry*, const Case*>>& cases);

  /// A report with nothing checked: what a title is made of.
  Report title() const;

  /// Everything that was checked until now, with tables and ledger, the verdict and what to do next.
  Report report();

  /// Runs what passed its cases, and the reference, at the puzzle's full size, and enters it into `report`.
  /// Nothing when there is no entry whose answers are right. `always`: the reference all the same.
  void run_full_size(Report& report, const FullSizeOptions& options, bool always);

 private:
  struct EntryState {
    std::optional<std::size_t> student_function, reference_function;  ///< into Artifact::functions
    std::string signature_problem;
    std::vector<std::string> empty_blanks, unmarked_blanks;
    std::vector<Check> checks;  ///< in the order in which they were asked for
    std::map<std::string, CaseResult> cases;
    std::optional<CaseResult> reference_run;
    std::string stopped_by;  ///< the case that never ended
    /// The case that failed in place of the one that draws its sizes, and what it is given.
    std::optional<Case> grown;
    std::shared_ptr<const Problem> grown_problem;
    /// By judged shape; and the limits that follow from it for the entries it is compared with, by metric.
    std::map<std::string, FullSizeRun> judged;
    std::map<std::string, double> time_limits;
  };
  struct Recorded {
    Call call;
    RecordResult result;
  };
  struct RecordedTwice {
    SecondCall calls;
    RecordResult result;
  };
  /// Calls of one process before its last.
  struct CallsInARow {
    std::vector<std::shared_ptr<const Problem>> before;
    std::string same;  ///< the size that the one before the last shares with it; empty: there is none
  };
  using Key = std::pair<std::string, std::string>;  ///< entry, case

  void prepare();
  void read_blanks(const std::string& text);
  /// The case with the sizes that it has for the seed.
  const Case& as_drawn(const Case& which);
  std::vector<const Case*> drawn_cases();
  std::shared_ptr<const Problem> problem_for(const Case& which);
  std::shared_ptr<const Problem> make_problem(const Case& drawn) const;
  void compile_both(const SourceFile& source, bool student_too);
  /// What the compiler said of a file; false: no check can follow, and it has been said why.
  bool take_reference(Result<CompileResult> compiled);
  bool take_student(const SourceFile& source, Result<CompileResult> compiled);
  void match_functions();
  Result<CaseResult> run(const CompiledFile& program, std::size_t function, const Entry& entry,
                         const Case& which);
  /// Why the cases of an entry cannot be tried.
  std::optional<Check> obstacle(const Entry& entry);
  const CaseResult* reference_run(const Entry& entry);
  /// Runs the reference's counted cases on the second device, where there is one.
  void start_references();
  /// Why the counted case of an entry cannot be looked at; it has been run where there is no reason.
  std::optional<Check> run_counted(const Entry& entry);
  /// A budget on the modelled time at one of the puzzle's judged shapes.
  Check check_time(const Entry& entry, const Budget& budget);
  /// The learner's entry at a judged shape.
  Result<const FullSizeRun*> judged_run(const Entry& entry, const FullSizeCase& size);
  /// An entry's budgets, with the limits of times that are known; those that are not are left out.
  std::vector<Budget> known_limits(const Entry& entry);
  std::string repeat_command(const Entry& entry) const;
  Result<std::string> other_schedules(const Entry& entry, const Case& which, CaseResult& done);
  /// A host function may be called more than once in a program: one case of an entry is called behind another
  /// and fails where it is wrong there. Nothing of any other case.
  std::optional<Error> call_behind_another(const Entry& entry, const Case& which, CaseResult& done);
  /// A case that draws its sizes fails where the function is wrong at larger ones, which make each block of
  /// its grid go on to more work, or cannot be called at full size. `done` is then what became of that.
  std::optional<Error> grow(const Entry& entry, const Case& which, CaseResult& done);
  /// The way of a case that draws its sizes to full size.
  std::optional<GrowingCase> growing_case(const Case& which) const;
  /// What an entry's function asks for in a case whose answers nobody asks for; absent: that is not known.
  std::optional<RecordResult> record_large(const Entry& entry, const Case& which);
  /// The two cases that an entry's function is called with in a row; null: there are none.
  std::pair<const Case*, const Case*> cases_in_a_row();
  /// What it is called with before the second of them: the first, and one with a size of the second, for each
  /// such size if the file keeps anything in a `static`, else for the likeliest.
  std::vector<CallsInARow> calls_before(const Case& first, const Case& second);
  /// Absent: the last call is right, or nothing follows from them.
  Result<std::optional<SecondCall>> call_in_a_row(const Entry& entry, const CallsInARow& row,
                                                  const Problem& last);
  /// Why an entry failed. `step`: see Services.
  Findings cause_of(const Entry& entry, const EntryReport& report,
                    const std::function<void(const std::string&)>& step);
  /// Of an entry whose answers are right: what its first failing check says.
  std::optional<Cause> cause_of_first(const EntryReport& report) const;
  Check stop_with(Error error);
  Check& keep(const Entry& entry, Check check);
  const Check* kept(const Entry& entry, const std::string& name);
  SideRun side_run(const CaseResult& result) const;
  /// Of a host function's process that ended badly; see Recording. Empty: all ended.
  std::string bad_end() const;

  const Puzzle& puzzle_;
  Services services_;
  GradingOptions options_;
  std::vector<const Entry*> entries_;
  std::optional<Error> error_;

  bool prepared_ = false, references_started_ = false;
  std::string sha256_;
  Check file_check_;
  std::string damaged_marker_;     ///< what is wrong with the markers of the blanks, and where
  bool rewritten_around_ = false;  ///< the text outside the blanks is not what was handed out
  std::vector<std::string> compiler_messages_;
  std::shared_ptr<const CompiledFile> student_, reference_;
  SourceFile reference_source_;
  std::map<std::string, EntryState> states_;
  std::map<std::string, Case> drawn_;  ///< by name, those whose sizes the seed draws
  std::map<std::string, std::shared_ptr<const Problem>> problems_;
  std::map<Key, Recorded> recorded_;
  std::map<Key, RecordedTwice> recorded_twice_;  ///< by entry and the size that calls share
  std::map<Key, RecordResult> recorded_large_;   ///< by entry and shape
  /// By entry. Last, so that it is waited for before anything that it uses goes away.
  std::future<std::map<std::string, Result<CaseResult>>> reference_job_;
};

/// "`a`, `b`"
std::string quoted(const std::vector<std::string>& names);

/// The seed of one case: cases draw apart from each other, so that leaving some out changes nothing in the
/// others.
std::uint64_t case_seed(std::uint64_t seed, const std::string& case_name);

}  // namespace fusebox
