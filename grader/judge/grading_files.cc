#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "grader/judge/cases/compile_like.h"
#include "grader/judge/grading.h"
#include "grader/judge/source/function_match.h"
#include "grader/judge/verdict.h"
#include "grader/toolchain/blanks.h"
#include "grader/toolchain/cache/sha256.h"

// What comes before the checks: reading, looking for the blanks, compiling.

namespace fusebox {
namespace {

std::string with_remedy(const Error& error) {
  return error.remedy.empty() ? std::string{} : "try: " + error.remedy + "\n";
}

Result<std::shared_ptr<const CompiledFile>> compiled_file(const SourceFile& file, Artifact artifact) {
  auto kernels = kernel_parameters(artifact.module);
  if (!kernels) return kernels.error();
  return std::make_shared<const CompiledFile>(
      CompiledFile{file, std::move(artifact), std::move(kernels.value())});
}

}  // namespace

void Grading::prepare() {
  if (prepared_) return;
  prepared_ = true;

  const auto reject = [&](std::string summary, std::string detail) {
    file_check_.outcome = Outcome::failed;
    file_check_.summary = std::move(summary);
    file_check_.detail = std::move(detail);
  };

  auto reference = read_source(options_.reference);
  if (!reference) {
    stop_with({ErrorKind::missing_part, reference.error().what,
               "solutions/ belongs to Fusebox: git checkout -- solutions"});
    return;
  }
  reference_source_ = std::move(reference.value());

  auto source = options_.text ? Result<SourceFile>(SourceFile{options_.file, *options_.text})
                              : read_source(options_.file);
  if (!source) {
    if (source.error().kind != ErrorKind::not_passed)
      stop_with(source.error());
    else
      reject(source.error().what, with_remedy(source.error()));
    return;
  }
  sha256_ = sha256_hex(source->text);

  read_blanks(source->text);

  // A puzzle as it was handed out is unsolved, whatever the compiler would say of it.
  const auto skeleton = strip_blanks(reference_source_.text);
  const bool untouched = skeleton.ok() && skeleton.value() == source->text;
  compile_both(source.value(), !untouched);
}

/// Whose markers stand, and which of them have nothing between them. All of the file is the learner's: what
/// is right without markers is right, only that nothing can be said of one blank.
void Grading::read_blanks(const std::string& text) {
  const auto blanks = find_blanks(text);
  if (!blanks) damaged_marker_ = blanks.error().what;
  for (const Entry& entry : puzzle_.entries) {
    EntryState& state = states_[entry.name];
    if (!blanks) {
      state.unmarked_blanks = entry.blanks;
      continue;
    }
    for (const std::string& name : entry.blanks) {
      const auto found =
          std::find_if(blanks->begin(), blanks->end(), [&](const Blank& b) { return b.name == name; });
      if (found == blanks->end())
        state.unmarked_blanks.push_back(name);
      else if (found->empty)
        state.empty_blanks.push_back(name);
    }
  }
  const auto around = strip_blanks(text), handed_out = strip_blanks(reference_source_.text);
  rewritten_around_ = around && handed_out && *around != *handed_out;
}

void Grading::compile_both(const SourceFile& source, bool student_too) {
  const bool same = source.text == reference_source_.text;
  const bool has_reference = options_.reference_use != ReferenceUse::never;
  const bool reference_too = has_reference && !(same && student_too);

  std::shared_future<Result<CompileResult>> reference_job;
  if (reference_too)
    reference_job = std::async(student_too ? std::launch::async : std::launch::deferred,
                               [&] { return services_.compile(reference_source_); });
  const auto reference_program = [&]() -> const Artifact* {
    if (!reference_too || !reference_job.get()) return nullptr;
    return std::get_if<Artifact>(&reference_job.get().value());
  };
  std::optional<Result<CompileResult>> mine;
  // The reference itself has no other to be launched by.
  if (student_too)
    mine = reference_too ? compile_like(services_, reference_source_, reference_program, source)
                         : services_.compile(source);
  if (reference_too && !take_reference(reference_job.get())) return;
  if (mine) {
    if (!take_student(source, std::move(*mine))) return;
    if (same && has_reference) reference_ = student_;
  }
  match_functions();
  if (file_check_.outcome == Outcome::passed)
    file_check_.summary = student_
                              ? fmt::format("compiles{}", compiler_messages_.empty() ? "" : ", with warnings")
                              : "as it was handed out";
}

bool Grading::take_reference(Result<CompileResult> compiled) {
  if (!compiled) {
    stop_with(compiled.error());
    return false;
  }
  if (const auto* failure = std::get_if<CompileFailure>(&compiled.value())) {
    stop_with(
        {ErrorKind::internal,
         fmt::format("the reference {} does not compile:\n{}", options_.reference.string(), failure->output),
         "git checkout -- solutions"});
    return false;
  }
  auto program = compiled_file(reference_source_, std::move(std::get<Artifact>(compiled.value())));
  if (!program) {
    stop_with(program.error());
    return false;
  }
  reference_ = program.value();
  return true;
}

bool Grading::take_student(const SourceFile& source, Result<CompileResult> compiled) {
  if (!compiled) {
    stop_with(compiled.error());
    return false;
  }
  if (const auto* failure = std::get_if<CompileFailure>(&compiled.value())) {
    file_check_.outcome = Outcome::failed;
    file_check_.summary = describe_compile_failure(*failure);
    file_check_.ended = failure->limited ? FailureKind::compile_limit : FailureKind::compile;
    file_check_.detail = failure->output;
    for (const Diagnostic& d : failure->diagnostics) compiler_messages_.push_back(to_string(d));
    return false;
  }
  Artifact& artifact = std::get<Artifact>(compiled.value());
  for (const Diagnostic& d : artifact.warnings) compiler_messages_.push_back(to_string(d));
  auto program = compiled_file(source, std::move(artifact));
  if (!program) {
    file_check_.outcome = Outcome::failed;
    file_check_.summary = program.error().what;
    file_check_.detail = with_remedy(program.error());
    return false;
  }
  student_ = program.value();
  return true;
}

/// Which of the functions that were compiled are those of the entries.
void Grading::match_functions() {
  for (const Entry& entry : puzzle_.entries) {
    EntryState& state = states_[entry.name];
    if (student_) {
      FunctionMatch match = match_function(entry.signature, student_->artifact.functions);
      state.student_function = match.index;
      state.signature_problem = match.problem;
    }
    if (reference_)
      state.reference_function = match_function(entry.signature, reference_->artifact.functions).index;
  }
}

}  // namespace fusebox
