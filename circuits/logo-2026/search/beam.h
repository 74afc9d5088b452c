// What loader.cpp and middle.cpp share: beam search, layer by layer, for a network of CX gates and rotations.
//
// A term is a parity that must be rotated once. Its mask has a bit for each wire whose contents sum to it now, so CX i > j
// turns bit i of each mask that has bit j. A term with one wire in its mask can be rotated there; then its mask is 0.
//
// For each network of the beam, a layer is chosen greedily several times: moves in order of gain, with some noise, as
// long as their wires are free. Of all networks one layer longer, those of least price are kept, equal ones once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

const int MAX_WIRES = 9, MAX_MASKS = 128, TRIES = 16;

inline uint64_t random_state;

inline void seed_random(int seed) { random_state = seed * 7919 + 17; }

inline float uniform() {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return uint32_t(random_state * 0x2545F4914F6CDD1DULL >> 32) / 4294967296.0f;
}

inline int count(int mask) { return __builtin_popcount(mask); }
inline int first_wire(int mask) { return __builtin_ctz(mask); }

// The layers before, as texts. Networks that differ only in their last layers share the rest.
struct Past {
  std::shared_ptr<const Past> before;
  std::string layer;
};

inline std::string schedule(const std::shared_ptr<const Past>& last) {
  std::vector<const Past*> layers;
  for (const Past* past = last.get(); past; past = past->before.get()) layers.push_back(past);
  std::string text;
  for (size_t i = layers.size(); i-- > 0;) text += layers[i]->layer + " ;";
  return text;
}

struct Network {
  uint16_t masks[MAX_MASKS] = {};
  float price = 0;
  uint64_t hash = 0;
  std::shared_ptr<const Past> past;
};

inline void apply_cx(Network& network, int masks, int control, int target) {
  for (int t = 0; t < masks; t++) network.masks[t] ^= ((network.masks[t] >> target) & 1) << control;
}

inline uint64_t hash_of(const Network& network, int masks) {
  uint64_t hash = 0;
  for (int t = 0; t < masks; t++) {
    hash = (hash ^ network.masks[t]) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

// The price of a term on that many wires; each wire more counts less, by the factor `ratio`.
inline std::vector<float> term_prices(double ratio) {
  std::vector<float> prices = {0, 0.5f};
  while (prices.size() < MAX_WIRES + 4) prices.push_back(prices.back() + 0.5 * std::pow(ratio, prices.size() - 1));
  return prices;
}

// What a CX gains, by target and control.
struct Gains {
  float of[MAX_WIRES][MAX_WIRES] = {};

  // A mask gains this much when the bit of a wire turns.
  void add(int mask, const float (&turn)[MAX_WIRES]) {
    for (int rest = mask; rest; rest &= rest - 1)
      for (int i = 0; i < MAX_WIRES; i++) of[first_wire(rest)][i] += turn[i];
  }
};

struct Move {
  float gain;
  char kind;  // '>' a CX from wire to other; 'r' a rotation on wire; 'c' the end of label `other` on wire
  int wire, other;
};

inline std::vector<Move> choose(std::vector<Move> moves) {
  std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
  std::vector<Move> chosen;
  int taken = 0;
  for (const Move& move : moves) {
    int wires = 1 << move.wire | (move.kind == '>' ? 1 << move.other : 0);
    if (taken & wires) continue;
    taken |= wires;
    chosen.push_back(move);
  }
  return chosen;
}

inline std::string layer_text(const std::vector<Move>& moves) {
  std::string text;
  for (const Move& move : moves) {
    text += {' ', char('0' + move.wire), move.kind};
    if (move.kind != 'r') text += char('0' + move.other);
  }
  return text;
}

template <class State> std::vector<State> keep_best(std::vector<State>& states, size_t width) {
  std::vector<int> order(states.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return states[a].price < states[b].price; });
  std::unordered_set<uint64_t> seen;
  std::vector<State> kept;
  for (int i : order) {
    if (kept.size() == width) break;
    if (seen.insert(states[i].hash).second) kept.push_back(std::move(states[i]));
  }
  return kept;
}
