#pragma once

#include <string_view>

// NVIDIA's libraries hold machine code of GPUs and no PTX. A program that needs one starts all the same, on a
// stand-in; what it asks for before it computes (handles, settings) is granted, and what computes is refused
// by name, but for what we compute ourselves (cuda/cublas.cc). Of the driver's own calls there are those that
// encode tensor maps (cuda/tensor_maps.cc): what else it does, the runtime does.
namespace fusebox::sim {

struct VendorLibrary {
  const char* name;     ///< "cuFFT"
  const char* symbols;  ///< how its functions' names begin
  const char* file;     ///< how its shared objects' names begin
  int refused;          ///< the status that says "not supported"
  bool is_driver = false;
};

/// Null: none of those that have a stand-in.
const VendorLibrary* library_of_function(std::string_view function);
const VendorLibrary* library_of_file(std::string_view shared_object);

/// What a function is for, by the words of its name.
enum class LibraryCall {
  compute,
  make,     ///< its first argument is where to put a handle, or a plan
  settle,   ///< sets something, or ends it
  version,  ///< of the library
  text,     ///< a status in words
};
LibraryCall kind_of_call(std::string_view function);

}  // namespace fusebox::sim
