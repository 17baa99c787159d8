#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "grader/catalog/formula.h"
#include "grader/catalog/operators/gelu.h"
#include "grader/catalog/operators/norms/layer_norm.h"
#include "grader/catalog/operators/product.h"

namespace fusebox::specs::p40_transformer_block {
namespace {

using Values = std::vector<double>;

constexpr float kEps = 1e-5f;

/// Extents of a case. A head has D values, so C = NH D.
struct Extents {
  std::int64_t batch, seq, heads, head_size, channels, rows;
};
Extents extents_of(const Case& which) {
  const std::int64_t batch = size_of(which, "B"), seq = size_of(which, "T"), heads = size_of(which, "NH"),
                     head_size = size_of(which, "D");
  return {batch, seq, heads, head_size, heads * head_size, batch * seq};
}

struct Inputs {
  Values x, gamma1, beta1, w_qkv, w_out, gamma2, beta2, w_up, b_up, w_down, b_down;
};

/// The block in double; and again as a float kernel may see it, each step moved by what it may be wrong by.
class Block {
 public:
  /// `random` chooses between more and less, for each value; null: nothing is moved.
  Block(const Inputs& in, const Extents& of, Random* random) : in_(in), of_(of), random_(random) {}

  Values out() {
    const Values qkv = linear(norm(in_.x, in_.gamma1, in_.beta1), in_.w_qkv);
    const Values h = added(linear(attention(qkv), in_.w_out), in_.x);
    Values up = linear(norm(h, in_.gamma2, in_.beta2), in_.w_up);
    for (std::size_t i = 0; i < up.size(); ++i) {
      const double v = up[i] + in_.b_up[i % in_.b_up.size()];
      up[i] = gelu_tanh(v) + moved(8 * kFloatRoundoff * std::fabs(v));
    }
    Values down = linear(up, in_.w_down);
    for (std::size_t i = 0; i < down.size(); ++i) down[i] += in_.b_down[i % in_.b_down.size()];
    return added(std::move(down), h);
  }

 private:
  double moved(double by) { return random_ == nullptr ? 0 : random_->below(2) == 0 ? by : -by; }

  /// A mean or an rstd that is off moves all of its row.
  Values norm(const Values& x, const Values& gamma, const Values& beta) {
    LayerNorm exact = layer_norm(x, gamma, beta, of_.channels, kEps);
    if (random_ == nullptr) return std::move(exact.normalized);
    const LayerNormTolerance allowed = layer_norm_tolerance(x, gamma, beta, exact);
    Values y = std::move(exact.normalized);
    const auto width = static_cast<std::size_t>(of_.channels);
    for (std::size_t row = 0; row < exact.mean.size(); ++row) {
      const double mean = moved(allowed.mean_error[row]), rstd = moved(allowed.rstd_error[row]);
      for (std::size_t c = 0; c < width; ++c) {
        double& value = y[row * width + c];
        value += (value - beta[c]) * rstd + mean * exact.rstd[row] * gamma[c] +
                 moved(4 * kFloatRoundoff * std::fabs(value));
      }
    }
    return y;
  }

  Values linear(const Values& a, const Values& weight) {
    const auto inner = static_cast<std::int64_t>(a.size()) / of_.rows;
    Product made = product(a, weight, inner);
    for (std::size_t i = 0; i < made.values.size(); ++i)
      made.values[i] += moved(dot_error(made.magnitudes[i]));
    return std::move(made.values);
  }

  Values added(Values a, const Values& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] += b[i];
      a[i] += moved(2 * kFloatRoundoff * std::fabs(a[i]));
    }
    return a;
  }

  Values attention(const Values& qkv) {
    const auto channels = static_cast<std::size_t>(of_.channels), seq = static_cast<std::size_t>(of_.seq),
               size = static_cast<std::size_t>(of_.head_size);
    Values mixed(static_cast<std::size_t>(of_.rows) * channels);
    for (std::size_t query = 0; query < static_cast<std::size_t>(of_.rows); ++query)
      for (std::size_t head = 0; head < channels; head += size) {
        const std::size_t first = query / seq * seq;
        const double* q = qkv.data() + query * 3 * channels + head;
        const Values weights =
            softmax(q, qkv.data() + first * 3 * channels + channels + head, query - first + 1);
        for (std::size_t d = 0; d < size; ++d) {
          const double* v = qkv.data() + first * 3 * channels + 2 * channels + head + d;
          double sum = 0, magnitude = 0;
          for (std::size_t s = 0; s < weights.size(); ++s) {
            sum += weights[s] * v[s * 3 * channels];
            magnitude += weights[s] * std::fabs(v[s * 3 * channels]);
          }
          mixed[query * channels + head + d] = sum + moved(dot_error(magnitude));
        }
      }
    return mixed;
  }

  /// Of the scores of one query with the first `count` keys.
  Values softmax(const double* q, const double* keys, std::size_t count) {
    const auto size = static_cast<std::size_t>(of_.head_size),
               step = static_cast<std::size_t>(3 * of_.channels);
    const double scale = 1 / std::sqrt(static_cast<double>(of_.head_size));
    Values weights(count);
    for (std::size_t s = 0; s < count; ++s) {
      double sum = 0, magnitude = 0;
      for (std::size_t d = 0; d < size; ++d) {
        sum += q[d] * keys[s * step + d];
        magnitude += std::fabs(q[d] * keys[s * step + d]);
      }
      // What exp is given is rounded after the largest score was subtracted.
      weights[s] = scale * (sum + moved(dot_error(magnitude) + 4 * kFloatRoundoff * std::fabs(sum)));
    }
    const double largest = *std::max_element(weights.begin(), weights.end());
    double total = 0;
    for (double& weight : weights) total += weight = std::exp(weight - largest);
    for (double& weight : weights) weight *= (1 + moved(8 * kFloatRoundoff)) / total;
    return weights;
  }

  const Inputs& in_;
  const Extents& of_;
  Random* random_;
};

/// LayerNorm of each position.
Term norm(const Term& v, const char* gamma, const char* beta, const std::string& which) {
  Formula& f = *v.formula;
  const Term n = (number(f, "NH") * number(f, "D")).named("C");
  const Term mean = (sum(v, "channel") / n).named("the mean of " + which);
  const Term variance = (sum(apply(kSquare, v - mean), "channel") / n).named("the variance of " + which);
  const Term root = apply(kSquareRoot, variance + number(f, "eps"));
  const Term normalized = (v - mean) / root * tensor(f, gamma, {"channel"}) + tensor(f, beta, {"channel"});
  return normalized.named(which);
}

/// q, k or v of each head: the columns of w_qkv from so many times C on.
Term projected(const Term& normalized, std::int64_t from, const char* name) {
  std::vector<Node::Step> steps = {
      {"head", 1, {"D"}}, {"channel", 3, {"NH", "D"}}, {"value", 1, {}}, {"", from, {"NH", "D"}}};
  const Term weight = part(*normalized.formula, "w_qkv", "w_qkv", std::move(steps));
  return sum(normalized * weight, "channel").named(name);
}

/// What each position has, as the keys of all positions.
Term of_keys(const Term& v) {
  Node node;
  node.op = Node::Op::relabel;
  node.a = v.node;
  node.axis = "position", node.other_axis = "key";
  return {v.formula, v.formula->add(std::move(node))};
}

const Curve kOne{"1 for each", "1", [](double) { return 1.0; }};
const Curve kNotBehind{"the mask", "the mask of {}", [](double behind) {
                         return behind > 0 ? -std::numeric_limits<double>::infinity() : 0;
                       }};

/// 0 where a position looks at a key, -infinity where it does not.
Term causal_mask(Formula& f) {
  Node counted;
  counted.op = Node::Op::sum_some;
  counted.a = apply(kOne, part(f, "positions", "x", {{"position", 1, {"NH", "D"}}})).node;
  counted.axis = "position";
  counted.counts = [](auto k, auto to, auto) { return k < to; };
  const Term position = Term{&f, f.add(std::move(counted))}.named("the number of the position");
  const Term key = of_keys(position).named("the number of the key");
  return apply(kNotBehind, key - position).named("the causal mask");
}

Term attention(const Term& normalized) {
  Formula& f = *normalized.formula;
  const Term q = projected(normalized, 0, "q"), k = of_keys(projected(normalized, 1, "k")),
             v = of_keys(projected(normalized, 2, "v"));
  const Term scores = (sum(q * k, "value") / apply(kSquareRoot, number(f, "D"))).named("the scores");
  const Term masked = scores + causal_mask(f);
  const Term power = apply(kExp, masked - largest(masked, "key").named("the largest score"));
  return sum(power * v, "key") / sum(power, "key").named("the sum of exponentials");
}

Formula formula() {
  Formula f;
  f.axes = {{"sequence", {"B"}},       {"position", {"T"}}, {"key", {"T"}},
            {"head", {"NH"}},          {"value", {"D"}},    {"channel", {"NH", "D"}},
            {"hidden", {"NH", "D"}, 4}};
  f.floats = {"eps"};
  const Term x = tensor(f, "x", {"sequence", "position", "channel"});
  const Term mixed = attention(norm(x, "gamma1", "beta1", "LayerNorm1(x)")).named("the result of attention");
  const Term w_out = part(f, "w_out", "w_out",
                          {{"head", 1, {"D", "NH", "D"}}, {"value", 1, {"NH", "D"}}, {"channel", 1, {}}});
  const Term h = (x + sum(sum(mixed * w_out, "value"), "head").named("attention w_out")).named("h");
  const Term wide =
      sum(norm(h, "gamma2", "beta2", "LayerNorm2(h)") * tensor(f, "w_up", {"channel", "hidden"}), "channel")
          .named("LayerNorm2(h) w_up");
  const Term curved = gelu_term(wide + tensor(f, "b_up", {"hidden"}));
  const Term down =
      sum(curved * tensor(f, "w_down", {"hidden", "channel"}), "hidden").named("GELU(...) w_down");
  output(h + (down + tensor(f, "b_down", {"channel"})).named("the last product with its bias"), "out");
  return f;
}

/// No formula says how far the errors of twelve steps carry; trying it does.
Tolerance tolerance(const Inputs& in, const Extents& of, const Values& exact, Random& random) {
  constexpr int kTrials = 8;
  double largest = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Values moved = Block(in, of, &random).out();
    for (std::size_t i = 0; i < exact.size(); ++i)
      largest = std::max(largest, std::fabs(moved[i] - exact[i]));
  }
  return {
      largest, 4 * kFloatRoundoff,
      "the block in double, each step moved up or down by what it may be wrong by in any order of its sums (products: 8 roundings of the sum of |terms|; LayerNorm: its mean and rstd): the most that eight such runs differ"};
}

Inputs draw(const Case& which, const Extents& of, Random& random) {
  const std::int64_t c = of.channels;
  const auto weights = [&](std::int64_t inner, std::int64_t columns, double size = 1) {
    // Of such a size that what comes out is near 1 whatever C is.
    return random.normals(inner * columns, 0, size / std::sqrt(static_cast<double>(inner)));
  };
  Inputs in;
  in.x = which.values == "far"     ? random.normals(of.rows * c, 300, 1)
         : which.values == "sharp" ? random.normals(of.rows * c)
                                   : draw_rows(which.values, of.rows, c, random);
  in.gamma1 = draw_parameters(c, random), in.beta1 = draw_parameters(c, random);
  in.w_qkv = weights(c, 3 * c, which.values == "sharp" ? 14 : 1);
  in.w_out = weights(c, c);
  in.gamma2 = draw_parameters(c, random), in.beta2 = draw_parameters(c, random);
  in.w_up = weights(c, 4 * c), in.b_up = draw_parameters(4 * c, random);
  in.w_down = weights(4 * c, c), in.b_down = draw_parameters(c, random);
  return in;
}

/// The arguments, of tensors that `in` and `out` make.
Problem problem_of(const Case& which, const std::function<Tensor(const char*, std::vector<std::int64_t>)>& in,
                   const std::function<Tensor(std::vector<std::int64_t>)>& out) {
  const Extents of = extents_of(which);
  const std::int64_t c = of.channels;
  return {{in("x", {of.batch, of.seq, c}), in("gamma1", {c}), in("beta1", {c}), in("w_qkv", {c, 3 * c}),
           in("w_out", {c, c}), in("gamma2", {c}), in("beta2", {c}), in("w_up", {c, 4 * c}),
           in("b_up", {4 * c}), in("w_down", {4 * c, c}), in("b_down", {c}), out({of.batch, of.seq, c}),
           int_of(which, "B"), int_of(which, "T"), static_cast<std::int32_t>(c), int_of(which, "NH"), kEps}};
}

Problem make(const Case& which, Random& random) {
  const Extents of = extents_of(which);
  const Inputs inputs = draw(which, of, random);
  const Values exact = Block(inputs, of, nullptr).out();
  const Tolerance allowed = tolerance(inputs, of, exact, random);
  const Values* next[] = {&inputs.x,     &inputs.gamma1, &inputs.beta1, &inputs.w_qkv,
                          &inputs.w_out, &inputs.gamma2, &inputs.beta2, &inputs.w_up,
                          &inputs.b_up,  &inputs.w_down, &inputs.b_down};
  // An initialiser's clauses are worked out in order, so the tensors come in that of the signature.
  std::size_t at = 0;
  const auto in = [&](const char* name, std::vector<std::int64_t> shape) {
    return input(name, DType::f32, std::move(shape), *next[at++]);
  };
  const auto out = [&](std::vector<std::int64_t> shape) {
    return output("out", DType::f32, std::move(shape), exact, allowed);
  };
  return problem_of(which, in, out);
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const auto in = [](const char* name, std::vector<std::int64_t> shape) {
    return shaped(name, DType::f32, std::move(shape), Role::in);
  };
  const auto out = [](std::vector<std::int64_t> shape) {
    return shaped("out", DType::f32, std::move(shape), Role::out);
  };
  return problem_of(which, in, out);
}

Sizes sized(std::int64_t batch, std::int64_t seq, std::int64_t heads, std::int64_t head_size) {
  return {{"B", batch}, {"T", seq}, {"NH", heads}, {"D", head_size}};
}

std::vector<Case> cases() {
  return {
      {"single", "one value is its own mean, and one key has all the attention", sized(1, 1, 1, 1)},
      {"pair", "two sequences that must not see each other", sized(2, 2, 1, 2), "rows"},
      {"three_heads", "heads of two values each", sized(1, 3, 3, 2), "rows"},
      {"below_warp", "the last position, key and channel of a warp are missing", sized(1, 31, 1, 31), "rows"},
      {"above_warp", "one position and one channel of a head above a warp", sized(2, 33, 2, 33), "rows"},
      {"long", "several tiles of keys, the last one not full", sized(1, 100, 2, 8), "rows"},
      {"largest_head", "heads of 64 values, few positions", sized(1, 5, 2, 64), "rows"},
      {"large_heads", "heads of 64 values and several tiles of keys", sized(1, 70, 1, 64), "rows"},
      {"many_heads", "rows that start at odd addresses", sized(3, 7, 13, 5), "rows"},
      {"sharp", "scores beyond 88: exp of one of them is infinite", sized(2, 40, 2, 16), "sharp"},
      {"far", "values of 300 +- 1: E[x^2] - mean^2 has lost half of its digits", sized(1, 9, 1, 40), "far"},
      {"tiny_variance", "eps is ten times the variance of x: where it stands decides", sized(1, 6, 2, 16),
       "tiny"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(2, 20, 3, 12),
       "rows",
       false,
       {{"B", {1, 3}}, {"T", {1, 50}}, {"NH", {1, 4}}, {"D", {1, 24}}}},
      {"counted", "large enough that bytes tell fused from unfused", sized(2, 64, 2, 32), "normal", true},
  };
}

/// Bytes of a case, which the budgets are made of: of x, of a square weight, of the scores of all heads, of
/// gamma or beta.
struct Bytes {
  double x, weight, scores, vector, rows;
  double row_tiles, column_tiles, seq_tiles, head_tiles;  ///< of the narrowest tiles that are thought of
};
constexpr std::int64_t kNarrowTile = 16;
Bytes bytes_of(const Case& which) {
  const Extents of = extents_of(which);
  return {sector_bytes(of.rows * of.channels),
          sector_bytes(of.channels * of.channels),
          sector_bytes(of.rows * of.heads * of.seq),
          sector_bytes(of.channels),
          static_cast<double>(of.rows),
          tiles_along(of.rows, kNarrowTile),
          tiles_along(of.channels, kNarrowTile),
          tiles_along(of.seq, kNarrowTile),
          tiles_along(of.head_size, kNarrowTile)};
}

// Of the dearest design that is thought of as right: attention in three launches with its scores in memory,
// and bias, GELU and residuals in the products, nine launches in all. LayerNorm reads and writes x, twice;
// the projections read 1 and write 3; scores and mixing read 3 and write 1; the other products move 3, 5
// and 6.
constexpr double kLaunches = 9;
double compulsory(const Bytes& b) {
  return (2 * 2 + 4 + 4 + 3 + 5 + 6) * b.x + 4 * b.scores + 12 * b.weight + 9 * b.vector;
}
// Each column of tiles asks for all of a product's left factor and each row of tiles for all of the right
// one. Per row of LayerNorm x is read three times, gamma and beta once; softmax reads its scores three times.
double requested(const Bytes& b) {
  const double norms = 2 * (4 * b.x + 2 * b.rows * b.vector);
  const double products = b.column_tiles * (3 + 1 + 4 + 4) * b.x + b.row_tiles * 12 * b.weight;
  const double written = (3 + 1 + 4 + 1) * b.x, residuals = 2 * b.x, biases = 5 * b.rows * b.vector;
  const double attention = 3 * b.seq_tiles * b.x + b.x + (1 + 4 + b.head_tiles) * b.scores;
  return norms + products + written + residuals + biases + attention;
}

std::vector<Budget> budgets(const Bytes& b) {
  return {
      {"launches", kLaunches},
      {"bytes.compulsory", with_room(compulsory(b))},
      {"bytes.requested", with_room(requested(b))},
      {"sectors_over_ideal", kCoalesced},
  };
}

TimedCase timed() {
  constexpr std::uint64_t kBatch = 256, kSeq = 64, kHeads = 2, kHead = 32, kWidth = kHeads * kHead;
  return {{"large", "many short sequences", sized(kBatch, kSeq, kHeads, kHead)},
          4 * (2 * kBatch * kSeq * kWidth + 12 * kWidth * kWidth + 9 * kWidth)};
}

}  // namespace

Puzzle spec() {
  using Function =
      void(const float*, const float*, const float*, const float*, const float*, const float*, const float*,
           const float*, const float*, const float*, const float*, float*, int, int, int, int, float);
  Puzzle puzzle;
  puzzle.id = "p40";
  puzzle.slug = "transformer_block";
  puzzle.title = "A transformer block of your own kernels";
  puzzle.chapter = "Part 11. Judgement";
  puzzle.cases = cases();
  puzzle.timed = {timed()};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<Function>("transformer_block");
  entry.blanks = {"kernels", "block"};
  entry.budgets = budgets(bytes_of(puzzle.counted_case()));
  const Bytes full = bytes_of(puzzle.full_size->which);
  entry.full_size_budgets = full_size_budgets(compulsory(full), requested(full));
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p40_transformer_block
