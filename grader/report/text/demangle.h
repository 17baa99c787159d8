#pragma once

#include <string>
#include <typeinfo>

namespace fusebox {

/// A symbol as C++ has it: "_Z1fPf" is "f(float*)". What is no mangled name stays as it is.
std::string demangle(const std::string& symbol);

/// The same of a kernel, for people: without return type, parameter list and namespaces that have no name.
/// "_Z4normILi2EEvPf" is "norm<2>".
std::string kernel_name(const std::string& symbol);

/// "std::bad_alloc"
std::string type_name(const std::type_info& type);

}  // namespace fusebox
