// Products in place that leave only phases of three factors: whether a task can be done with fewer Toffoli gates.
//
//   g++ -O3 -march=native -std=c++17 -o search search.cpp && python make.py --task 8 | ./search PRODUCTS [any]
//
// Reads the number of inputs, then the marked numbers; the target is one more wire. What is looked for are PRODUCTS steps
// wire ^= left & right, over all parities, after which the phase is one CCZ and phases of two factors; with `any`,
// phases of three factors however many. Phases of two factors cost nothing, so one may stand before each step too; all
// that matter are tried. So it is complete, up to the order of inputs where the task does not care for it.
//
// What lets it end: where r steps are still to come, the phase has at most degree 3 + r, and for one CCZ its part of that
// degree is a product of linear forms.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>
using namespace std;

typedef array<uint64_t, 4> Table;  // of a function of up to 8 bits
struct Step { int wires, left, right, phase; };

int n, size_;
bool any_cubic;
Table linear[256];
vector<pair<int, Table>> monomials[9];  // by degree: the monomial, and the places whose sum is its coefficient
vector<pair<int, int>> pairs[256];      // for what takes the product: factors that do not read it, each plane once
set<Table> seen[8];
vector<Step> path;
long found;

int parity(unsigned bits) { return __builtin_parity(bits); }

void flip(Table& f, int place) { f[place >> 6] ^= 1ull << (place & 63); }

Table shifted(const Table& f, int by) {
  Table moved{};
  for (int z = 0; z < size_; z++)
    if (f[z >> 6] >> (z & 63) & 1) flip(moved, z ^ by);
  return moved;
}

bool coefficient(const Table& f, const Table& mask) {
  return __builtin_parityll((f[0] & mask[0]) ^ (f[1] & mask[1]) ^ (f[2] & mask[2]) ^ (f[3] & mask[3]));
}

bool has_degree(const Table& f, int most) {
  for (int d = most + 1; d <= n; d++)
    for (auto& one : monomials[d])
      if (coefficient(f, one.second)) return false;
  return true;
}

// The part of this degree is a product of linear forms, or zero: its derivatives span no more than as many dimensions.
bool is_product(const Table& f, int degree) {
  vector<bitset<256>> rows(n);
  for (auto& [monomial, mask] : monomials[degree])
    if (coefficient(f, mask))
      for (int v = 0; v < n; v++)
        if (monomial >> v & 1) rows[v].flip(monomial ^ 1 << v);
  int rank = 0;
  for (int v = 0; v < n; v++) {
    size_t pivot = rows[v]._Find_first();
    if (pivot == 256) continue;
    rank++;
    for (int w = v + 1; w < n; w++)
      if (rows[w][pivot]) rows[w] ^= rows[v];
  }
  return rank <= degree;
}

// Parities that the step leaves as they are, up to its factors: a phase of one and the target before the step gives
// the phase of it and both factors.
vector<int> kept(const Step& step) {
  vector<int> forms;
  vector<bool> met(size_);
  for (int form = 0; form < size_; form++)
    if (!parity(form & step.wires) && !met[form]) {
      forms.push_back(form);
      for (int same : {0, step.left, step.right, step.left ^ step.right}) met[form ^ same] = true;
    }
  return forms;
}

void search(const Table& f, int left, const vector<int>& first);

void follow(const Table& f, Step step, int left) {
  for (int form : kept(step)) {
    Table next = f;
    for (int i = 0; i < 4; i++) next[i] ^= linear[step.left][i] & linear[step.right][i] & linear[form][i];
    if (left ? !seen[left].insert(next).second : !any_cubic && !is_product(next, 3)) continue;
    step.phase = form;
    path.push_back(step);
    if (left) search(next, left, {});
    else if (!found++)
      for (auto& one : path) printf("%d ^= %d & %d, phase %d\n", one.wires, one.left, one.right, one.phase);
    path.pop_back();
    if (found) return;
  }
}

// All steps from f, after each of which `left - 1` are to come; of the first, one for each order of the inputs.
void search(const Table& f, int left, const vector<int>& first) {
  set<array<int, 3>> met;
  for (int wires = 1; wires < size_ && !found; wires++) {
    Table change = shifted(f, wires);
    for (int i = 0; i < 4; i++) change[i] ^= f[i];
    for (auto& [a, b] : pairs[wires]) {
      Table next = f;
      for (int i = 0; i < 4; i++) next[i] ^= change[i] & linear[a][i] & linear[b][i];
      if (!has_degree(next, 2 + left) || (!any_cubic && !is_product(next, 2 + left)) || met.count({wires, a, b})) continue;
      for (vector<int> order = first; !order.empty();) {
        auto move = [&](int form) {
          int moved = form >> order.size() << order.size();
          for (size_t i = 0; i < order.size(); i++) moved |= (form >> i & 1) << order[i];
          return moved;
        };
        int plane[3] = {move(a), move(b), move(a ^ b)};
        sort(plane, plane + 3);
        met.insert({move(wires), plane[0], plane[1]});
        if (!next_permutation(order.begin(), order.end())) break;
      }
      follow(next, {wires, a, b, 0}, left - 1);
      if (found) return;
    }
  }
}

int main(int count, char** words) {
  int inputs, number, products = count > 1 ? atoi(words[1]) : 0;
  any_cubic = count > 2;
  if (products < 1 || products > 7 || scanf("%d", &inputs) != 1 || inputs < 2 || inputs > 7) return 2;
  n = inputs + 1, size_ = 1 << n;
  vector<bool> marked(1 << inputs);
  Table f{};
  while (scanf("%d", &number) == 1) marked.at(number) = true, flip(f, number | 1 << inputs);
  for (int form = 0; form < size_; form++)
    for (int z = 0; z < size_; z++)
      if (parity(z & form)) flip(linear[form], z);
  for (int monomial = 0; monomial < size_; monomial++) {
    Table mask{};
    for (int z = 0; z < size_; z++)
      if (!(z & ~monomial)) flip(mask, z);
    monomials[__builtin_popcount(monomial)].push_back({monomial, mask});
  }
  for (int wires = 1; wires < size_; wires++)
    for (int a = 1; a < size_; a++)
      for (int b = a + 1; b < size_ && !parity(a & wires); b++)
        if (!parity(b & wires) && (a ^ b) > b) pairs[wires].push_back({a, b});
  bool symmetric = true;  // whether only the weight counts
  for (int z = 0; z < 1 << inputs; z++) symmetric &= marked[z] == marked[(1 << __builtin_popcount(z)) - 1];
  vector<int> order(symmetric ? inputs : 0);
  iota(order.begin(), order.end(), 0);
  search(f, products, order);
  puts(found ? "found" : "none");
}
