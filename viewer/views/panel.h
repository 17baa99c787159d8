#pragma once

#include <set>
#include <string>
#include <vector>

#include "viewer/model/book/history.h"
#include "viewer/model/headline.h"
#include "viewer/model/panels/calculator.h"
#include "viewer/model/panels/launches.h"
#include "viewer/model/panels/listing.h"
#include "viewer/model/panels/occupancy.h"
#include "viewer/model/panels/roofline.h"
#include "viewer/model/panels/strip.h"
#include "viewer/model/panels/text.h"
#include "viewer/model/panels/traffic.h"
#include "viewer/model/panels/verdict.h"
#include "viewer/model/panels/why.h"
#include "viewer/model/selection.h"
#include "viewer/plot/draw.h"
#include "viewer/ui.h"

namespace fusebox::view {

/// What panels show, worked out once for each book.
struct Models {
  VerdictModel verdict;
  TrafficModel traffic;
  Waterfall waterfall[2];  ///< by Bytes
  LaunchesModel launches;
  Listing mine, theirs;
  std::vector<StripAccess> accesses;
  std::vector<OccupancyRow> occupancy;
  RooflineModel roofline;
  std::vector<TimeRow> times;
  std::vector<LadderPoint> ladder;
  std::vector<Block> lesson;
  TrafficModel counted;  ///< of the counted case, where the rest is at full size
  /// A sentence for the top of a panel.
  std::string of_bytes, of_launches, of_times, of_accesses, of_source, of_roofline, of_occupancy;
};
/// `shown` is `book` at the size that is shown, the two may be the same; `gpu` is an index into the report's
/// GPUs.
Models models_of(const Book& book, const Book& shown, std::size_t gpu);

/// What the user chose; panels change it.
struct State {
  int tab = 0;
  std::size_t gpu = 0;
  bool counted = false;  ///< the counted case is shown, although there is a full size
  int bytes = 0;         ///< waterfall: 0 compulsory, 1 requested
  bool reveal = false;   ///< the reference's blanks
  Selection selection;   ///< one for all panels
  int listing = -1;  ///< 0 both side by side, 1 the learner's, 2 the reference; -1: what there is room for
  bool listing_fresh = true;  ///< it begins at the fault, or where the bytes are
  int hints = 0;              ///< shown
  CalculatorInput calculator;
  std::set<std::string> turned;  ///< checks that were unfolded, or folded, by hand
  bool remodel = false;          ///< asks for models anew
  bool open_tab = false;         ///< a panel asks to go to `tab`

  /// Chooses, and where `tab` is named goes there.
  void choose(Selection selected, std::string_view tab = "");
};

/// A panel while it draws itself: where it stands, top to bottom.
struct Panel {
  Ui& ui;
  const Book& book;
  const Models& models;
  State& state;
  const std::vector<HistoryPoint>& history;
  float x = 0, y = 0, width = 0;
  float height = 0;  ///< of what can be seen at once

  float right() const { return x + width; }
  /// A part of this panel.
  Panel part(float at_x, float at_y, float its_width) const;
  const Selection& selection() const { return state.selection; }
  /// The chosen access, or the worst one.
  std::size_t access() const;
  void space(float pixels) { y += ui.px(pixels); }
  /// A section: bold words, and a remark behind them.
  void heading(std::string_view words, std::string_view note = "");
  void paragraph(std::string_view words, Font font = Font::body);
  void muted(std::string_view words);
  /// In the middle of an empty panel: what is missing, and what to do about it.
  void nothing(std::string_view what, std::string_view remedy);
};

/// Does a panel show a size: the full one, or the counted case?
bool shows_size(int tab);
/// Does a panel scroll its parts itself, by the index of its tab?
bool scrolls_itself(int tab);

inline constexpr int kTabs = 11;
/// Names for --tab and scripts, in order; and how the tabs are labelled.
extern const char* const kTabNames[kTabs];
extern const char* const kTabLabels[kTabs];

void draw_verdict(Panel& panel);
void draw_traffic(Panel& panel);
void draw_launches(Panel& panel);
void draw_timings(Panel& panel);
void draw_warp(Panel& panel);
void draw_source(Panel& panel);
void draw_roofline(Panel& panel);
void draw_occupancy(Panel& panel);
void draw_calculator(Panel& panel);
void draw_lesson(Panel& panel);
void draw_history(Panel& panel);

/// "H200" of "NVIDIA H200": for a row of choices.
std::string short_name(const GpuNumbers& gpu);
/// The mark and colour of an outcome.
const char* sign_of(Outcome outcome);
ImU32 colour_of(const Theme& theme, Outcome outcome);

/// The choice between full size and counted case, where there is one; shared by all panels that show either.
void draw_size_choice(Panel& panel);
/// The plot of bandwidth against block size; there are steps.
void draw_bandwidth(Panel& panel);
/// The sentence on top.
void draw_headline(Panel& panel, const std::string& sentence);
/// The choice of the GPU that times, roofline and occupancy are for; shared by those panels.
void draw_gpu_choice(Panel& panel);

}  // namespace fusebox::view
