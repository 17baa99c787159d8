#define GL_GLEXT_PROTOTYPES
#define GLFW_INCLUDE_GLEXT
#include "viewer/window.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace fusebox::view {
namespace {

std::string glfw_complaint;

void remember_complaint(int, const char* text) { glfw_complaint = text; }

Key translate(int key, int mods) {
  const bool control = mods & GLFW_MOD_CONTROL, shift = mods & GLFW_MOD_SHIFT;
  if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9 && !control)
    return static_cast<Key>(static_cast<int>(Key::first_tab) + key - GLFW_KEY_1);
  switch (key) {
    case GLFW_KEY_0:
      return control ? Key::normal_size : static_cast<Key>(static_cast<int>(Key::first_tab) + 9);
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      return control || key == GLFW_KEY_KP_SUBTRACT ? Key::smaller
                                                    : static_cast<Key>(static_cast<int>(Key::first_tab) + 10);
    case GLFW_KEY_EQUAL:
      return shift || control ? Key::bigger : Key::normal_size;
    case GLFW_KEY_KP_ADD:
      return Key::bigger;
    case GLFW_KEY_UP:
      return Key::up;
    case GLFW_KEY_DOWN:
      return Key::down;
    case GLFW_KEY_LEFT:
      return Key::left;
    case GLFW_KEY_RIGHT:
      return Key::right;
    case GLFW_KEY_PAGE_UP:
      return Key::page_up;
    case GLFW_KEY_PAGE_DOWN:
      return Key::page_down;
    case GLFW_KEY_HOME:
      return Key::home;
    case GLFW_KEY_END:
      return Key::end;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
    case GLFW_KEY_SPACE:
      return Key::enter;
    case GLFW_KEY_ESCAPE:
      return Key::escape;
    case GLFW_KEY_TAB:
      return control ? shift ? Key::previous_tab : Key::next_tab : shift ? Key::up : Key::down;
    case GLFW_KEY_LEFT_BRACKET:
      return Key::previous_puzzle;
    case GLFW_KEY_RIGHT_BRACKET:
      return Key::next_puzzle;
    case GLFW_KEY_D:
      return Key::dark;
    case GLFW_KEY_F5:
      return Key::regrade;
    case GLFW_KEY_F1:
    case GLFW_KEY_SLASH:
    case GLFW_KEY_H:
      return Key::help;
    default:
      return Key::none;
  }
}

Error no_window(const std::string& what) {
  return {ErrorKind::missing_part, what,
          "pictures without a display: xvfb-run -a build/bin/viewer p20 --screenshot out.png"};
}

}  // namespace

// Before the backend sets its own callbacks, which call these in turn.
void Window::listen() {
  glfwSetWindowUserPointer(window_, this);
  const auto wake = [](GLFWwindow* window) {
    static_cast<Window*>(glfwGetWindowUserPointer(window))->fresh_ = 3;
  };
  static const auto wake_all = wake;
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int mods) {
    wake_all(window);
    if (action != GLFW_RELEASE && mods & GLFW_MOD_CONTROL && (key == GLFW_KEY_Q || key == GLFW_KEY_W))
      glfwSetWindowShouldClose(window, GLFW_TRUE);
    if (action != GLFW_RELEASE) static_cast<Window*>(glfwGetWindowUserPointer(window))->on_key(key, mods);
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int, int, int) { wake_all(window); });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double) { wake_all(window); });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double, double) { wake_all(window); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int) { wake_all(window); });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int) { wake_all(window); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { wake_all(window); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { wake_all(window); });
}

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options, App& app) {
  std::unique_ptr<Window> made(new Window);
  made->options_ = options;
  glfwSetErrorCallback(remember_complaint);
  const bool display = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  // Where a session may have a Wayland socket without naming it, GLFW looks for it. Where there can be none,
  // its library would print a complaint of its own.
  if ((!display && !std::getenv("XDG_RUNTIME_DIR")) || !glfwInit())
    return no_window(display ? "the display cannot be opened: " + glfw_complaint
                             : "there is no display (DISPLAY is not set)");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.scale == 0 && !options.hidden);
  // Nothing here is drawn with depth or in several samples: lines stand on pixels.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  if (options.hidden) glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  made->window_ = options.hidden
                      ? glfwCreateWindow(64, 64, "Fusebox", nullptr, nullptr)
                      : glfwCreateWindow(options.width, options.height, "Fusebox", nullptr, nullptr);
  if (!made->window_) return no_window("no window with OpenGL 3.3: " + glfw_complaint);
  glfwMakeContextCurrent(made->window_);
  glfwSwapInterval(options.hidden ? 0 : 1);
  glfwSetWindowSizeLimits(made->window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  made->listen();

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  made->imgui_ = true;
  if (!ImGui_ImplGlfw_InitForOpenGL(made->window_, true) || !ImGui_ImplOpenGL3_Init("#version 330 core"))
    return no_window("OpenGL 3.3 does not start here");
  float scale = options.scale;
  if (scale == 0) {
    float y = 1;
    glfwGetWindowContentScale(made->window_, &scale, &y);
    if (options.hidden || !(scale > 0)) scale = 1;
  }
  app.ui.scale = std::clamp(scale, 0.5f, 4.0f);
  made->build_fonts(app);
  if (options.hidden && !made->make_picture())
    return no_window("OpenGL has no room for a picture of this size");
  return made;
}

Window::~Window() {
  if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
  if (texture_) glDeleteTextures(1, &texture_);
  if (imgui_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::build_fonts(App& app) {
  app.ui.fonts = load_fonts(app.ui.scale, options_.fonts);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  apply(app.ui.theme, app.ui.scale);
}

bool Window::make_picture() {
  if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
  if (texture_) glDeleteTextures(1, &texture_);
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, options_.width, options_.height, 0, GL_RGB, GL_UNSIGNED_BYTE,
               nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, 0);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void Window::resize(int width, int height) {
  options_.width = width, options_.height = height;
  if (options_.hidden)
    make_picture();
  else
    glfwSetWindowSize(window_, width, height);
}

void Window::on_key(int key, int mods) { key_ = translate(key, mods); }

void Window::set_mouse(float x, float y, bool down) {
  scripted_ = true;
  mouse_x_ = x, mouse_y_ = y, mouse_down_ = down;
}

void Window::frame(App& app, Key key) {
  if (app.take_scale_change()) build_fonts(app);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  if (options_.hidden) {
    io.DisplaySize = {static_cast<float>(options_.width), static_cast<float>(options_.height)};
    io.DisplayFramebufferScale = {1, 1};
    if (!scripted_) mouse_x_ = mouse_y_ = -1;
  }
  if (scripted_ || options_.hidden) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(mouse_x_, mouse_y_);
    io.AddMouseButtonEvent(0, mouse_down_);
#else
    io.MousePos = {mouse_x_, mouse_y_};
    io.MouseDown[0] = mouse_down_;
#endif
  }
  ImGui::NewFrame();
  app.frame(key);
  ImGui::Render();
  int width = options_.width, height = options_.height;
  if (!options_.hidden) glfwGetFramebufferSize(window_, &width, &height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width, height);
  const ImVec4 page = ImGui::ColorConvertU32ToFloat4(app.ui.theme.panel);
  glClearColor(page.x, page.y, page.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (!options_.hidden) glfwSwapBuffers(window_);
}

void Window::settle(App& app, int frames) {
  for (int i = 0; i < frames; ++i) frame(app);
}

void Window::finish() { glFinish(); }

int Window::run(App& app, double seconds) {
  const auto began = std::chrono::steady_clock::now();
  int drawn = 0;
  std::string title;
  while (!glfwWindowShouldClose(window_)) {
    // While it grades, ten frames a second are enough: the cores are the grader's.
    if (app.poll()) fresh_ = std::max(fresh_, app.busy() ? 1 : 2);
    const Key key = std::exchange(key_, Key::none);
    if (fresh_ > 0 || key != Key::none) {
      --fresh_;
      frame(app, key);
      ++drawn;
      if (key != Key::none) fresh_ = 3;
    }
    if (app.title() != title) {
      title = app.title();
      glfwSetWindowTitle(window_, (title + " – Fusebox").c_str());
    }
    if (fresh_ > 0)
      glfwPollEvents();
    else
      glfwWaitEventsTimeout(app.busy() ? 0.1 : 0.3);
    if (seconds > 0 &&
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > seconds)
      break;
  }
  return drawn;
}

std::optional<Error> Window::save_picture(const std::string& path) {
  std::vector<unsigned char> pixels(static_cast<std::size_t>(options_.width) *
                                    static_cast<std::size_t>(options_.height) * 3);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, options_.width, options_.height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  stbi_flip_vertically_on_write(1);
  if (stbi_write_png(path.c_str(), options_.width, options_.height, 3, pixels.data(), options_.width * 3))
    return std::nullopt;
  return Error{ErrorKind::missing_part, fmt::format("cannot write {}", path),
               "choose another file, or make its folder"};
}

}  // namespace fusebox::view
