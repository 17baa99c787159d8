#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fusebox {

/// A vector whose copies have the same elements until one of them changes an element: thousands of copies
/// that differ in one or two cost no more than those. References to elements stay good when it grows.
template <class T>
class SharedVector {
 public:
  class Iterator {
   public:
    explicit Iterator(const std::shared_ptr<T>* at) : at_(at) {}
    const T& operator*() const { return **at_; }
    Iterator& operator++() { return ++at_, *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const std::shared_ptr<T>* at_;
  };

  std::size_t size() const { return elements_.size(); }
  void reserve(std::size_t count) { elements_.reserve(count); }
  void push_back(T element) { elements_.push_back(std::make_shared<T>(std::move(element))); }
  const T& operator[](std::size_t i) const { return *elements_[i]; }
  const T& back() const { return *elements_.back(); }
  Iterator begin() const { return Iterator(elements_.data()); }
  Iterator end() const { return Iterator(elements_.data() + elements_.size()); }

  /// An element to be changed, in this vector alone.
  T& own(std::size_t i) {
    std::shared_ptr<T>& element = elements_[i];
    if (element.use_count() > 1) element = std::make_shared<T>(*element);
    return *element;
  }
  /// Is element `i` the very one that `other` has there?
  bool shares(const SharedVector& other, std::size_t i) const {
    return i < other.size() && elements_[i] == other.elements_[i];
  }

 private:
  std::vector<std::shared_ptr<T>> elements_;
};

}  // namespace fusebox
