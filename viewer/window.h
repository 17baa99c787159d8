#pragma once

#include <memory>
#include <optional>
#include <string>

#include "grader/report/result.h"
#include "viewer/app.h"

struct GLFWwindow;

namespace fusebox::view {

struct WindowOptions {
  int width = 1280, height = 800;
  bool hidden = false;  ///< draws into a picture only: for screenshots and scripts
  float scale = 0;      ///< of text and everything; 0: the display's own
  std::string fonts;    ///< a folder; empty: the distribution's
};

/// A window with OpenGL 3.3, ImGui, and the loop that draws only when there is something new.
class Window {
 public:
  /// No display and no OpenGL 3.3 are errors with exit 3.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options, App& app);
  ~Window();

  /// Until it is closed. Draws when something happened, and otherwise waits. With `seconds` it ends by itself
  /// and says how many frames it drew.
  int run(App& app, double seconds = 0);
  /// Draws frames until nothing moves any more.
  void settle(App& app, int frames = 3);
  /// Draws one frame with this key.
  void frame(App& app, Key key = Key::none);
  /// Waits until the card has drawn what was asked for.
  void finish();
  std::optional<Error> save_picture(const std::string& path);
  void resize(int width, int height);
  /// Where the mouse is said to be, and whether its button is down: for scripts.
  void set_mouse(float x, float y, bool down);

 private:
  Window() = default;
  bool make_picture();
  void on_key(int key, int mods);
  void listen();
  void build_fonts(App& app);

  GLFWwindow* window_ = nullptr;
  WindowOptions options_;
  bool imgui_ = false;
  unsigned framebuffer_ = 0, texture_ = 0;
  Key key_ = Key::none;
  int fresh_ = 3;  ///< frames still to draw: ImGui needs some to come to rest
  bool scripted_ = false, mouse_down_ = false;
  float mouse_x_ = -1, mouse_y_ = -1;
};

}  // namespace fusebox::view
