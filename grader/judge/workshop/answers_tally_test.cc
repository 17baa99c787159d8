#include "grader/judge/workshop/answers_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Tally tally(int named, int symptom) {
  Tally made;
  made.of[static_cast<std::size_t>(Fared::named)] = named;
  made.of[static_cast<std::size_t>(Fared::symptom)] = symptom;
  return made;
}

Result<NamedAtLeast> read(const std::string& text) {
  // Of this process alone: CTest runs several of these tests at once.
  const std::string file = testing::TempDir() + std::to_string(::getpid()) + "named.txt";
  std::ofstream(file) << text;
  return read_named(file);
}

TEST(Named, WhatIsWrittenIsRead) {
  const NamedAtLeast named = {{{"p04", "index"}, 3}, {{"p20", "race"}, 0}};
  const auto again = read(named_text(named));
  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(*again, named);
}

TEST(Named, ALineThatIsNoneIsToldByItsNumber) {
  EXPECT_THAT(read("# a remark\n\np04 index three\n").error().what, HasSubstr("named.txt:3:"));
  EXPECT_THAT(read("p04 index 3 4\n").error().what, HasSubstr("named.txt:1:"));
  EXPECT_FALSE(read_named("nowhere/named.txt"));
}

TEST(Fallen, AClassThatIsNamedLessOrIsGone) {
  const TallyOfClasses classes = {{{"p04", "index"}, tally(2, 1)}, {{"p04", "tail"}, tally(1, 0)}};
  const NamedAtLeast recorded = {
      {{"p04", "index"}, 3}, {{"p04", "race"}, 1}, {{"p04", "tail"}, 1}, {{"p20", "race"}, 5}};
  EXPECT_THAT(fallen(classes, recorded, {"p04"}),
              ElementsAre("p04, index: 2 of 3 are named, 3 were", "p04, race: 0 of 0 are named, 1 were"));
  EXPECT_THAT(fallen(classes, named_of(classes), {"p04", "p20"}), IsEmpty());
}

TEST(Fair, NothingFalseAndNoWrongVerdict) {
  for (const Fared how : {Fared::named, Fared::symptom, Fared::right}) EXPECT_TRUE(is_fair(how));
  for (const Fared how : {Fared::misleading, Fared::untrue, Fared::passed, Fared::rejected})
    EXPECT_FALSE(is_fair(how));
}

}  // namespace
}  // namespace fusebox
