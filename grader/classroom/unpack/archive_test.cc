// Archives as students make them, and as nobody should: made with the library that reads them, and changed by
// hand.
#include "grader/classroom/unpack/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>
#include <vector>

namespace fusebox::classroom {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kName = "p01_copy.cu";

struct Member {
  std::string name, text = "text";
  unsigned type = AE_IFREG;
  std::string link = "";
  bool sized = true;
};

class Unpack : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-unpack-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    path_ = folder_ / ("handed" + std::string(GetParam()));
  }
  void TearDown() override { fs::remove_all(folder_); }

  bool is_zip() const { return path_.extension() == ".zip"; }
  void pack(const std::vector<Member>& members) {
    archive* writer = archive_write_new();
    if (is_zip())
      archive_write_set_format_zip(writer);
    else
      archive_write_set_format_pax_restricted(writer);
    if (path_.extension() == ".gz") archive_write_add_filter_gzip(writer);
    ASSERT_EQ(archive_write_open_filename(writer, path_.c_str()), ARCHIVE_OK);
    for (const Member& member : members) {
      archive_entry* entry = archive_entry_new();
      archive_entry_set_pathname(entry, member.name.c_str());
      archive_entry_set_filetype(entry, member.type);
      archive_entry_set_perm(entry, 0644);
      if (member.type == AE_IFLNK) archive_entry_set_symlink(entry, member.link.c_str());
      if (member.type == AE_IFREG && !member.link.empty())
        archive_entry_set_hardlink(entry, member.link.c_str());
      const bool has_text = member.type == AE_IFREG && member.link.empty();
      if (member.sized)
        archive_entry_set_size(entry, has_text ? static_cast<la_int64_t>(member.text.size()) : 0);
      ASSERT_GE(archive_write_header(writer, entry), ARCHIVE_WARN) << archive_error_string(writer);
      if (has_text) archive_write_data(writer, member.text.data(), member.text.size());
      archive_entry_free(entry);
    }
    archive_write_close(writer);
    archive_write_free(writer);
  }
  /// What stands for `from` everywhere in the archive's bytes; as long.
  void change(const std::string& from, const std::string& to) {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    std::string bytes = text.str();
    std::size_t changed = 0;
    for (std::size_t at = 0; (at = bytes.find(from, at)) != bytes.npos; at += to.size(), ++changed)
      bytes.replace(at, from.size(), to);
    EXPECT_GT(changed, 0u);
    std::ofstream(path_, std::ios::binary) << bytes;
  }

  fs::path folder_, path_;
};

TEST_P(Unpack, WhatIsWantedIsReadAndNothingElse) {
  const std::vector<std::vector<Member>> rows = {
      {{kName}},
      {{"./" + kName}},
      {{"ada/", "", AE_IFDIR}, {"ada/" + kName}},
      {{"notes.txt", "other"}, {"-o", "other"}, {"$(touch x)", "other"}, {"\xff\xfe", "other"}, {kName}},
      {{"__MACOSX/._" + kName, "other"}, {kName}, {"p02_scale.cu", "other"}},
      {{"link", "", AE_IFLNK, "/etc/passwd"}, {kName}},
  };
  for (const auto& members : rows) {
    pack(members);
    const Unpacked unpacked = unpack(path_, kName);
    EXPECT_EQ(unpacked.text, "text") << members[0].name << ": " << unpacked.why;
  }
  // Nothing was written anywhere near.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_P(Unpack, WhatIsNoSubmissionIsRefusedInWords) {
  const std::string large(3 << 20, 'x');
  const struct {
    std::vector<Member> members;
    const char* why;
  } rows[] = {
      {{}, ""},
      {{{"notes.txt"}}, "there is no p01_copy.cu at its top"},
      {{{"a/b/" + kName}}, "there is no p01_copy.cu"},
      {{{"-o"}}, "there is no p01_copy.cu"},
      {{{"$(touch x)"}}, "there is no p01_copy.cu"},
      {{{"\xff\xfe" + kName}}, "there is no p01_copy.cu"},
      {{{"../" + kName}}, "leads out of it"},
      {{{kName}, {"ada/../../../etc/passwd"}}, "leads out of it"},
      {{{"/tmp/" + kName}}, "leads out of it"},
      {{{"..\\" + kName}}, "leads out of it"},
      {{{"C:\\" + kName}}, "leads out of it"},
      {{{kName, "", AE_IFLNK, "/etc/passwd"}}, "p01_copy.cu is a link"},
      {{{kName, "", AE_IFDIR}}, "p01_copy.cu"},
      {{{kName}, {"ada/" + kName}}, "more than once"},
      {{{kName, large}}, "p01_copy.cu is larger than 1024 KiB"},
      {{{"zeros", std::string(65 << 20, '\0')}, {kName}}, "unpacks to more than 64 MiB"},
  };
  for (const auto& row : rows) {
    pack(row.members);
    const Unpacked unpacked = unpack(path_, kName);
    EXPECT_FALSE(unpacked.text) << row.why;
    EXPECT_THAT(unpacked.why, HasSubstr(row.why));
  }
}

TEST_P(Unpack, DevicesAndHardLinksAreNoFiles) {
  if (is_zip()) return;  // it has none
  for (const unsigned type : {AE_IFIFO, AE_IFCHR, AE_IFBLK}) {
    pack({{kName, "", type}});
    EXPECT_THAT(unpack(path_, kName).why, HasSubstr("no regular file"));
  }
  pack({{"notes.txt"}, {kName, "", AE_IFREG, "notes.txt"}});
  EXPECT_THAT(unpack(path_, kName).why, HasSubstr("p01_copy.cu is a link"));
}

TEST_P(Unpack, SizesThatWereNotDeclaredAreCounted) {
  if (!is_zip()) return;  // a tar declares them
  pack({{kName, std::string(3 << 20, 'x'), AE_IFREG, "", false}});
  EXPECT_THAT(unpack(path_, kName).why, HasSubstr("larger than 1024 KiB"));
  pack({{"zeros", std::string(65 << 20, '\0'), AE_IFREG, "", false}, {kName}});
  EXPECT_THAT(unpack(path_, kName).why, HasSubstr("unpacks to more than 64 MiB"));
}

TEST_P(Unpack, NoMoreFilesThanAClassHasUseFor) {
  std::vector<Member> members(10'001);
  for (std::size_t i = 0; i < members.size(); ++i) members[i] = {std::to_string(i), ""};
  members.back().name = kName;
  pack(members);
  EXPECT_THAT(unpack(path_, kName).why, HasSubstr("more than 10000 files"));
  members.erase(members.begin());
  pack(members);
  EXPECT_EQ(unpack(path_, kName).text, "");
}

TEST_P(Unpack, ANameWithAZeroIsAnother) {
  if (path_.extension() == ".gz") return;  // its names are compressed
  for (const std::string& name : {std::string("p01\0copy.cuXX", 13), std::string("\0p01_copy.cuX", 13)}) {
    pack({{"p01_copy.cuXX"}});
    change("p01_copy.cuXX", name);
    EXPECT_FALSE(unpack(path_, kName).text);
  }
}

TEST_P(Unpack, ADeclaredSizeThatIsTooSmallIsNoWayIn) {
  if (!is_zip()) return;  // of a tar it is where the next file begins
  pack({{kName, std::string(3 << 20, 'x')}});
  change(std::string("\0\0\x30\0", 4), std::string("\x0a\0\0\0", 4));
  EXPECT_FALSE(unpack(path_, kName).text);
}

TEST_P(Unpack, WhatIsDamagedIsRefused) {
  pack({{kName, std::string(100'000, 'x')}});
  for (const std::uintmax_t bytes : {0, 10, 200, 1000}) {
    if (bytes >= fs::file_size(path_) && bytes != 0) continue;
    fs::copy_file(path_, folder_ / "whole", fs::copy_options::overwrite_existing);
    fs::resize_file(path_, bytes);
    const Unpacked unpacked = unpack(path_, kName);
    EXPECT_FALSE(unpacked.text) << bytes;
    EXPECT_FALSE(unpacked.why.empty()) << bytes;
    fs::copy_file(folder_ / "whole", path_, fs::copy_options::overwrite_existing);
  }
  std::ofstream(path_) << "no archive at all, whatever its name says";
  EXPECT_FALSE(unpack(path_, kName).text);
}

INSTANTIATE_TEST_SUITE_P(Formats, Unpack, testing::Values(".zip", ".tar", ".tar.gz"), [](const auto& info) {
  const std::string format = info.param;
  return format == ".zip" ? "Zip" : format == ".tar" ? "Tar" : "TarGz";
});

}  // namespace
}  // namespace fusebox::classroom
