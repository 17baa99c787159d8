#include <utility>

#include "grader/fuzz/random_program.h"

namespace fusebox::fuzz {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(draw() % count); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <std::size_t N>
  std::uint32_t one_of(const std::uint32_t (&list)[N]) {
    return list[below(N)];
  }
  std::uint64_t draw() {  // SplitMix64: the same on every machine
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// What may be written at a place.
struct Place {
  Scope scope = Scope::apart;
  std::uint32_t mask = ~std::uint32_t{0};  ///< of the lanes that come here; with Scope::lanes
  bool may_break = false, may_leave = false;
  bool may_end = false;                 ///< here, or in functions that are called here
  std::uint32_t depth = 0;              ///< of bodies
  std::vector<std::uint32_t> counters;  ///< of the loops around
  std::vector<Scope> counter_scopes;    ///< who agrees on them
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) { program_.seed = seed; }

  RandomProgram make() {
    const bool many = random_.chance(6);
    program_.threads = many ? 64 : random_.one_of({32, 64, 64, 96, 128, 40, 75, 256});
    program_.blocks = many ? 70 + random_.below(30) : random_.one_of({1, 1, 2, 3});
    program_.side_by_side = random_.chance(15);
    if (program_.side_by_side) {
      program_.threads = random_.one_of({64, 128, 256});
      program_.blocks = 32 * 1024 / program_.threads + random_.below(40);
    }
    program_.depth = 1 + random_.below(4);
    program_.by_reference = random_.chance(50);
    program_.silent = random_.chance(50);
    const std::uint32_t count = 2 + random_.below(4);
    program_.functions.resize(count + 2);
    // One at least is for anybody; others know who calls them.
    for (std::uint32_t f = 1; f < count; ++f)
      program_.functions[f].scope = random_.chance(60)   ? Scope::apart
                                    : random_.chance(50) ? Scope::lanes
                                                         : Scope::block;
    if (random_.chance(50)) {
      program_.functions[count - 1].scope = Scope::apart;
      program_.functions[count - 1].ends_threads = true;
    }
    program_.functions[count].scope = Scope::block;
    for (std::uint32_t f = 0; f < count + 2; ++f) {
      function_ = &program_.functions[f];
      Place place;
      place.scope = function_->scope;
      place.may_leave = f != count;
      place.may_end = function_->ends_threads || f > count;
      function_->body = body(place, f < count ? 3 : 8);
    }
    return std::move(program_);
  }

 private:
  Expression constant(std::uint32_t value) { return {Op::constant, value, {}}; }

  Expression leaf(const Place& place) {
    std::vector<std::uint32_t> known;
    for (std::size_t i = 0; i < place.counters.size(); ++i)
      if (place.counter_scopes[i] >= place.scope) known.push_back(place.counters[i]);
    if (!known.empty() && random_.chance(30))
      return {Op::variable, known[random_.below(static_cast<std::uint32_t>(known.size()))], {}};
    const bool apart = place.scope == Scope::apart;
    switch (random_.below(apart ? 10 : place.scope == Scope::lanes ? 3 : 2)) {
      case 0:
        return constant(random_.chance(70) ? random_.below(9) : static_cast<std::uint32_t>(random_.draw()));
      case 1:
        return {Op::block, 0, {}};
      case 2:
        return {Op::warp, 0, {}};
      case 3:
        return {Op::thread, 0, {}};
      case 4:
        return {Op::lane, 0, {}};
      case 5:
        return {random_.chance(50) ? Op::slot : Op::element, 0, {constant(random_.below(8))}};
      case 6:
        return {Op::cell, 0, {}};
      default:
        return {Op::variable, random_.below(kVariables), {}};
    }
  }

  /// One on which all agree who come to `place`.
  Expression agreed(const Place& place, int depth = 2) {
    if (depth == 0 || random_.chance(25)) return leaf(place);
    const auto op = static_cast<Op>(static_cast<int>(Op::add) + static_cast<int>(random_.below(11)));
    Expression result{op, 0, {}};
    for (int i = op == Op::select ? 3 : 2; i > 0; --i) result.of.push_back(agreed(place, depth - 1));
    return result;
  }
  Expression any(const Place& place) {
    Place alone = place;
    alone.scope = Scope::apart;
    if (random_.chance(10)) return {random_.chance(50) ? Op::slot : Op::element, 0, {agreed(alone, 1)}};
    return agreed(alone);
  }

  std::vector<Statement> body(const Place& place, std::uint32_t most) {
    std::vector<Statement> list;
    for (std::uint32_t n = 1 + random_.below(most); n > 0; --n) list.push_back(statement(place));
    return list;
  }
  std::vector<Statement> inner(Place place) {
    ++place.depth;
    return body(place, 3);
  }
  /// For a body that only some come to.
  static Place closer(Place place, Scope scope, std::uint32_t mask = ~std::uint32_t{0}) {
    if (place.scope != Scope::apart && (scope != place.scope || mask != ~std::uint32_t{0}))
      place.may_break = place.may_leave = false;
    place.scope = scope;
    if (scope == Scope::lanes) place.mask &= mask;
    return place;
  }

  Statement statement(const Place& place) {
    Statement s;
    s.scope = place.scope;
    s.variable = random_.below(kVariables);
    const bool deep = place.depth >= 3;
    if (place.scope != Scope::apart && random_.chance(35) && together(place, s)) return s;
    if (random_.chance(15)) return call_of_some(place);
    const std::uint32_t kind = random_.below(deep ? 50 : 100);
    if (kind < 12) {
      s.with = {any(place)};
    } else if (kind < 18) {
      s.what = Do::slot;
      s.with = {any(place), any(place)};
    } else if (kind < 22) {
      s.what = Do::cell;
      s.with = {any(place)};
    } else if (kind < 26) {
      s.what = Do::element;
      s.with = {any(place), any(place)};
    } else if (kind < 30) {
      s.what = random_.chance(50) ? Do::count : Do::count_shared;
      s.number = random_.below(kSums);
      s.with = {any(place)};
    } else if (kind < 33) {
      s.what = Do::count_own;
      s.kind = program_.side_by_side ? random_.one_of({0, 3, 4, 5}) : random_.below(6);
      s.with = {any(place), any(place)};
    } else if (kind < 38 && (place.may_break || place.may_leave)) {
      s.what = !place.may_break || (place.may_leave && random_.chance(30)) ? Do::leave
               : random_.chance(50)                                        ? Do::leave_loop
                                                                           : Do::next_round;
      if (function_->ends_threads && random_.chance(40)) s.what = Do::end;
      if (s.what == Do::leave) s.with = {any(place)};
      return guard(place, std::move(s));
    } else if (kind < 60) {
      call(place, s);
    } else {
      branch(place, s, kind - 60);
    }
    return s;
  }

  /// What leaves a body does so for some only, or nothing would come behind it.
  Statement guard(const Place& place, Statement leaves) {
    Statement s;
    s.scope = place.scope;
    s.what = Do::choose;
    s.with = {agreed(place)};
    s.bodies = {{std::move(leaves)}, {}};
    return s;
  }

  /// Some lanes call, and meet the others where they come back.
  Statement call_of_some(const Place& place) {
    const Place within = closer(place, Scope::apart);
    Statement s, calls;
    calls.scope = Scope::apart;
    calls.variable = random_.below(kVariables);
    call(within, calls);
    s.what = Do::choose;
    s.with = {random_.chance(50) ? Expression{random_.chance(50) ? Op::lane : Op::thread, 0, {}}
                                 : agreed(within)};
    s.bodies = {{std::move(calls)}, {}};
    return s;
  }

  void call(const Place& place, Statement& s) {
    s.what = Do::call;
    Scope scope = place.scope;
    // One that knows its callers' whole warps is not for some lanes of them.
    if (scope == Scope::lanes && place.mask != ~std::uint32_t{0}) scope = Scope::apart;
    while (scope != Scope::apart && (random_.chance(40) || program_.in_scope(scope).empty()))
      scope = static_cast<Scope>(static_cast<int>(scope) - 1);
    const auto candidates = program_.in_scope(scope);
    s.kind = program_.side_by_side ? static_cast<std::uint32_t>(CallKind::direct) : random_.below(3);
    s.number = candidates[random_.below(static_cast<std::uint32_t>(candidates.size()))];
    s.with = {any(place), any(place)};
    Place callers = place;
    callers.scope = scope;
    s.with.push_back(agreed(callers));
    s.scope = scope;
    const auto last = static_cast<std::uint32_t>(program_.functions.size()) - 3;
    if (place.may_end && program_.functions[last].ends_threads && random_.chance(40)) {
      s.kind = static_cast<std::uint32_t>(CallKind::direct);
      s.number = last;
    }
  }

  void branch(const Place& place, Statement& s, std::uint32_t kind) {
    // Whether all who are here go the same way, some warps, some known lanes, or any thread.
    Scope scope = place.scope;
    if (scope == Scope::block && random_.chance(70)) scope = Scope::lanes;
    if (scope == Scope::lanes && random_.chance(55)) scope = Scope::apart;
    Place within = closer(place, scope);
    if (kind < 18) {
      s.what = Do::choose;
      s.with = {agreed(within)};
      s.bodies = {inner(within), random_.chance(50) ? inner(within) : std::vector<Statement>{}};
    } else if (kind < 22 && place.scope != Scope::apart) {
      s.what = Do::choose_lanes;
      s.number = random_.chance(50) ? 0x55555555u : static_cast<std::uint32_t>(random_.draw()) | 1u;
      s.bodies = {inner(closer(place, Scope::lanes, s.number)),
                  inner(closer(place, Scope::lanes, ~s.number))};
    } else if (kind < 28) {
      s.what = Do::switch_to;
      s.with = {agreed(within)};
      within.may_break = false;
      for (std::uint32_t n = 2 + random_.below(4); n > 0; --n) s.bodies.push_back(inner(within));
      s.number = random_.below(1u << s.bodies.size()) & random_.below(1u << s.bodies.size());
    } else {
      s.what = Do::loop;
      s.with = {agreed(within)};
      s.kind = random_.below(2);
      s.number = 2 + random_.below(6);
      s.variable = kVariables + function_->counters++;
      within.may_break = true;
      within.counters.push_back(s.variable);
      within.counter_scopes.push_back(scope);
      s.bodies = {inner(within)};
    }
  }

  /// What several threads do together. False: nothing that this place knows enough for.
  bool together(const Place& place, Statement& s) {
    const bool whole = place.mask == ~std::uint32_t{0} || place.scope == Scope::block;
    s.with = {any(place)};
    s.kind = random_.below(5);
    if (place.scope == Scope::block && random_.chance(50)) {
      s.what = random_.chance(70) ? Do::exchange : Do::barrier_vote;
      s.number = random_.below(program_.threads);
    } else if (whole && random_.chance(50)) {
      s.what = Do::shuffle;
      s.number = random_.below(32);
      if (s.kind == 2 && program_.threads % 32 != 0) s.kind = 0;  // its source may not exist
    } else {
      s.what = random_.chance(75) ? Do::vote : Do::warp_exchange;
      s.number = place.scope == Scope::block ? ~std::uint32_t{0} : place.mask;
    }
    return true;
  }

  Random random_;
  RandomProgram program_;
  Function* function_ = nullptr;
};

}  // namespace

std::vector<std::uint32_t> RandomProgram::in_scope(Scope scope) const {
  std::vector<std::uint32_t> list;
  for (std::uint32_t f = 0; f + 2 < functions.size(); ++f)
    if (functions[f].scope == scope && !functions[f].ends_threads) list.push_back(f);
  return list;
}

RandomProgram make_program(std::uint64_t seed, std::uint64_t max_steps) {
  // One that takes too long is left out, and the next number of the seed's own tried.
  for (std::uint64_t attempt = 0;; ++attempt) {
    RandomProgram program = Maker(seed + (attempt << 32)).make();
    program.seed = seed;
    std::vector<std::uint32_t> memory = initial_words(program);
    if (evaluate(program, memory, max_steps)) return program;
  }
}

}  // namespace fusebox::fuzz
