// Search for a schedule of the middle of the circuit, which gives the words of the two codes their phase: CX gates and
// rotations that leave each wire as it was.
//
//   g++ -O3 -march=native -std=c++17 -o middle middle.cpp
//   ./middle TERMS SEED LAYERS READY0 ... READY7 LATE URGENCY HORIZON
//
// Wires 0 to 3 are the code of x (its parity, then labels 0 to 2), 4 to 7 that of y. A loader has wire w ready in layer
// READYw of a circuit of LAYERS layers, and the loader's inverse takes it back as late: layers READYw + 1 to
// LAYERS - READYw are open to the middle. TERMS is what ``terms.py middle`` prints, a mask of wires for each term.
//
// Prints the first schedule that is found, from the first open layer on, with its CX gates; nothing if there is none:
//   T 144 start 47 ends 94 : 4>2 ; 4>5 1r ; ... cx 117
//
// The parameters steer the search; campaign.py has the values that did well. When fewer than HORIZON layers are
// left to a wire, the price of being other than it was grows, with LATE as the most that is added to its weight. URGENCY
// is the price of a term that includes a wire with few layers left.
#include <array>

#include "beam.h"

const int WIRES = 8, WIDTH = 4000, URGENT_LAYERS = 12;
const float NOISE = 0.7f, LEAST_GAIN = 0.05f, RATIO = 0.55f, AWAY = 0.2f, EARLY = 0.15f;

const std::vector<float> prices = term_prices(RATIO);
int num_terms, num_masks, layers;
std::array<int, WIRES> ready;
float late, urgency, horizon;

// The masks are the terms, then for each wire the wires whose contents sum to what it held at first: its home.
Network read_terms(const char* path) {
  Network start;
  std::ifstream in(path);
  for (int mask; in >> mask && num_terms + WIRES < MAX_MASKS;) start.masks[num_terms++] = mask;
  num_masks = num_terms + WIRES;
  for (int wire = 0; wire < WIRES; wire++) start.masks[num_terms + wire] = 1 << wire;
  return start;
}

// What a layer allows, and how much it presses.
struct Window {
  int open = 0;               // wires that may be used
  int closed_after = 0;       // wires that may be used neither in the next layer nor later
  float urgent[WIRES] = {};   // the price of a term's bit on a wire
  float away[WIRES];          // the price of each bit that the home of a wire differs in
};

Window window_of(int layer) {
  Window window;
  for (int wire = 0; wire < WIRES; wire++) {
    int left = layers - ready[wire] - layer;
    if (layer > ready[wire] && left >= 0) window.open |= 1 << wire;
    if (left <= 0) window.closed_after |= 1 << wire;
    if (left < URGENT_LAYERS) window.urgent[wire] = urgency * (URGENT_LAYERS - left) / URGENT_LAYERS;
    window.away[wire] = AWAY * (EARLY + (left < horizon ? (horizon - left) / horizon * late : 0));
  }
  return window;
}

float price(const Network& n, const Window& window) {
  float sum = 0;
  for (int t = 0; t < num_terms; t++) {
    sum += prices[count(n.masks[t])];
    for (int rest = n.masks[t]; rest; rest &= rest - 1) sum += window.urgent[first_wire(rest)];
  }
  for (int wire = 0; wire < WIRES; wire++) sum += window.away[wire] * count(n.masks[num_terms + wire] ^ 1 << wire);
  return sum;
}

// What can be done next.
struct Options {
  Gains gains;
  int term_on[WIRES];  // a term that can be rotated there, or -1
};

Options survey(const Network& n, const Window& window) {
  Options options;
  std::fill_n(options.term_on, WIRES, -1);
  float turn[MAX_WIRES] = {};
  for (int t = 0; t < num_terms; t++) {
    int mask = n.masks[t], wires = count(mask);
    if (!mask) continue;
    float fewer = prices[wires] - prices[wires - 1], more = prices[wires] - prices[wires + 1];
    for (int i = 0; i < WIRES; i++) turn[i] = mask >> i & 1 ? fewer + window.urgent[i] : more - window.urgent[i];
    options.gains.add(mask, turn);
    if (wires == 1) options.term_on[first_wire(mask)] = t;
  }
  for (int wire = 0; wire < WIRES; wire++) {
    int mask = n.masks[num_terms + wire], differs = mask ^ 1 << wire;
    for (int i = 0; i < WIRES; i++) turn[i] = differs >> i & 1 ? window.away[wire] : -window.away[wire];
    options.gains.add(mask, turn);
  }
  return options;
}

std::vector<Move> layer_of(const Options& options, const Window& window) {
  std::vector<Move> moves;
  for (int i = 0; i < WIRES; i++) {
    if (!(window.open >> i & 1)) continue;
    for (int j = 0; j < WIRES; j++) {
      if (i == j || !(window.open >> j & 1)) continue;
      float gain = options.gains.of[j][i] + NOISE * uniform();
      if (gain > LEAST_GAIN) moves.push_back({gain, '>', i, j});
    }
    if (options.term_on[i] >= 0) moves.push_back({(0.6f + 0.5f * uniform()) * (0.8f + NOISE), 'r', i, -1});
  }
  return choose(std::move(moves));
}

Network after(const Network& n, const Options& options, const Window& window) {
  Network next = n;
  std::vector<Move> moves = layer_of(options, window);
  for (const Move& move : moves) {
    if (move.kind == '>')
      apply_cx(next, num_masks, move.wire, move.other);
    else
      next.masks[options.term_on[move.wire]] = 0;
  }
  next.price = price(next, window);
  next.hash = hash_of(next, num_masks);
  next.past = std::make_shared<Past>(Past{n.past, layer_text(moves)});
  return next;
}

// Wires that close after the layer are home, and nothing else still needs them.
bool can_go_on(const Network& n, int closed) {
  for (int t = 0; t < num_terms; t++)
    if (n.masks[t] & closed) return false;
  for (int wire = 0; wire < WIRES; wire++) {
    int mask = n.masks[num_terms + wire];
    if (closed >> wire & 1 ? mask != 1 << wire : mask & closed) return false;
  }
  return true;
}

bool finished(const Network& n) {
  const int every_wire = (1 << WIRES) - 1;
  return std::all_of(n.masks, n.masks + num_terms, [](int mask) { return mask == 0; }) && can_go_on(n, every_wire);
}

void print(const Network& n, int start, int end) {
  std::string text = schedule(n.past);
  std::printf("T %d start %d ends %d :%s cx %d\n", layers, start, end, text.c_str(),
              int(std::count(text.begin(), text.end(), '>')));
}

int main(int argc, char** argv) {
  if (argc != 15) return std::fprintf(stderr, "middle TERMS SEED LAYERS and 11 numbers: see middle.cpp\n"), 1;
  seed_random(std::atoi(argv[2]));
  layers = std::atoi(argv[3]);
  for (int wire = 0; wire < WIRES; wire++) ready[wire] = std::atoi(argv[4 + wire]);
  late = std::atof(argv[12]);
  urgency = std::atof(argv[13]);
  horizon = std::atof(argv[14]);
  std::vector<Network> beam{read_terms(argv[1])};
  int start = *std::min_element(ready.begin(), ready.end()) + 1;
  for (int layer = start; layer <= layers && !beam.empty(); layer++) {
    Window window = window_of(layer);
    std::vector<Network> next;
    for (const Network& n : beam) {
      Options options = survey(n, window);
      for (int i = 0; i < TRIES; i++) {
        Network longer = after(n, options, window);
        if (finished(longer)) return print(longer, start, layer), 0;
        if (can_go_on(longer, window.closed_after)) next.push_back(std::move(longer));
      }
    }
    beam = keep_best(next, WIDTH);
  }
}
