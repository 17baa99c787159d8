#include "viewer/model/panels/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fusebox::view {
namespace {

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string with_spaces(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t')
      text.append(4 - text.size() % 4, ' ');
    else if (c != '\r')
      text += c;
  }
  return text;
}

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

/// How many bytes the first `columns` characters take.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (begins_character(text[at]) && columns-- == 0) break;
  return at;
}

void split(const std::string& source, Listing& listing) {
  bool inside = false;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    ListingLine line;
    line.text = with_spaces(std::string_view(source).substr(begin, end - begin));
    if (line.text.find("// END:") != std::string::npos) inside = false, line.blank_mark = true;
    line.hidden = inside;
    if (line.text.find("// FILL ME IN:") != std::string::npos) inside = true, line.blank_mark = true;
    line.columns = characters(line.text);
    listing.lines.push_back(std::move(line));
    begin = end + 1;
  }
}

}  // namespace

Listing listing_of(const Book& book, bool student) {
  Listing listing;
  const Report& report = !student && book.other ? *book.other : book.report;
  listing.title = name_of(report.file);
  const bool graded_there = student || book.other;
  split(graded_there ? report.source : report.reference_source, listing);
  if (listing.lines.empty()) {
    listing.problem = "This report does not hold the file's text. Grade again to have it.";
    return listing;
  }
  const auto line_at = [&](const std::string& file, int number) -> ListingLine* {
    if (name_of(file) != listing.title || number < 1 || number > static_cast<int>(listing.lines.size()))
      return nullptr;
    return &listing.lines[static_cast<std::size_t>(number) - 1];
  };
  const auto add_fault = [&](const Fault& fault) {
    ListingLine* line = line_at(fault.file, fault.line);
    if (line && std::none_of(line->faults.begin(), line->faults.end(), [&](const Fault* f) {
          return f->what == fault.what && f->kernel == fault.kernel;
        }))
      line->faults.push_back(&fault);
    // Both ends of a race are as wrong as each other.
    ListingLine* other = fault.other_line != fault.line ? line_at(fault.file, fault.other_line) : nullptr;
    if (other && std::find_if(other->other_ends.begin(), other->other_ends.end(), [&](const Fault* f) {
                   return f->line == fault.line;
                 }) == other->other_ends.end())
      other->other_ends.push_back(&fault);
  };
  for (const EntryReport& entry : report.entries) {
    if (graded_there && entry.cause)
      if (ListingLine* line = line_at(entry.cause->file, entry.cause->line)) line->told = true;
    if (graded_there)
      for (const Check& check : entry.checks)
        if (check.fault) add_fault(*check.fault);
    const auto& run = graded_there ? entry.student : entry.reference;
    if (!run) continue;
    for (const LaunchRecord& launch : run->launches) {
      for (const Fault& fault : launch.faults) add_fault(fault);
      for (const LineTraffic& traffic : launch.lines) {
        ListingLine* line = line_at(traffic.file, traffic.line);
        if (!line) continue;
        line->requests += traffic.requests, line->sectors += traffic.sectors;
        line->ideal_sectors += traffic.ideal_sectors, line->lanes += traffic.lanes;
        line->bank_conflicts += traffic.bank_conflicts;
        line->warp_instructions += traffic.warp_instructions;
        listing.traffic = true;
      }
    }
  }
  for (const ListingLine& line : listing.lines) {
    listing.max_sectors = std::max(listing.max_sectors, line.sectors);
    listing.all_sectors += line.sectors;
  }
  return listing;
}

std::size_t line_to_open(const Listing& listing) {
  const auto place = [&](auto found) { return static_cast<std::size_t>(found - listing.lines.begin()); };
  const auto told =
      std::find_if(listing.lines.begin(), listing.lines.end(), [](const auto& l) { return l.told; });
  if (told != listing.lines.end()) return place(told);
  const auto wrong = std::find_if(listing.lines.begin(), listing.lines.end(),
                                  [](const auto& l) { return !l.faults.empty(); });
  if (wrong != listing.lines.end()) return place(wrong);
  const auto most = std::max_element(listing.lines.begin(), listing.lines.end(),
                                     [](const auto& a, const auto& b) { return a.sectors < b.sectors; });
  return most == listing.lines.end() || most->sectors == 0 ? 0 : place(most);
}

std::vector<std::string_view> wrapped(std::string_view line, std::size_t columns) {
  std::vector<std::string_view> pieces;
  columns = std::max<std::size_t>(columns, 8);
  while (characters(line) > columns) {
    const std::size_t most = bytes_of(line, columns);
    const std::size_t good = line.substr(0, most).find_last_of(" ,;(");
    // A break inside the indentation would gain nothing.
    const bool useful = good != line.npos && good > line.find_first_not_of(' ') && good > most / 2;
    const std::size_t cut = useful ? good + 1 : most;
    pieces.push_back(line.substr(0, cut));
    line.remove_prefix(cut);
  }
  pieces.push_back(line);
  return pieces;
}

std::string to_text(const Listing& listing) {
  std::string text = listing.title + (listing.problem.empty() ? "" : ": " + listing.problem) + "\n";
  for (std::size_t i = 0; i < listing.lines.size(); ++i) {
    const ListingLine& line = listing.lines[i];
    if (line.sectors > 0 || line.bank_conflicts > 0)
      text +=
          fmt::format("  {}: {} requests, {} sectors, {} ideal, {} conflicts{}\n", i + 1, line.requests,
                      line.sectors, line.ideal_sectors, line.bank_conflicts, line.hidden ? ", hidden" : "");
    if (line.told) text += fmt::format("  {}: the verdict is about it\n", i + 1);
    for (const Fault* fault : line.other_ends)
      text += fmt::format("  {}: the other end of line {}'s race\n", i + 1, fault->line);
    for (const Fault* fault : line.faults) text += fmt::format("  {}: fault {}\n", i + 1, fault->what);
  }
  return text;
}

}  // namespace fusebox::view
