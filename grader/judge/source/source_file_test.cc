#include "grader/judge/source/source_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SourceFiles : public testing::Test {
 protected:
  SourceFiles() : folder_(fs::temp_directory_path() / ("fusebox_source_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~SourceFiles() override { fs::remove_all(folder_); }

  fs::path write(const std::string& text) {
    const fs::path path = folder_ / "p.cu";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  fs::path folder_;
};

TEST_F(SourceFiles, ReadsTextAndItsLines) {
  const auto source = read_source(write("one\r\nzwei \xC3\xA4\nthree"));
  ASSERT_TRUE(source.ok()) << source.error().what;
  EXPECT_EQ(source->line(1), "one");
  EXPECT_EQ(source->line(2), "zwei \xC3\xA4");
  EXPECT_EQ(source->line(3), "three");
  EXPECT_EQ(source->line(4), "");
  EXPECT_EQ(source->line(0), "");
}

TEST_F(SourceFiles, EachBadFileIsAVerdictWithItsReason) {
  const struct {
    fs::path path;
    const char* says;
  } rows[] = {{folder_ / "absent.cu", "there is no file"},
              {folder_, "is a directory"},
              {"/dev/null", "not a regular file"}};
  for (const auto& row : rows) {
    const auto source = read_source(row.path);
    ASSERT_FALSE(source.ok()) << row.says;
    EXPECT_EQ(source.error().kind, ErrorKind::not_passed);
    EXPECT_THAT(source.error().what, HasSubstr(row.says));
    EXPECT_FALSE(source.error().remedy.empty());
  }
  EXPECT_THAT(read_source(write("")).error().what, HasSubstr("is empty"));
  EXPECT_THAT(read_source(write(" \n\t\n")).error().what, HasSubstr("is empty"));
  EXPECT_THAT(read_source(write("a\nb\xFF")).error().what, HasSubstr("p.cu:2 is not UTF-8"));
}

TEST_F(SourceFiles, FileThatMayNotBeReadIsTheMachinesFault) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const fs::path path = write("text");
  fs::permissions(path, fs::perms::none);
  const auto source = read_source(path);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().kind, ErrorKind::missing_part);
}

TEST(Utf8, Table) {
  const struct {
    std::string text;
    bool good;
  } rows[] = {
      {"plain", true},
      {"\xC3\xA9", true},
      {"\xE2\x82\xAC", true},
      {"\xF0\x9F\x98\x80", true},
      {"\x80", false},
      {"\xC0\xAF", false},
      {"\xC3", false},
      {"\xE0\x80\x80", false},
      {"\xED\xA0\x80", false},
      {"\xF4\x90\x80\x80", false},
      {"\xF5\x80\x80\x80", false},
      {"\xC3(", false},
      {"\xE2\x82", false},
      {std::string("a\0b", 3), true},
  };
  for (const auto& row : rows)
    EXPECT_EQ(first_bad_utf8(row.text) == std::string_view::npos, row.good) << row.text;
}

}  // namespace
}  // namespace fusebox
