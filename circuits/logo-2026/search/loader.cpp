// Search for a schedule that loads the three labels of a code: CX gates, rotations, and the end of each label.
//
//   g++ -O3 -march=native -std=c++17 -o loader loader.cpp
//   ./loader TERMS SEED NOISE WEIGHT0 WEIGHT1 GATHER OPEN RATIO WAIT SHIFT LEAST
//
// The bits of the number are on wires 0 to 5; wires 6 to 8, opened by Hadamards, begin layer 2 as labels 0 to 2. The
// terms of a label are parities that include it; rotated, they give the branches of its wire the phase that makes it.
// When all are done and the label is on one wire alone, a Hadamard ends it there (``7c1``); terms of later labels may
// include it from then on. TERMS is what ``terms.py loader`` prints: a mask of the number's bits, the parity of the code;
// then for each term its label and its mask, where bits 6 to 8 are the labels.
//
// Prints the schedule whose four bits of the code are ready earliest (the parity and labels 0, 1, 2, each with the last
// layer of its wire), after the sum of these layers:
//   203 ready 50 51 48 54 depth 54 : 2>3 5>4 ; 6>5 1>7 0>2 ; ...
//
// The parameters steer the search; campaign.py has the values that did well. To a CX's gain, NOISE times a number from
// -SHIFT to 1 - SHIFT is added, and a CX below LEAST is left out. WEIGHT0 and WEIGHT1 weigh terms of labels 0 and 1
// against those of label 2. RATIO: see term_prices. WAIT is the price of each earlier label that a term waits for, OPEN of
// each label that has not ended, GATHER of each wire but one that has it, while it has many terms left.
#include "beam.h"

const int BITS = 6, LABELS = 3, WIRES = BITS + LABELS, WIDTH = 2500, MAX_LAYERS = 58, MORE_LAYERS = 2;
const int FEW_TERMS = 4;
const float GATHER_SCALE = 0.6f, CODE_PRICE = 0.5f, END_GAIN = 2.5f;

struct Term { int label, needs; };  // needs: the earlier labels that are part of it

// The masks are the terms, then the parity of the code and the three labels, which are 0 until they end.
struct State : Network {
  uint16_t rows[WIRES];       // bits of the number and labels whose sum is on a wire
  int8_t ready[WIRES];        // the last layer that touched a wire
  uint8_t left[LABELS] = {};  // terms of each label that are not rotated yet
  uint8_t ended = 0;          // a bit for each label that has ended
};

std::vector<Term> terms;
std::vector<float> prices;
float noise, weights[LABELS] = {0, 0, 1}, gather, open_price, wait, shift, least;
int num_terms, num_masks;

bool has_label(const State& s, int wire, int label) { return s.rows[wire] >> (BITS + label) & 1; }

float term_price(const State& s, int t, int wires) {
  int waits = count(terms[t].needs & ~s.ended);  // each counts as a wire more
  return weights[terms[t].label] * (prices[wires + waits] + waits * wait);
}

float gather_price(const State& s, int label) {
  return GATHER_SCALE * (s.left[label] <= FEW_TERMS ? 1 - 0.2f * s.left[label] : gather);
}

float price(const State& s) {
  float sum = 0;
  for (int t = 0; t < num_terms; t++)
    if (s.masks[t]) sum += term_price(s, t, count(s.masks[t]));
  for (int t = num_terms; t < num_masks; t++) sum += CODE_PRICE * std::max(count(s.masks[t]) - 1, 0);
  for (int label = 0; label < LABELS; label++) {
    if (s.ended >> label & 1) continue;
    int wires = 0;
    for (int wire = 0; wire < WIRES; wire++) wires += has_label(s, wire, label);
    sum += open_price * weights[label] + gather_price(s, label) * (wires - 1);
  }
  return sum;
}

State read_terms(const char* path) {
  State start;
  int parity, label, mask;
  std::ifstream in(path);
  in >> parity;
  while (in >> label >> mask && num_terms + LABELS + 1 < MAX_MASKS) {
    terms.push_back({label, (mask >> BITS) & ((1 << label) - 1)});
    start.masks[num_terms++] = mask & ~(terms.back().needs << BITS);
    start.left[label]++;
  }
  num_masks = num_terms + LABELS + 1;
  start.masks[num_terms] = parity;
  for (int wire = 0; wire < WIRES; wire++) {
    start.rows[wire] = 1 << wire;
    start.ready[wire] = wire >= BITS;
  }
  return start;
}

// What can be done next.
struct Options {
  Gains gains;
  int term_on[WIRES];    // a term that can be rotated there, or -1
  int end_wire[LABELS];  // where the label can end, or -1
};

void add_term_gains(const State& s, Options& options) {
  for (int t = 0; t < num_terms; t++) {
    if (!s.masks[t]) continue;
    int wires = count(s.masks[t]);
    float now = term_price(s, t, wires), fewer = now - term_price(s, t, wires - 1), more = now - term_price(s, t, wires + 1);
    float turn[MAX_WIRES];
    for (int i = 0; i < WIRES; i++) turn[i] = s.masks[t] >> i & 1 ? fewer : more;
    options.gains.add(s.masks[t], turn);
    if (wires == 1 && !(terms[t].needs & ~s.ended)) options.term_on[first_wire(s.masks[t])] = t;
  }
}

void add_code_gains(const State& s, Options& options) {
  for (int t = num_terms; t < num_masks; t++) {
    float turn[MAX_WIRES];
    for (int i = 0; i < WIRES; i++) turn[i] = s.masks[t] >> i & 1 ? CODE_PRICE : -CODE_PRICE;
    options.gains.add(s.masks[t], turn);
  }
  for (int label = 0; label < LABELS; label++) {
    if (s.ended >> label & 1) continue;
    float each = gather_price(s, label);
    for (int i = 0; i < WIRES; i++)
      if (has_label(s, i, label))
        for (int j = 0; j < WIRES; j++) options.gains.of[j][i] += has_label(s, j, label) ? each : -each;
  }
}

// The wire on which a label can end now, or -1: the only one that has it, with no other open label and no other term left.
int find_end(const State& s, int label, const int* term_on) {
  if (s.ended >> label & 1) return -1;
  int wires = 0;
  for (int wire = 0; wire < WIRES; wire++) wires |= has_label(s, wire, label) << wire;
  if (count(wires) != 1) return -1;
  int wire = first_wire(wires), last = term_on[wire];
  if (s.rows[wire] >> BITS & ~s.ended & ~(1 << label)) return -1;
  bool last_is_here = s.left[label] == 1 && last >= 0 && terms[last].label == label;
  return s.left[label] == 0 || last_is_here ? wire : -1;
}

Options survey(const State& s) {
  Options options;
  std::fill_n(options.term_on, WIRES, -1);
  add_term_gains(s, options);
  add_code_gains(s, options);
  for (int label = 0; label < LABELS; label++) options.end_wire[label] = find_end(s, label, options.term_on);
  return options;
}

std::vector<Move> layer_of(const Options& options, int layer) {
  int usable = layer == 1 ? BITS : WIRES;  // the labels' wires are opened in layer 1
  std::vector<Move> moves;
  for (int i = 0; i < usable; i++)
    for (int j = 0; j < usable; j++) {
      if (i == j) continue;
      float gain = options.gains.of[j][i] + noise * (uniform() - shift);
      if (gain > least) moves.push_back({gain, '>', i, j});
    }
  for (int wire = 0; wire < usable; wire++)
    if (int t = options.term_on[wire]; t >= 0)
      moves.push_back({weights[terms[t].label] * (0.6f + 0.5f * uniform()) * (0.8f + noise), 'r', wire, -1});
  for (int label = 0; label < LABELS; label++)
    if (int wire = options.end_wire[label]; wire >= 0) moves.push_back({END_GAIN + uniform(), 'c', wire, label});
  return choose(std::move(moves));
}

void rotate(State& s, int t) {
  s.masks[t] = 0;
  s.left[terms[t].label]--;
}

void end_label(State& s, int label, int wire, int last_term) {
  if (s.left[label]) rotate(s, last_term);
  s.rows[wire] = 1 << (BITS + label);
  s.ended |= 1 << label;
  s.masks[num_terms + 1 + label] = 1 << wire;
  for (int t = 0; t < num_terms; t++)
    if (s.masks[t] && terms[t].needs >> label & 1) s.masks[t] |= 1 << wire;
}

State after(const State& s, const Options& options, int layer) {
  State next = s;
  std::vector<Move> moves = layer_of(options, layer);
  for (const Move& move : moves) {
    next.ready[move.wire] = layer;
    if (move.kind == '>') {
      next.ready[move.other] = layer;
      next.rows[move.other] ^= next.rows[move.wire];
      apply_cx(next, num_masks, move.wire, move.other);
    } else if (move.kind == 'r') {
      rotate(next, options.term_on[move.wire]);
    } else {
      end_label(next, move.other, move.wire, options.term_on[move.wire]);
    }
  }
  next.price = price(next);
  next.hash = hash_of(next, num_masks);
  next.past = std::make_shared<Past>(Past{s.past, layer_text(moves)});
  return next;
}

bool finished(const State& s) {
  return s.ended == (1 << LABELS) - 1 &&
         std::all_of(s.masks + num_terms, s.masks + num_masks, [](int mask) { return count(mask) == 1; });
}

std::pair<int, std::string> report(const State& s, int layer) {
  int sum = 0;
  std::string text = " ready";
  for (int t = num_terms; t < num_masks; t++) {
    int ready = s.ready[first_wire(s.masks[t])];
    sum += ready;
    text += " " + std::to_string(ready);
  }
  return {sum, std::to_string(sum) + text + " depth " + std::to_string(layer) + " :" + schedule(s.past)};
}

int main(int argc, char** argv) {
  if (argc != 12) return std::fprintf(stderr, "loader TERMS SEED and 9 numbers: see loader.cpp\n"), 1;
  seed_random(std::atoi(argv[2]));
  float ratio;
  float* numbers[] = {&noise, &weights[0], &weights[1], &gather, &open_price, &ratio, &wait, &shift, &least};
  for (int i = 0; i < 9; i++) *numbers[i] = std::atof(argv[3 + i]);
  prices = term_prices(ratio);
  std::vector<State> beam{read_terms(argv[1])};
  std::pair<int, std::string> best;
  int last_layer = MAX_LAYERS;
  for (int layer = 1; layer <= last_layer; layer++) {
    std::vector<State> next;
    for (const State& s : beam) {
      Options options = survey(s);
      for (int i = 0; i < TRIES; i++) {
        State longer = after(s, options, layer);
        if (!finished(longer)) {
          next.push_back(std::move(longer));
          continue;
        }
        if (best.second.empty()) last_layer = std::min(last_layer, layer + MORE_LAYERS);
        auto found = report(longer, layer);
        if (best.second.empty() || found < best) best = found;
      }
    }
    beam = keep_best(next, WIDTH);
  }
  if (!best.second.empty()) std::printf("%s\n", best.second.c_str());
}
