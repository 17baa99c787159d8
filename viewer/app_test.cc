// What the window does as a whole: tabs, keys, files, grading in the background. Panels: app_panels_test.cc.

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "viewer/shown_testing.h"

namespace fusebox::view {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_F(Shown, ClicksAndKeysReachEveryTab) {
  App& app = show(book_of(sample_report()));
  for (int i = 0; i < kTabs; ++i) {
    click(std::string("tab:") + kTabNames[i]);
    EXPECT_EQ(app.state.tab, i);
  }
  for (int i = 0; i < kTabs; ++i) {
    frame(static_cast<Key>(static_cast<int>(Key::first_tab) + i));
    EXPECT_EQ(app.state.tab, i);
  }
  frame(Key::next_tab);
  EXPECT_EQ(app.state.tab, 0);
  frame(Key::previous_tab);
  EXPECT_EQ(app.state.tab, kTabs - 1);
}

TEST_F(Shown, KeysReachEverythingThatAClickReaches) {
  App& app = show(book_of(sample_report()));
  for (int tab = 0; tab < kTabs; ++tab) {
    app.set_tab(tab);
    frames(2);
    const std::size_t marks = app.ui.marks().size();
    frame(Key::escape);
    for (std::size_t i = 0; i < marks; ++i) frame(Key::down);
    EXPECT_TRUE(app.ui.keyboard_used()) << kTabNames[tab];
  }
  // A slider is moved, a GPU chosen, a hint shown.
  app.set_tab(tab_of("calculator"));
  frames(2);
  const auto focus = [&](const std::string& name) {
    frame(Key::escape);
    for (std::size_t i = 0; i < app.ui.marks().size(); ++i) {
      frame(Key::down);
      if (app.ui.marks()[i].name == name) return;
    }
    FAIL() << name;
  };
  focus("slider:rows");
  frame(Key::right);
  EXPECT_EQ(app.state.calculator.rows, 131'072);
  frame(Key::left);
  EXPECT_EQ(app.state.calculator.rows, 65'536);
  app.set_tab(tab_of("lesson"));
  frames(2);
  focus("button:hint");
  frame(Key::enter);
  EXPECT_EQ(app.state.hints, 1);
}

TEST_F(Shown, EachPanelDrawsWhatDependsOnItsData) {
  std::map<std::string, std::uint64_t> first;
  Report other = sample_report(3);
  other.lesson += "One thing more.\n";
  other.entries[0].student->launches[0].registers = 60;
  for (AccessSample& sample : other.entries[0].student->launches[0].samples)
    for (std::int64_t& offset : sample.offsets) offset *= 3;
  for (const bool again : {false, true}) {
    const Report& report = again ? other : sample_report();
    fs::remove_all(paths_.attempts());
    fs::create_directories(paths_.attempts() / "p99");
    for (const int time : {1000, 2000})
      write(paths_.attempts() / "p99" / (std::to_string(time) + "-failed.json"),
            to_json(sample_report(again ? static_cast<std::uint64_t>(time / 500) : 1)));
    App& app = show(book_of(report));
    while (app.loading()) app.poll();
    for (const char* tab : kTabNames) {
      go_to(tab);
      const std::uint64_t drawn = drawing();
      EXPECT_EQ(drawn, drawing()) << tab << ": nothing moves by itself";
      if (!again) first[tab] = drawn;
      if (again && std::string(tab) != "calculator") {
        EXPECT_NE(drawn, first[tab]) << tab;
      }
    }
    if (again) {
      go_to("calculator");
      app.state.calculator.columns *= 2;
      EXPECT_NE(drawing(), first["calculator"]);
    }
    app_.reset();
    ImGui::DestroyContext();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  }
}

TEST_F(Shown, TooltipsSayNameNumberAndSource) {
  App& app = show(book_of(sample_report()));
  go_to("traffic");
  const std::size_t without = windows();
  hover("bar:fused · you.requested");
  EXPECT_GT(windows(), without);
  click("choice:bytes.requested");
  EXPECT_EQ(app.state.bytes, 1);
}

TEST_F(Shown, AnotherGpuIsModelledAtOnce) {
  App& app = show(book_of(sample_report()));
  go_to("timings");
  const double before = *app.models().times[0].seconds;
  click("choice:gpu.T2");
  EXPECT_EQ(app.state.gpu, 1u);
  EXPECT_NE(*app.models().times[0].seconds, before);
  EXPECT_EQ(app.models().roofline.gpu, "NVIDIA T2");
}

TEST_F(Shown, EmptyAndImpossibleReportsStillSayWhatIsMissing) {
  Report strange = sample_report();
  for (EntryReport& entry : strange.entries) {
    for (auto* run : {&entry.student, &entry.reference}) {
      int turn = 0;
      for (Metric& metric : (*run)->metrics) metric.value = turn++ % 2 ? kInfinity : std::nan("");
      for (LaunchRecord& launch : (*run)->launches) {
        launch.time.value = std::nan("");
        launch.counters.flops = std::numeric_limits<std::uint64_t>::max();
        launch.samples[0].offsets[3] = std::numeric_limits<std::int64_t>::max() - 64;
        launch.tensors[0].requested_read = std::numeric_limits<std::uint64_t>::max();
        launch.kernel = std::string(5000, 'k');
      }
    }
    for (BudgetLine& budget : entry.budgets) budget.limit = std::nan(""), budget.reference = kInfinity;
  }
  Report empty;
  empty.puzzle = "p99";
  Report bare = sample_report();
  for (EntryReport& entry : bare.entries)
    entry.student.reset(), entry.reference.reset(), entry.checks.clear(), entry.budgets.clear();
  bare.source.clear(), bare.reference_source.clear(), bare.lesson.clear(), bare.hints.clear(),
      bare.gpus.clear();
  for (const Report& report : {strange, empty, bare, huge_report(1000, 2000)}) {
    show(book_of(report));
    for (const char* tab : kTabNames) {
      go_to(tab);
      EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 500) << tab << " is empty without a word";
    }
    app_.reset();
    ImGui::DestroyContext();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  }
}

TEST_F(Shown, RecordingsOpenFirstAndAttemptsAfterwards) {
  auto book = open_puzzle(paths_, "99");
  ASSERT_TRUE(book);
  EXPECT_EQ(book->origin, Origin::recording);
  App& app = show(std::move(*book));
  EXPECT_TRUE(has_banner("recording"));
  fs::create_directories(paths_.attempts() / "p99");
  write(paths_.attempts() / "p99/1000-failed.json", to_json(sample_report(4)));
  write(paths_.attempts() / "p99/2000-passed.json", to_json(sample_report(5)));
  write(paths_.attempts() / "p99/3000-failed.json", "{ broken off");
  write(paths_.attempts() / "p99/nonsense.json", "");
  app.open_puzzle("sample");
  frames(2);
  EXPECT_FALSE(has_banner("recording"));
  EXPECT_TRUE(app.book().before) << "the ghost";
  EXPECT_EQ(app.book().before->entries[0].student->launches[0].tensors[0].buffer_bytes, 4u * 262'144);
  while (app.loading()) app.poll();
  EXPECT_EQ(app.history().size(), 2u);
  const auto puzzles = puzzles_in(paths_);
  ASSERT_EQ(puzzles.size(), 2u);
  EXPECT_FALSE(puzzles[0].tried);
  EXPECT_TRUE(puzzles[1].solved);
  frame(Key::next_puzzle);
  EXPECT_EQ(app.book().path, (paths_.recorded_reports() / "p98_other.json").string());
  app.open_puzzle("p71");
  frames(2);
  EXPECT_TRUE(has_banner("problem"));
}

TEST_F(Shown, AChangedFileIsSaid) {
  write(folder_ / "puzzles/p99_sample.cu", "something else\n");
  show(book_of(sample_report(), Origin::attempt));
  EXPECT_TRUE(has_banner("stale"));
  EXPECT_NE(app_->ui.find("button:stale"), nullptr);
}

TEST_F(Shown, SavingGradesInTheBackgroundAndKeepsAGhost) {
  const fs::path fresh = folder_ / "fresh.json";
  write(fresh, to_json(sample_report(2)));
  make_grader("echo '  ✓ case one    fine'; sleep 0.2; for a; do last=$a; done; cp " + fresh.string() +
              " \"$last\"; exit 1\n");
  App& app = show(book_of(sample_report(), Origin::attempt));
  EXPECT_FALSE(app.busy());
  write(folder_ / "puzzles/p99_sample.cu", sample_report().source + "// saved\n");
  app.poll();
  EXPECT_TRUE(app.busy());
  frame();
  EXPECT_NE(app.ui.find("button:cancel"), nullptr);
  wait_for_grader();
  EXPECT_EQ(app.book().origin, Origin::graded);
  ASSERT_TRUE(app.book().before);
  EXPECT_EQ(value_of(before_of(app.book(), "fused"), "bytes.requested"),
            value_of(student_of(book_of(sample_report()), "fused"), "bytes.requested"));
  EXPECT_FALSE(has_banner("problem"));
}

TEST_F(Shown, AGraderThatFailsLeavesABannerAndTheReport) {
  App& app = show(book_of(sample_report(), Origin::attempt));
  for (const char* body : {"kill -SEGV $$\n", "echo 'no compiler here' >&2; exit 3\n", "exit 0\n",
                           "for a; do last=$a; done; echo '{' > \"$last\"; exit 1\n"}) {
    make_grader(body);
    app.start_regrade();
    wait_for_grader();
    EXPECT_TRUE(has_banner("problem")) << body;
    EXPECT_EQ(app.book().origin, Origin::attempt);
  }
  fs::remove(paths_.grader());
  app.start_regrade();
  frames(2);
  EXPECT_TRUE(has_banner("problem"));
  EXPECT_FALSE(app.busy());
}

TEST_F(Shown, GradingIsCancelledWithAllThatItStarted) {
  make_grader("sleep 1000 & echo $! > " + (folder_ / "child").string() + "; wait\n");
  App& app = show(book_of(sample_report(), Origin::attempt));
  app.start_regrade();
  for (int i = 0; i < 300 && (!fs::exists(folder_ / "child") || fs::file_size(folder_ / "child") == 0); ++i)
    ::usleep(10'000);
  frames(2);
  click("button:cancel");
  EXPECT_FALSE(app.busy());
  pid_t child = 0;
  std::ifstream(folder_ / "child") >> child;
  ASSERT_GT(child, 0);
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string id, name, state;
    stat >> id >> name >> state;
    gone = !stat || state == "Z";
    ::usleep(10'000);
  }
  EXPECT_TRUE(gone);
}

TEST_F(Shown, FontsThatAreNotThereAreSaid) {
  App& app = show(book_of(sample_report()));
  write(folder_ / "DejaVuSans.ttf", "not a font");
  app.ui.fonts = load_fonts(1, folder_.string());
  EXPECT_FALSE(app.ui.fonts.problem.empty());
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  frames(2);
  EXPECT_TRUE(has_banner("font"));
}

TEST(Script, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(parse_script("# nothing\n\n tab traffic \nclick bar:fused · you.requested\n")->at(1).word,
            "bar:fused · you.requested");
  for (const char* wrong : {"fly away", "tab cloud", "key Hyper", "click", "size 3x3"}) {
    const auto parsed = parse_script(std::string("theme dark\n") + wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_NE(parsed.error().what.find("line 2"), std::string::npos);
  }
}

TEST(Files, ErrorsNameTheFileAndWhatIsWrong) {
  const fs::path file = fs::path(testing::TempDir()) / ("report_" + std::to_string(::getpid()) + ".json");
  const std::string good = to_json(sample_report());
  std::string newer = good;
  newer.replace(newer.find("\"schema\": 1"), 11, "\"schema\": 9");
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("GIF89a"), good.substr(0, good.size() / 2), newer}) {
    std::ofstream(file, std::ios::binary) << text;
    const auto book = open_files(file.string(), "");
    ASSERT_FALSE(book);
    EXPECT_EQ(exit_code(book.error().kind), 2);
    EXPECT_NE(book.error().what.find(file.string()), std::string::npos);
  }
  std::ofstream(file, std::ios::binary) << good;
  EXPECT_TRUE(open_files(file.string(), file.string())->other);
  EXPECT_FALSE(open_files("", (file.string() + ".gone")));
  EXPECT_FALSE(open_files(testing::TempDir(), ""));
  fs::remove(file);
}

}  // namespace
}  // namespace fusebox::view
