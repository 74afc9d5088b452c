// Search for codes of the logo's columns and rows with which its phase has few terms.
//
//   g++ -O3 -march=native -std=c++17 -o codes codes.cpp
//   (python ../make.py --classes x; python ../make.py --classes y) | ./codes SEED SECONDS > codes.txt
//
// Equal columns are one class, equal rows too. A number (x or y) gets a place of four bits: bit 0 is a parity of the
// number, the other three are labels that a circuit must load. Each of the 16 places holds a class, and both parities must
// have a place for each class that has numbers of that parity. The logo is then a function of two places; its terms are
// the nonzero coefficients of its Walsh transform, less the constant. Annealing moves classes between places.
//
// Standard input: the classes of the 64 columns, then of the 64 rows. Standard output, whenever a run is as good as the
// best before: terms, the parities as masks of x and of y, the class at each place of x, and at each place of y.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

const int NUMBERS = 64, PLACES = 16, WORDS = 8, MAX_CLASSES = 16;
const int PARITY[2] = {48, 32};  // with these, numbers of one parity have at most 8 classes, one a place
const int ROUNDS = 4000, MOVES = 400;
const double HOT = 8, COLD = 1;

using Places = std::array<int, PLACES>;
typedef short Row __attribute__((vector_size(2 * PLACES)));  // one vector register
using Codes = std::array<Places, 2>;

int num_classes = 0;
short marked[2][MAX_CLASSES][MAX_CLASSES];  // side, class of this side, class of the other
bool needed[2][2][MAX_CLASSES];             // side, parity, class

uint64_t state;
uint64_t draw() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545F4914F6CDD1DULL >> 11;
}

int below(int limit) { return int(draw() % limit); }
double uniform() { return (draw() & 0xffffffff) / 4294967296.0; }
int parity(int mask) { return __builtin_popcount(mask) & 1; }

bool in_logo(int x, int y) {
  bool square = 2 <= x && x <= 26 && 29 <= y && y <= 53, bar = 26 <= x && x <= 49 && 39 <= y && y <= 43;
  bool small = (x - 55) * (x - 55) + (y - 41) * (y - 41) <= 42, large = (x - 40) * (x - 40) + (y - 19) * (y - 19) <= 72;
  return square || bar || small || large;
}

void read_classes() {
  int classes[2][NUMBERS];
  for (int side = 0; side < 2; side++)
    for (int number = 0; number < NUMBERS; number++) {
      int& found = classes[side][number];
      std::cin >> found;
      needed[side][parity(number & PARITY[side])][found] = true;
      num_classes = std::max(num_classes, found + 1);
    }
  for (int x = 0; x < NUMBERS; x++)
    for (int y = 0; y < NUMBERS; y++) {
      int a = classes[0][x], b = classes[1][y];
      marked[0][a][b] = marked[1][b][a] = in_logo(x, y);
    }
}

// The Walsh transform of 16 numbers, or of 16 rows.
template <class T> void transform(T* items) {
  for (int half = 1; half < PLACES; half *= 2)
    for (int i = 0; i < PLACES; i++)
      if (!(i & half)) {
        T a = items[i], b = items[i | half];
        items[i] = a + b;
        items[i | half] = a - b;
      }
}

// For each class of a side: its line of the logo over the other side's places, transformed.
std::array<Row, MAX_CLASSES> lines(int side, const Places& other) {
  std::array<Row, MAX_CLASSES> found = {};
  for (int k = 0; k < num_classes; k++) {
    short line[PLACES];
    for (int place = 0; place < PLACES; place++) line[place] = marked[side][k][other[place]];
    transform(line);
    for (int place = 0; place < PLACES; place++) found[k][place] = line[place];
  }
  return found;
}

// The terms of the phase when the side's classes stand at these places.
int terms(const std::array<Row, MAX_CLASSES>& line, const Places& places) {
  Row table[PLACES], nonzero = {};
  for (int place = 0; place < PLACES; place++) table[place] = line[places[place]];
  transform(table);
  for (const Row& row : table) nonzero -= Row(row != 0);  // true is -1
  int count = 0;
  for (int j = 0; j < PLACES; j++) count += nonzero[j];
  return count - 1;
}

bool has_all(int side, const Places& places) {
  bool have[2][MAX_CLASSES] = {};
  for (int place = 0; place < PLACES; place++) have[place & 1][places[place]] = true;
  for (int odd = 0; odd < 2; odd++)
    for (int k = 0; k < num_classes; k++)
      if (needed[side][odd][k] && !have[odd][k]) return false;
  return true;
}

// For each parity the classes that need it, some of them twice, in any order.
Places random_places(int side) {
  Places places;
  for (int odd = 0; odd < 2; odd++) {
    std::vector<int> found;
    for (int k = 0; k < num_classes; k++)
      if (needed[side][odd][k]) found.push_back(k);
    while (int(found.size()) < WORDS) found.push_back(found[below(int(found.size()))]);
    for (int i = WORDS - 1; i > 0; i--) std::swap(found[i], found[below(i + 1)]);
    for (int word = 0; word < WORDS; word++) places[odd | word << 1] = found[word];
  }
  return places;
}

// Words that a linear condition picks move by the same shift, at one parity or, one time in three, at both.
void shift_words(Places& places, int odd) {
  int shift = 1 + below(WORDS - 1), mask = below(WORDS), value = below(2);
  bool both = below(3) == 0;
  if (parity(shift & mask)) return;
  Places before = places;
  for (int place = 0; place < PLACES; place++)
    if ((both || (place & 1) == odd) && parity((place >> 1) & mask) == value) places[place ^ shift << 1] = before[place];
}

void change(int side, Places& places) {
  int odd = below(2), kind = below(8);
  if (kind < 4) {
    int a = below(WORDS), b = below(WORDS);
    std::swap(places[odd | a << 1], places[odd | b << 1]);
  } else if (kind < 7) {
    shift_words(places, odd);
  } else {
    Places before = places;
    places[odd | below(WORDS) << 1] = below(num_classes);
    if (!has_all(side, places)) places = before;
  }
}

// One run of annealing, the sides by turns; the best codes that it came by, and their terms.
std::pair<int, Codes> anneal() {
  Codes codes = {random_places(0), random_places(1)}, best = codes;
  int now = terms(lines(0, codes[1]), codes[0]), fewest = now;
  for (int round = 0; round < ROUNDS; round++) {
    double heat = HOT * std::pow(COLD / HOT, double(round) / ROUNDS);
    int side = round & 1;
    auto line = lines(side, codes[1 - side]);
    for (int move = 0; move < MOVES; move++) {
      Places tried = codes[side];
      change(side, tried);
      int count = terms(line, tried);
      if (count > now && uniform() >= std::exp((now - count) / heat)) continue;
      codes[side] = tried;
      now = count;
      if (now < fewest) {
        fewest = now;
        best = codes;
      }
    }
  }
  return {fewest, best};
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "codes SEED SECONDS < CLASSES\n"), 1;
  state = std::atoi(argv[1]) * 7919 + 13;
  read_classes();
  int record = PLACES * PLACES;
  auto start = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < std::atof(argv[2])) {
    auto [count, codes] = anneal();
    if (count > record) continue;
    record = count;
    std::printf("%d %d %d", count, PARITY[0], PARITY[1]);
    for (const Places& places : codes)
      for (int k : places) std::printf(" %d", k);
    std::printf("\n");
    std::fflush(stdout);
  }
}
