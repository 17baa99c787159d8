#include "grader/gpu/executor/driver.h"

#include <dlfcn.h>

namespace fusebox::gpu::cu {

std::string load_driver(Driver& driver) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return "there is no NVIDIA driver on this machine: libcuda.so.1 cannot be loaded" +
           (why != nullptr ? " (" + std::string(why) + ")" : std::string());
  }
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    void* symbol = dlsym(library, name);
    if (symbol == nullptr && missing.empty()) missing = name;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
#define FUSEBOX_FIND(ours, theirs, parameters) find(driver.ours, #theirs);
  FUSEBOX_DRIVER_FUNCTIONS(FUSEBOX_FIND)
#undef FUSEBOX_FIND
  return missing.empty()
             ? ""
             : "the NVIDIA driver is too old: it has no " + missing + "; CUDA 12 needs driver 525 or newer";
}

}  // namespace fusebox::gpu::cu
