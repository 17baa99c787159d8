#include "grader/gpu/executor/cupti.h"

#include <dlfcn.h>

#include <string>

namespace fusebox::gpu {
namespace {

void* open() {
  for (const char* folder : {"", "/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/lib64/"})
    for (const char* version : {"13", "12"})
      if (void* library =
              dlopen((std::string(folder) + "libcupti.so." + version).c_str(), RTLD_NOW | RTLD_LOCAL))
        return library;
  return nullptr;
}

}  // namespace

void* cupti_library() {
  static void* const library = open();
  return library;
}

}  // namespace fusebox::gpu
