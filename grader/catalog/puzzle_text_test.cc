#include "grader/catalog/puzzle_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace fusebox {
namespace {

using testing::HasSubstr;

const char kTwo[] = R"(# Known mistakes

Prose before the first one is for people.

## no_beta

- says: LayerNorm without beta
- entry: unfused
- blank: layernorm
- fails: wrong answer

- edit: ` + beta[h]` → ``
- edit: `gamma` → `delta`

## no_barrier

- says: a kernel without the barrier
- entry: fused
- blank: stats
- fails: fault (race-shared)

```diff
   sum();
-  __syncthreads();
+  __syncwarp();
```
)";

TEST(Mutants, AreReadWithTheirEdits) {
  const auto mutants = parse_mutants(kTwo, "m.md");
  ASSERT_TRUE(mutants) << mutants.error().what;
  ASSERT_EQ(mutants->size(), 2u);
  const Mutant &first = (*mutants)[0], &second = (*mutants)[1];
  EXPECT_EQ(first.name, "no_beta");
  EXPECT_EQ(first.says, "LayerNorm without beta");
  EXPECT_EQ(first.entry, "unfused");
  EXPECT_EQ(first.blank, "layernorm");
  EXPECT_EQ(first.reason, Reason::wrong_answer);
  EXPECT_EQ(first.line, 5);
  ASSERT_EQ(first.edits.size(), 2u);
  EXPECT_EQ(first.edits[0].from, " + beta[h]");
  EXPECT_EQ(first.edits[0].to, "");
  EXPECT_EQ(second.reason, Reason::fault);
  EXPECT_EQ(second.detail, "race-shared");
  ASSERT_EQ(second.edits.size(), 1u);
  EXPECT_EQ(second.edits[0].from, "  sum();\n  __syncthreads();\n");
  EXPECT_EQ(second.edits[0].to, "  sum();\n  __syncwarp();\n");
}

TEST(Mutants, AWholeBodyKeepsItsHeadingsAndLists) {
  const auto mutants = parse_mutants(
      "## whole\n- says: a\n- entry: e\n- blank: b\n- fails: over budget (launches)\n```cuda\n## x\n- y\n\nz;\n```\n",
      "m.md");
  ASSERT_TRUE(mutants) << mutants.error().what;
  EXPECT_EQ((*mutants)[0].fragment, "## x\n- y\n\nz;\n");
  EXPECT_EQ((*mutants)[0].detail, "launches");
}

struct Malformed {
  const char* name;
  const char* text;
  int line;
  const char* says;
};
class MalformedMutants : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedMutants, IsASentenceWithFileAndLine) {
  const auto mutants = parse_mutants(GetParam().text, "assets/m.md");
  ASSERT_FALSE(mutants);
  EXPECT_THAT(mutants.error().what,
              testing::StartsWith("assets/m.md:" + std::to_string(GetParam().line) + ": "));
  EXPECT_THAT(mutants.error().what, HasSubstr(GetParam().says));
  EXPECT_FALSE(mutants.error().remedy.empty());
}

#define HEAD "## a\n- says: s\n- entry: e\n- blank: b\n"
INSTANTIATE_TEST_SUITE_P(
    Files, MalformedMutants,
    testing::Values(
        Malformed{"empty", "# title\n", 1, "no known mistake"},
        Malformed{"name", "## No Beta\n", 1, "no name of a mistake"},
        Malformed{"twice", HEAD "- fails: wrong answer\n- edit: `x` → `y`\n## a\n", 7, "second mistake"},
        Malformed{"lacks", "## a\n- says: s\n", 1, "lacks entry, blank, fails, an edit"},
        Malformed{"reason", HEAD "- fails: badly\n", 5, "no way to fail"},
        Malformed{"fault_of_no_kind", HEAD "- fails: fault\n", 5, "no way to fail"},
        Malformed{"arrow", HEAD "- fails: wrong answer\n- edit: `x` -> `y`\n", 6, "cannot be read"},
        Malformed{"nothing_to_find", HEAD "- fails: wrong answer\n- edit: `` → `y`\n", 6, "cannot be read"},
        Malformed{"key", HEAD "- because: x\n", 5, "because"},
        Malformed{"says_twice", HEAD "- says: t\n", 5, "once"},
        Malformed{"stray", HEAD "prose\n", 5, "belongs to nothing"},
        Malformed{"language", HEAD "```\nx\n```\n", 5, "```cuda"},
        Malformed{"open_block", HEAD "- fails: wrong answer\n```cuda\nx\n", 6, "never closed"},
        Malformed{"both", HEAD "- fails: wrong answer\n- edit: `x` → `y`\n```cuda\nz\n```\n", 1,
                  "edits and a whole body"},
        Malformed{"diff_adds_only", HEAD "- fails: wrong answer\n```diff\n+x\n```\n", 6, "diff"}),
    [](const auto& info) { return info.param.name; });

TEST(Mutated, EditsWhatIsThereExactlyOnce) {
  Mutant mutant;
  mutant.name = "m", mutant.blank = "body";
  mutant.edits = {{"b", "c"}, {"c;", "d;"}};
  EXPECT_EQ(*mutated(mutant, "a + b;"), "a + d;");
  mutant.edits = {{"a", "b"}};
  EXPECT_THAT(mutated(mutant, "a + a").error().what, HasSubstr("more than once"));
  EXPECT_THAT(mutated(mutant, "x").error().what, HasSubstr("`a`, which is in blank `body` nowhere"));
}

TEST(Hints, AreSectionsOfAnyMarkdown) {
  const auto hints =
      parse_hints("# Hints\n\n## First\n\nLook.\n\n## Second\n```cuda\n## not one\n```\n", "h.md");
  ASSERT_TRUE(hints) << hints.error().what;
  ASSERT_EQ(hints->size(), 2u);
  EXPECT_EQ((*hints)[0].title, "First");
  EXPECT_EQ((*hints)[0].body, "Look.");
  EXPECT_EQ((*hints)[1].body, "```cuda\n## not one\n```");
  EXPECT_THAT(parse_hints("prose\n", "h.md").error().what, HasSubstr("h.md:1: there is no hint"));
  EXPECT_THAT(parse_hints("## a\n\n## b\ntext\n", "h.md").error().what,
              HasSubstr("h.md:1: the hint `a` says nothing"));
}

TEST(Texts, AFileThatIsMissingOrEmptyIsNamed) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("texts" + std::to_string(::getpid()));
  Puzzle puzzle;
  puzzle.id = "p98", puzzle.slug = "lost";
  const TextFiles files(folder, puzzle);
  EXPECT_THAT(load_lesson(files).error().what, HasSubstr("p98_lost/lesson.md"));
  std::filesystem::create_directories(files.lesson.parent_path());
  std::ofstream(files.hints) << "\n \n";
  EXPECT_THAT(load_hints(files).error().what, HasSubstr("hints.md:1: the file is empty"));
  std::filesystem::create_directories(files.mutants);
  EXPECT_FALSE(load_mutants(files));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fusebox
