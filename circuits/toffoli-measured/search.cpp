// Fewer products for functions of up to 7 bits; search.py compiles it, writes its task and reads its answer.
//
// A space of functions holds the inputs, 1 and what is wanted. It can be made if products of two functions already made,
// each inside the space, lead from the inputs to all of it; it then takes a product for each dimension above the inputs'.
// So the search is for a small space that can be made. It can be erased if quadratic functions of what is kept, each
// inside the space, lead back to all of it.
//
//   search SEED ROUNDS STEPS < task
//
// ROUNDS of growing a space from the inputs, wanted functions first, unless the task has one to start from; then STEPS of
// giving up one dimension, or changing one, while it can be made. Prints the products, two factors a line, as tables.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using Table = std::conditional_t<(INPUTS > 6), unsigned __int128, std::uint64_t>;
constexpr int ROWS = 1 << INPUTS;
constexpr Table ONE = ~Table(0) >> (8 * sizeof(Table) - ROWS);
using Tables = std::vector<Table>;

int top(Table a) {
  int word = 0;
  if constexpr (INPUTS > 6) {
    if (a >> 64) word = 64;
  }
  return word + 63 - __builtin_clzll(static_cast<unsigned long long>(a >> word));
}

struct Basis {
  std::array<Table, 128> row{};
  std::array<int, 128> leads;
  int size = 0;

  Table reduce(Table a) const {
    for (int i = 0; i < size; i++)
      if (a >> leads[i] & 1) a ^= row[leads[i]];
    return a;
  }
  bool add(Table a) {
    a = reduce(a);
    if (!a) return false;
    int lead = top(a), i = size++;
    for (; i && leads[i - 1] < lead; i--) leads[i] = leads[i - 1];
    leads[i] = lead;
    row[lead] = a;
    return true;
  }
  void add_all(const Tables& tables) {
    for (Table one : tables) add(one);
  }
};

// Finds combinations whose images vanish: feed pairs, get the combination where the image came to nothing.
struct Kernel {
  std::array<Table, 128> image{}, source;

  bool feed(Table from, Table to, Table& found) {
    while (to) {
      int lead = top(to);
      if (!image[lead]) {
        image[lead] = to;
        source[lead] = from;
        return false;
      }
      to ^= image[lead];
      from ^= source[lead];
    }
    found = from;
    return true;
  }
};

struct Product {
  Table left, right;
};

std::mt19937_64 draw;
Tables inputs, wanted, kept;

Table mix(const Tables& made, int most) {
  Table sum = 0;
  for (int i = 1 + draw() % most; i--;) sum ^= made[draw() % made.size()];
  return draw() & 1 ? sum : sum ^ ONE;
}

// Products of a factor with made functions that fall into the space and are new.
void multiply(Table left, const Tables& made, const Basis& space, const Basis& have, std::vector<Product>& found) {
  Kernel kernel;
  Table right;
  for (Table one : made)
    if (kernel.feed(one, space.reduce(left & one), right) && have.reduce(left & right)) found.push_back({left, right});
}

// What can be made inside a space, the products that make it, and all that is made.
Tables make(const Basis& space, std::vector<Product>* steps = nullptr) {
  Tables made = inputs;
  Basis have;
  have.add(ONE);
  have.add_all(made);
  for (bool grew = true; grew && have.size < space.size;) {
    grew = false;
    std::uint64_t all = std::uint64_t(1) << made.size(), start = draw();
    for (std::uint64_t k = 0; k < all && !grew; k++) {
      std::uint64_t number = (start + k) % all;
      Table left = 0;
      for (std::uint64_t rest = number; rest; rest &= rest - 1) left ^= made[__builtin_ctzll(rest)];
      std::vector<Product> found;
      if (left) multiply(left, made, space, have, found);
      for (auto& one : found)
        if (have.add(one.left & one.right)) {
          made.push_back(one.left & one.right);
          if (steps) steps->push_back(one);
          grew = true;
        }
    }
  }
  return made;
}

bool can_erase(const Tables& made) {
  Tables known;
  Basis have, all;
  all.add(ONE);
  all.add_all(made);
  have.add(ONE);
  for (Table one : kept)
    if (have.add(one)) known.push_back(one);
  for (bool grew = true; grew;) {
    grew = false;
    Basis quadratic;
    quadratic.add(ONE);
    for (Table a : known)
      for (Table b : known) quadratic.add(a & b);
    Kernel kernel;
    Table found;
    for (Table one : made)
      if (kernel.feed(one, quadratic.reduce(one), found) && have.add(found)) {
        known.push_back(found);
        grew = true;
      }
  }
  return have.size == all.size;
}

// A space grown from the inputs: products that make wanted functions first, others where there is none.
Basis grow(std::size_t most) {
  Tables made = inputs;
  Basis have;
  have.add(ONE);
  have.add_all(made);
  for (std::size_t steps = 0; steps < most; steps++) {
    Basis space = have;
    space.add_all(wanted);
    if (space.size == have.size || steps + space.size - have.size > most) break;
    std::vector<Product> found;
    std::uint64_t all = std::uint64_t(1) << std::min<std::size_t>(made.size(), 13);
    for (std::uint64_t k = 0; k < all && found.size() < 6; k++) {
      Table left = 0;
      std::uint64_t number = made.size() > 13 ? draw() : k + 1;
      for (std::size_t i = 0; i < made.size(); i++)
        if (number >> i & 1) left ^= made[i];
      if (left) multiply(left, made, space, have, found);
    }
    Table chosen = 0;
    if (!found.empty()) {
      auto& one = found[draw() % found.size()];
      chosen = one.left & one.right;
    }
    while (!have.reduce(chosen)) chosen = mix(made, 3) & mix(made, 3);
    have.add(chosen);
    made.push_back(chosen);
  }
  return have;
}

Table read_table() {
  std::string text;
  std::cin >> text;
  Table table = 0;
  for (char digit : text) table = table << 4 | Table(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  return table;
}

Tables read_tables() {
  int count;
  std::cin >> count;
  Tables tables;
  while (count--) tables.push_back(read_table());
  return tables;
}

std::string write_table(Table table) {
  std::string text;
  for (int digit = ROWS / 4; digit--;) text += "0123456789abcdef"[int(table >> 4 * digit & 15)];
  return text;
}

int main(int, char** arguments) {
  draw.seed(std::atoll(arguments[1]));
  for (int i = 0; i < INPUTS; i++) {
    Table table = 0;
    for (int row = 0; row < ROWS; row++)
      if (row >> i & 1) table |= Table(1) << row;
    inputs.push_back(table);
  }
  wanted = read_tables();
  kept = read_tables();
  Tables start = read_tables(), free;
  Basis base;
  base.add(ONE);
  base.add_all(inputs);
  base.add_all(wanted);
  auto add = [&](const Tables& more) {
    Basis space = base;
    space.add_all(more);
    return space;
  };
  std::vector<Product> best;
  auto judge = [&](const Basis& space) {
    std::vector<Product> steps;
    Tables made = make(space, &steps);
    if (INPUTS + 1 + int(steps.size()) < space.size || !can_erase(made)) return;
    if (!best.empty() && steps.size() >= best.size()) return;
    best = steps;
    free.clear();
    Basis seen = base;
    for (auto& one : steps)
      if (seen.add(one.left & one.right)) free.push_back(one.left & one.right);
    std::cerr << best.size() << " products\n";
  };
  if (start.empty())
    for (int round = std::atoi(arguments[2]); round--;) {
      Basis space = grow(best.empty() ? 40 : best.size() - 1);
      if (space.size == [&] { Basis more = space; more.add_all(wanted); return more.size; }()) judge(space);
    }
  else
    judge(add(start));
  for (int step = std::atoi(arguments[3]); step-- && !free.empty();) {
    Tables fewer = free;
    std::size_t out = draw() % fewer.size();
    for (std::size_t i = 0; i < fewer.size(); i++)
      if (i != out && draw() & 1) fewer[i] ^= fewer[out];
    fewer.erase(fewer.begin() + out);
    Basis space = add(fewer);
    Tables made = make(space);
    if (int(made.size()) + 1 == space.size) {
      free = fewer;
      judge(space);
      continue;
    }
    for (int tries = 8; tries--;) {
      Table other = mix(made, 3) & mix(made, 3);
      Tables changed = fewer;
      changed.push_back(other);
      Basis more = add(changed);
      if (more.size > space.size && int(make(more).size()) + 1 == more.size) {
        free = changed;
        break;
      }
    }
  }
  for (auto& one : best) std::cout << write_table(one.left) << " " << write_table(one.right) << "\n";
}
