#include "viewer/model/book/book.h"

namespace fusebox::view {
namespace {

const EntryReport* entry_of(const Report& report, const std::string& name) {
  for (const EntryReport& entry : report.entries)
    if (entry.entry == name) return &entry;
  return nullptr;
}

const SideRun* run_of(const std::optional<SideRun>& run) { return run ? &*run : nullptr; }

Metric metric(const char* tag, const char* name, const char* description, Unit unit, double value,
              Source source) {
  return {tag, name, description, unit, value, source};
}

bool usable(const std::optional<FullSizeRun>& run) {
  return run && run->problem.empty() && !run->launches.empty();
}

std::optional<SideRun> side_of(const std::optional<FullSizeRun>& from, const std::string& shape) {
  if (!usable(from)) return std::nullopt;
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  SideRun run;
  run.launches = from->launches;
  run.counted_case = shape;
  run.metrics = {
      metric("launches", "launches", "Kernels, copies and memsets.", Unit::count,
             number(from->launches.size()), Source::counted),
      metric("bytes.requested", "bytes requested", "32 bytes for every sector that a warp asked for.",
             Unit::bytes, number(from->requested_bytes), Source::counted),
      metric("bytes.compulsory", "bytes compulsory", "32 bytes for every distinct sector of each launch.",
             Unit::bytes, number(from->compulsory_bytes), Source::counted),
      metric("bytes.dram", "DRAM bytes", "Read, written, and left in L2 to be written, by the cache model.",
             Unit::bytes, number(from->dram_bytes()), Source::modelled),
      metric("time", "time", "Of all launches.", Unit::seconds, from->seconds, Source::modelled)};
  return run;
}

void use_full_size(Report& report) {
  for (EntryReport& entry : report.entries) {
    entry.student.reset(), entry.reference.reset();
    if (!report.full_size) continue;
    for (const FullSizeEntry& full : report.full_size->entries)
      if (full.entry == entry.entry) {
        entry.student = side_of(full.student, report.full_size->shape);
        entry.reference = side_of(full.reference, report.full_size->shape);
      }
  }
}

}  // namespace

bool has_full_size(const Report& report) {
  if (!report.full_size) return false;
  for (const FullSizeEntry& entry : report.full_size->entries)
    if (usable(entry.student) || usable(entry.reference)) return true;
  return false;
}

Book at_full_size(const Book& book) {
  Book full = book;
  full.full_size = true;
  use_full_size(full.report);
  if (full.before) use_full_size(*full.before);
  if (full.other) use_full_size(*full.other);
  for (Report& step : full.ladder) use_full_size(step);
  return full;
}

std::string size_text(const Book& book) {
  if (book.full_size) return "at full size, " + (book.report.full_size ? book.report.full_size->shape : "");
  for (const Side& side : sides_of(book))
    if (!side.run->counted_case.empty()) return "the counted case, " + side.run->counted_case;
  return "the counted case";
}

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
