// For which rules the operations of an oracle work. The conditions say which values each rule is made of; the oracle is run
// on random bits to find these values on its wires, and what only leads to one of them.

const BITS = 192;
const ONE = (1n << BigInt(BITS)) - 1n;
const random = () => BigInt(`0x${Array.from(crypto.getRandomValues(new Uint8Array(BITS / 8)), (one) => one.toString(16).padStart(2, "0")).join("")}`);
const sideless = (value) => (value < (value ^ ONE) ? value : value ^ ONE); // of a value and its complement always the same one

// The bits that an operation adds to its target.
function compute(sign, kind, [first = ONE, second = ONE, third = ONE, ...more]) {
  if (sign === "∧¬") return first & ~(second & third) & ONE;
  if (sign === "?:") return (first & second) | (~first & third & ONE);
  return kind === "xor" ? first : more.reduce((all, one) => all & one, first & second & third);
}

// The numbers of the conditions in which each value occurs: as a factor; as a factor, a flag or a product of a flag; or
// also as a side of a product.
function findValues(conditions, bits) {
  const [factors, whole, sides] = [new Map(), new Map(), new Map()];
  conditions.forEach((condition, number) => {
    const note = (value, ...maps) => {
      for (const map of maps) map.set(sideless(value), (map.get(sideless(value)) ?? new Set()).add(number));
      return value;
    };
    for (const one of [condition, condition.shared].filter(Boolean)) {
      const made = [];
      const read = ({ wires, constant }) => wires.reduce((sum, wire) => sum ^ (wire < 0 ? made[-1 - wire] : bits[wire]), constant ? ONE : 0n);
      for (const { products, parity } of one.flags) made.push(note(products.reduce((sum, [l, r]) => sum ^ note(note(read(l), sides) & note(read(r), sides), whole, sides), read(parity)), whole, sides));
      for (const factor of one.factors) note(read(factor), factors, whole, sides);
    }
  });
  const find = (map) => (value) => map.get(sideless(value));
  return { factors: find(factors), whole: find(whole), sides: find(sides) };
}

const SEVERAL = -1;

// Of each operation the number of the rule that it works for, -1 if it works for several, or nobody can be sure.
export function traceRules({ ops, conditions, data, qubits }) {
  const start = Array.from({ length: qubits }, (_, wire) => (wire < data ? random() : 0n));
  const known = findValues(conditions, start);
  const runs = findRuns(ops, start, known);
  for (const run of runs) run.rule = known.whole(run.value) ? pick([known.whole(run.value), ...run.joined]) : null;
  // Backwards: a value serves those rules whose operations read it.
  for (const run of runs.toReversed()) {
    const served = new Set(run.readers.map(({ rule }) => rule));
    const [only] = served.size === 1 ? served : [];
    const isPart = run.rule === null || [known.whole(run.value), ...run.joined].every((one) => one.has(only));
    if (only >= 0 && (run.rule === null || run.rule === SEVERAL) && isPart) run.rule = only;
  }
  // Forwards: what is added to values that are joined belongs to its own rule.
  for (const run of runs.filter(({ rule }) => rule === null)) {
    const direct = run.terms.filter(({ makers }) => !makers.length);
    const earlier = run.terms.flatMap(({ makers }) => makers).map(({ rule }) => new Set([rule ?? SEVERAL]));
    run.rule = run.isMove ? SEVERAL : pick(direct.length ? direct.map(({ sets }) => sets).flat() : earlier);
  }
  // A value that is read in a sum with others serves whatever the sum is for.
  for (const run of runs) if (run.rule >= 0 && !run.sums.every((sum) => known.sides(sum)?.has(run.rule) && known.sides(sum).size === 1)) run.rule = SEVERAL;
  const told = new Array(ops.length);
  for (const { places, rule } of runs) for (const k of places) told[k] = rule;
  return told;
}

// The one rule of all these sets.
function pick(sets) {
  const all = new Set(sets.flatMap((one) => (one ? [...one] : [SEVERAL])));
  return all.size === 1 ? [...all][0] : SEVERAL;
}

// Operations that write one wire, one after the other, until it is read: one run. What brings back the bit of the
// beginning belongs to the run before. A phase is a run of its own. The terms of a run are what its operations join.
function findRuns(ops, start, known) {
  const bits = [...start];
  const runs = [];
  const last = new Map(); // by wire, the run that made its bit
  ops.forEach(([kind, sign, inputs, target], place) => {
    const read = inputs.map(({ wires, constant }) => ({ value: wires.reduce((sum, wire) => sum ^ bits[wire], constant ? ONE : 0n), wires }));
    const value = target < 0 ? ONE : bits[target] ^ compute(sign, kind, read.map((one) => one.value));
    const before = last.get(target);
    const isBack = target >= 0 && value === start[target] && before;
    const run = isBack || (before && !before.readers.length) ? before : { places: [], readers: [], terms: [], joined: [], sums: [], isMove: kind === "xor" && start[target] > 0n };
    if (run !== before) runs.push(run);
    run.places.push(place);
    for (const wire of new Set(inputs.flatMap(({ wires }) => wires))) if (last.get(wire) !== run) last.get(wire)?.readers.push(run);
    for (const one of read) {
      const sum = kind === "xor" ? value : one.value;
      if (kind === "xor" || one.wires.length > 1) for (const wire of one.wires) if (last.get(wire) !== run) last.get(wire)?.sums.push(sum);
    }
    if (target >= 0) bits[target] = value;
    if (isBack) { last.delete(target); return; }
    run.value = value;
    // An AND of factors of rules joins these rules, whatever else it may be.
    if (kind !== "xor") run.joined.push(...read.map((one) => known.factors(one.value)).filter(Boolean));
    // A product of a rule is one term, alone or beside what it is joined to.
    const pair = sign === "∧¬" ? read.slice(1) : read;
    const both = pair.reduce((all, one) => all & one.value, ONE);
    const isOne = pair.length === 2 && kind !== "phase" && known.whole(both);
    const product = { wires: pair.flatMap(({ wires }) => wires), sets: [known.whole(both), ...pair.map((one) => known.factors(one.value)).filter(Boolean)] };
    const terms = [...(isOne && pair !== read ? [read[0]] : isOne ? [] : read).map(({ value: bit, wires }) => ({ wires, sets: [known.sides(bit)] })), ...(isOne ? [product] : [])];
    run.terms.push(...terms.map(({ wires, sets }) => ({ sets, makers: wires.flatMap((wire) => last.get(wire) ?? []).filter((maker) => !maker.isMove && maker !== run) })));
    if (target >= 0) last.set(target, run);
  });
  return runs;
}
