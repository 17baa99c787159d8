#include "viewer/model/book.h"

namespace fusebox::view {
namespace {

const EntryReport* entry_of(const Report& report, const std::string& name) {
  for (const EntryReport& entry : report.entries)
    if (entry.entry == name) return &entry;
  return nullptr;
}

const SideRun* run_of(const std::optional<SideRun>& run) { return run ? &*run : nullptr; }

}  // namespace

const SideRun* student_of(const Book& book, const std::string& entry) {
  const EntryReport* found = entry_of(book.report, entry);
  return found ? run_of(found->student) : nullptr;
}

const SideRun* reference_of(const Book& book, const std::string& entry) {
  const EntryReport* found = entry_of(book.other ? *book.other : book.report, entry);
  if (!found) return nullptr;
  // Of another report it is what was graded there that is compared with.
  if (book.other && found->student) return &*found->student;
  return run_of(found->reference);
}

const SideRun* before_of(const Book& book, const std::string& entry) {
  const EntryReport* found = book.before ? entry_of(*book.before, entry) : nullptr;
  return found ? run_of(found->student) : nullptr;
}

std::vector<Side> sides_of(const Book& book) {
  std::vector<Side> sides;
  const bool many = book.report.entries.size() > 1;
  for (const EntryReport& entry : book.report.entries) {
    const auto add = [&](const char* label, const SideRun* run) {
      if (run) sides.push_back({entry.entry, label, run, many ? entry.entry + " · " + label : label});
    };
    add("you", student_of(book, entry.entry));
    add("reference", reference_of(book, entry.entry));
  }
  return sides;
}

const Metric* metric_of(const SideRun* run, const std::string& tag) {
  if (!run) return nullptr;
  for (const Metric& metric : run->metrics)
    if (metric.tag == tag) return &metric;
  return nullptr;
}

std::optional<double> value_of(const SideRun* run, const std::string& tag) {
  const Metric* metric = metric_of(run, tag);
  return metric ? metric->value : std::nullopt;
}

std::string source_text(Source source, const Report& report) {
  switch (source) {
    case Source::counted:
      return "counted";
    case Source::modelled:
      return "modelled for " + (report.gpus.empty() ? std::string("a GPU") : report.gpus.front().full_name);
    case Source::measured:
      return "measured on " + report.device;
    case Source::recorded:
      return "recorded on " + report.device;
  }
  return "";
}

}  // namespace fusebox::view
