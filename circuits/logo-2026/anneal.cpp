// Search for a recipe: CX gates and relative-phase ANDs on 6 data wires and 3 clean wires, after which 3 clean wires and
// one data wire hold a label that tells the classes of a column (or row) apart.
//
//   g++ -O2 -o anneal anneal.cpp
//   python make.py --classes x | ./anneal SEED SECONDS STEPS DEPTH_WEIGHT HEAT ROUNDS LABEL_WEIGHT
//
// Standard input: the class of each of the 64 columns. Standard output, whenever a better recipe is found: columns that
// share a label with another class, depth (with LABEL_WEIGHT layers for each label more than classes), recipe as text.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Word = uint64_t;
const int DATA = 6, WIRES = 9, COLUMNS = 64;

struct Step { int inputs = 0, target = 0, from[3] = {0, 0, 0}, complements = 0; };  // inputs 0: no gate, 1: CX
struct Recipe { std::vector<Step> steps; int code = 0; };                           // code: the data wire of the label
struct Price { double impurity; int confused, depth; };

Word state;
Word draw() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state * 0x2545F4914F6CDD1DULL >> 11; }
double uniform() { return (draw() & 0xffffffff) / 4294967296.0; }

Word data[DATA];
std::vector<Word> classes;
double label_weight = 2.2;

// Layers: a control in the middle is touched last, the others earlier, so a late one goes there.
const int LATE[4][3] = {{}, {0, 0, 0}, {3, 1, 0}, {3, 5, 1}}, HELD[4][3] = {{}, {1, 0, 0}, {4, 6, 0}, {8, 10, 12}};
const int TAKES[4] = {0, 1, 6, 12};

Price price(const Recipe& recipe) {
  Word wire[WIRES] = {0};
  int ready[WIRES] = {0};
  std::copy(data, data + DATA, wire);
  for (const Step& s : recipe.steps) {
    if (!s.inputs) continue;
    Word product = ~0ULL;
    int start = ready[s.target];
    for (int k = 0; k < s.inputs; k++) {
      bool negated = s.inputs > 1 && (s.complements >> k & 1);
      product &= negated ? ~wire[s.from[k]] : wire[s.from[k]];
      start = std::max(start, ready[s.from[k]] - LATE[s.inputs][k]);
    }
    wire[s.target] ^= product;
    for (int k = 0; k < s.inputs; k++) ready[s.from[k]] = std::max(ready[s.from[k]], start + HELD[s.inputs][k]);
    ready[s.target] = start + TAKES[s.inputs];
  }
  const Word label[4] = {wire[6], wire[7], wire[8], wire[recipe.code]};
  Price found{0, 0, *std::max_element(ready, ready + WIRES)};
  int used = 0;
  for (int value = 0; value < 16; value++) {
    Word columns = ~0ULL;
    for (int k = 0; k < 4; k++) columns &= value >> k & 1 ? label[k] : ~label[k];
    if (!columns) continue;
    used++;
    int most = 0;
    double sum = 0;
    for (Word one : classes) {
      int count = __builtin_popcountll(columns & one);
      most = std::max(most, count);
      if (count) sum += count * std::log2(count);
    }
    int all = __builtin_popcountll(columns);
    found.confused += all - most;
    found.impurity += all * std::log2(all) - sum;
  }
  found.depth += int(label_weight * std::max(0, used - int(classes.size())) + 0.5);
  return found;
}

Step random_step() {
  Step s;
  double kind = uniform();
  s.inputs = kind < 0.28 ? 1 : kind < 0.9 ? 2 : 3;
  int order[WIRES];
  for (int k = 0; k < WIRES; k++) order[k] = k;
  for (int k = 0; k < 4; k++) std::swap(order[k], order[k + draw() % (WIRES - k)]);
  s.target = order[0];
  std::copy(order + 1, order + 4, s.from);
  s.complements = draw() & 7;
  if (uniform() < 0.5 && s.target < DATA) {  // more often onto a clean wire
    int clean = DATA + draw() % (WIRES - DATA);
    for (int& from : s.from) if (from == clean) from = s.target;
    s.target = clean;
  }
  return s;
}

void change_detail(Step& s) {
  int which = draw() % 5;
  if (which == 4) {
    s.complements ^= 1 << draw() % 3;
  } else {
    int* place = which ? &s.from[which - 1] : &s.target;
    int value = draw() % WIRES, old = *place;
    if (s.target == value) s.target = old;
    for (int& from : s.from) if (from == value) from = old;
    *place = value;
  }
  if (uniform() < 0.1 && s.inputs) s.inputs = 1 + draw() % 3;
}

Recipe changed(Recipe r) {
  int size = r.steps.size(), k = draw() % size;
  double move = uniform();
  if (move < 0.35) r.steps[k] = random_step();
  else if (move < 0.45) r.steps[k].inputs = 0;
  else if (move < 0.55) std::swap(r.steps[k], r.steps[draw() % size]);
  else if (move < 0.60) r.code = draw() % DATA;
  else if (move < 0.75) {
    Step s = move < 0.70 ? r.steps[k] : random_step();
    r.steps.erase(r.steps.begin() + k);
    r.steps.insert(r.steps.begin() + draw() % size, s);
  } else change_detail(r.steps[k]);
  return r;
}

void print(const Price& found, const Recipe& r) {
  std::printf("%d %d %d 6 7 8 %d:", found.confused, found.depth, int(r.steps.size()), r.code);
  bool first = true;
  for (const Step& s : r.steps) {
    if (!s.inputs) continue;
    std::printf("%s %d", first ? "" : ",", s.target);
    first = false;
    for (int k = 0; k < s.inputs; k++)
      std::printf(" %s%d", s.inputs > 1 && (s.complements >> k & 1) ? "~" : "", s.from[k]);
  }
  std::printf("\n");
  std::fflush(stdout);
}

int main(int count, char** words) {
  if (count < 7) return std::fprintf(stderr, "usage: see the head of anneal.cpp\n"), 2;
  state = std::strtoull(words[1], nullptr, 10) * 7919 + 12345;
  for (int k = 0; k < 20; k++) draw();
  const double seconds = std::atof(words[2]), depth_weight = std::atof(words[4]), heat = std::atof(words[5]);
  const int steps = std::atoi(words[3]), rounds = std::atoi(words[6]);
  if (count > 7) label_weight = std::atof(words[7]);
  for (int k = 0; k < DATA; k++)
    for (int column = 0; column < COLUMNS; column++) data[k] |= Word(column >> k & 1) << column;
  for (int column = 0, number; column < COLUMNS && std::cin >> number; column++) {
    if (number >= int(classes.size())) classes.resize(number + 1);
    classes[number] |= Word(1) << column;
  }
  const auto began = std::chrono::steady_clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  std::vector<Recipe> complete;
  double best = 1e9;
  while (elapsed() < seconds) {
    Recipe current;
    if (complete.size()) current = complete[complete.size() - 1 - draw() % std::min<size_t>(complete.size(), 3)];
    while (int(current.steps.size()) < steps) {
      Step s = random_step();
      if (complete.size() || uniform() < 0.3) s.inputs = 0;
      current.steps.insert(current.steps.begin() + draw() % (current.steps.size() + 1), s);
    }
    Price now = price(current);
    double cost = now.impurity + depth_weight * now.depth;
    for (int round = 0; round < rounds; round++) {
      if (round % 4096 == 0 && elapsed() > seconds) break;
      Recipe next = changed(current);
      Price then = price(next);
      double other = then.impurity + depth_weight * then.depth;
      double temperature = heat * std::pow(0.02, double(round) / rounds);
      if (other > cost && uniform() >= std::exp((cost - other) / temperature)) continue;
      current = std::move(next), now = then, cost = other;
      double score = now.confused * 1000.0 + now.depth;
      if (score >= best) continue;
      best = score;
      if (!now.confused) complete.push_back(current);
      print(now, current);
    }
  }
}
