#include "grader/judge/repair/switched_text.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const kManyPlaces = R"(constexpr int kTile = 32;
__global__ void k(float* out, const float* in, int n, int pitch) {
  __shared__ float tile[kTile][kTile + 1];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += kTile) {
    sum += in[i * pitch + k];
    tile[threadIdx.x][k] = sum;
  }
  if (i < n) out[i] = sum / n;
}
)";

/// An edit of these characters of a text.
TextEdit edit_of(std::string_view text, std::string_view was, std::string with, TextEdit::Kind kind) {
  TextEdit edit;
  edit.kind = kind, edit.begin = text.find(was), edit.end = edit.begin + was.size();
  edit.with = std::move(with);
  return edit;
}

// The compiler speaks of the line behind an edit where that is of another type than what it stands for.
TEST(SwitchedText, WhatAnEditStandsForIsALineOfItsToo) {
  const std::string text = "p = q + n;\n";
  const std::size_t begin = text.find('q'), end = text.find(';');
  std::vector<TextEdit> edits(2);
  for (TextEdit& edit : edits) edit.begin = begin, edit.end = end, edit.line = 1;
  edits[0].with = "q - n", edits[1].with = "q ? 1 : 0";
  const SwitchedText switched = with_switches(text, edits, {true, true});
  std::size_t line = 0;
  for (std::size_t at = 0; at < switched.text.find(": q + n"); ++at) line += switched.text[at] == '\n';
  EXPECT_THAT(switched.edits_of_line.at(line), testing::ElementsAre(2u)) << switched.text;
}

TEST(SwitchedText, HasEachEditInALineOfItsOwn) {
  const Edits found(kManyPlaces);
  const SwitchedText switched =
      with_switches(kManyPlaces, found.edits, std::vector<bool>(found.edits.size(), true));
  EXPECT_THAT(switched.text, HasSubstr("extern \"C\" { __constant__ int fusebox_edit; }"));
  std::vector<std::string> lines;
  std::size_t at = 0;
  for (std::size_t end; (end = switched.text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(switched.text.substr(at, end - at));
  ASSERT_EQ(lines.size(), switched.edits_of_line.size());
  std::map<std::size_t, std::size_t> own;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (switched.edits_of_line[i].size() != 1) continue;
    const TextEdit& edit = found.edits[switched.edits_of_line[i][0] - 1];
    const auto puts_it = [&](const EditedPlace& place) { return place.with == lines[i]; };
    if (puts_it(edit) || std::any_of(edit.also.begin(), edit.also.end(), puts_it))
      ++own[switched.edits_of_line[i][0] - 1];
  }
  for (std::size_t e = 0; e < found.edits.size(); ++e)
    EXPECT_EQ(own[e], 1 + found.edits[e].also.size()) << found.edits[e].says;
}

TEST(SwitchedText, AnEditOfTwoPlacesHasOneSwitch) {
  const std::string code = "void k(const float* a, const float* b) {\n  a += kWarp;\n  b += kWarp;\n}\n";
  TextEdit both = edit_of(code, "kWarp", "kGroup", TextEdit::Kind::expression);
  both.also.push_back(both);
  both.also[0].begin = code.rfind("kWarp"), both.also[0].end = both.also[0].begin + 5;
  EXPECT_THAT(with_switches(code, std::vector{both}, {true}).text,
              HasSubstr("? kWarp\n: fusebox_edit == 1 ?\nkGroup\n: kWarp\n);\n  b += (!("));

  const std::string moved = "void k(float* o) {\n  *o += 2;\n  const float d = *o;\n  use(d);\n}\n";
  TextEdit behind = edit_of(moved, "*o += 2;", ";", TextEdit::Kind::statement);
  EditedPlace there;
  there.kind = EditedPlace::Kind::insertion, there.with = "*o += 2;";
  there.begin = there.end = moved.find("  use");
  behind.also.push_back(there);
  const std::string text = with_switches(moved, std::vector{behind}, {}).text;
  EXPECT_THAT(text, HasSubstr("{ if (fusebox_edit == 1) {\n;\n} } else { *o += 2; } }"));
  EXPECT_THAT(text, HasSubstr("{ if (fusebox_edit == 1) {\n*o += 2;\n} } "));
}

TEST(SwitchedText, OfTheHostIsNoneOfTheDevice) {
  const std::string code = "void f(int n, unsigned each) {\n  use(n * 4);\n}\n";
  const std::vector<TextEdit> edits = {edit_of(code, "4", "each", TextEdit::Kind::expression)};
  const std::string text = with_switches(code, edits, {}, Side::host).text;
  EXPECT_THAT(text, HasSubstr("int fusebox_host_edit;"));
  EXPECT_THAT(text, HasSubstr("fusebox_signed(each)")) << "an unsigned number would make others unsigned";
  EXPECT_THAT(text, Not(HasSubstr("__constant__")));
}

TEST(SwitchedText, PlacesThatLieAcrossEachOtherAreForTwoTexts) {
  const std::string code = code_of(R"(__global__ void k(float* o) {
  o[0] = o[1];
  o[1] = o[2];
  o[2] = 0.0f;
})");
  std::vector<TextEdit> reversed;
  for (TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{1, 9}}, {"_Z1kPf"}))
    if (edit.says.ends_with("in this order,")) reversed.push_back(std::move(edit));
  ASSERT_EQ(reversed.size(), 3u) << "the first two, all three, the last two";
  const std::vector<bool> across = lie_across(reversed);
  EXPECT_EQ(std::count(across.begin(), across.end(), true), 1);
  const SwitchedText switched = with_switches(code, reversed, std::vector<bool>(3, true));
  for (std::size_t e = 0; e < 3; ++e)
    EXPECT_EQ(switched.text.find("fusebox_edit == " + std::to_string(e + 1)) == std::string::npos, across[e])
        << reversed[e].says;
}

// Of three calls that return nothing the compiler of kernels cannot choose one: it fails, and names no line.
TEST(SwitchedText, ACallThatIsAllOfAStatementIsChosenAsOne) {
  const std::string code = "__global__ void k(float* o) {\n  if (*o > 0) wait(); else *o = 0;\n}\n";
  const std::vector<TextEdit> edits = {edit_of(code, "wait()", "meet()", TextEdit::Kind::expression),
                                       edit_of(code, "wait()", "part()", TextEdit::Kind::expression)};
  const std::string text = with_switches(code, edits, {}).text;
  EXPECT_THAT(text, HasSubstr("if (*o > 0) do { if (!("));
  EXPECT_THAT(text, HasSubstr("{ wait(); } else if (fusebox_edit == 1) {\nmeet()\n; } "));
  EXPECT_THAT(text, HasSubstr("} while (false); else *o = 0;"));
  EXPECT_THAT(text, Not(HasSubstr("?")));
}

// A kernel would be many times as slow with all switches asked for in each round of a loop. The number behind
// the last edit has a row too: with it a text is tried in which none is made.
TEST(SwitchedText, ABitSaysAtWhichPlacesAnEditIsMade) {
  const std::string loop = "for (int i = 0; i < n; ++i) *o += i;";
  const std::string code = "__global__ void k(float* o, int n) {\n  " + loop + "\n}\n";
  const std::vector<TextEdit> edits = {edit_of(code, loop, ";", TextEdit::Kind::statement),
                                       edit_of(code, "i < n", "i <= n", TextEdit::Kind::expression)};
  const std::string text = with_switches(code, edits, {}).text;
  EXPECT_THAT(text, HasSubstr("fusebox_places[][1] = {{0}, {1}, {2}, {0}};"));
  EXPECT_THAT(text, HasSubstr("{ if (fusebox_places[fusebox_edit][0] & 1u"));
  EXPECT_THAT(text, HasSubstr("i = 0; (!(fusebox_places[fusebox_edit][0] & 2u"));
}

// Where one of two arguments may not be written to, the other one may not be either, says the compiler.
TEST(SwitchedText, WhatStandsForNoneOfTheEditsMayMeanAll) {
  const std::string code = "__global__ void k(float* o) {\n  step(o[0]);\n}\n";
  const std::vector<TextEdit> edits = {edit_of(code, "o[0]", "o[1]", TextEdit::Kind::expression),
                                       edit_of(code, "o[0]", "o[2]", TextEdit::Kind::expression)};
  const SwitchedText switched = with_switches(code, edits, {});
  std::size_t line = 0;
  for (std::size_t at = 0; at < switched.text.find("? o[0]"); ++at) line += switched.text[at] == '\n';
  EXPECT_THAT(switched.edits_of_line.at(line), testing::ElementsAre(1u, 2u)) << switched.text;
}

TEST(SwitchedText, LeavesOutWhatIsNotKept) {
  const Edits found(kManyPlaces);
  const SwitchedText none = with_switches(kManyPlaces, found.edits, std::vector<bool>(found.edits.size()));
  EXPECT_THAT(none.text, HasSubstr(kManyPlaces));
  EXPECT_THAT(none.text, Not(HasSubstr("fusebox_edit ==")));
}

}  // namespace
}  // namespace fusebox
