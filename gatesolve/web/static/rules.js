// For which rules the operations of an oracle work: found by running it on random bits, and by which qubits are read.

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

// The numbers of the conditions in which each value occurs: as a factor, a flag or a product of a flag.
function findValues(conditions, bits) {
  const known = new Map();
  conditions.forEach((condition, number) => {
    const note = (value) => { const key = sideless(value); known.set(key, (known.get(key) ?? new Set()).add(number)); return value; };
    for (const { flags, factors } of [condition, condition.shared].filter(Boolean)) {
      const made = [];
      const read = ({ wires, constant }) => wires.reduce((sum, wire) => sum ^ (wire < 0 ? made[-1 - wire] : bits[wire]), constant ? ONE : 0n);
      for (const { products, parity } of flags) made.push(note(products.reduce((sum, [l, r]) => sum ^ note(read(l) & read(r)), read(parity))));
      factors.forEach((one) => note(read(one)));
    }
  });
  return known;
}

// The numbers of the conditions of each operation; none where it only joins rules, null where it only moves qubits.
export function traceRules({ ops, conditions, data, qubits }) {
  const bits = Array.from({ length: qubits }, (_, wire) => (wire < data ? random() : 0n));
  const known = findValues(conditions, bits);
  const scopes = bits.map((_, wire) => (wire < data ? [wire] : []));
  const before = new Map(bits.map((value, wire) => [value, scopes[wire]]));
  const covering = (scope) => conditions.flatMap(({ reads }, number) => (scope.every((wire) => reads.includes(wire)) ? [number] : []));
  const reach = (parities) => [...new Set(parities.flatMap(({ wires }) => wires.flatMap((wire) => scopes[wire])))];
  const counts = new Map();
  return ops.map(([kind, sign, inputs, target]) => {
    const values = inputs.map(({ wires, constant }) => wires.reduce((sum, wire) => sum ^ bits[wire], constant ? ONE : 0n));
    // Two sides whose AND is a part of a rule belong together.
    const [head, pair] = sign === "∧¬" ? [[0], [1, 2]] : inputs.length === 2 && kind !== "phase" ? [[], [0, 1]] : [inputs.map((_, k) => k), null];
    const whole = pair && known.get(sideless(values[pair[0]] & values[pair[1]]));
    const sides = [...(whole ? [] : pair ?? []), ...head].map((k) => known.get(sideless(values[k])) ?? covering(reach([inputs[k]])));
    const sets = [...(whole ? [whole] : []), ...sides].map((one) => [...one]).filter((one) => one.length && one.length < conditions.length);
    const scope = reach([...inputs, { wires: target < 0 ? [] : [target] }]);
    if (target >= 0) {
      bits[target] ^= compute(sign, kind, values);
      scopes[target] = bits[target] ? before.get(bits[target]) ?? scope : [];
      before.set(bits[target], scopes[target]);
    }
    return kind === "xor" && target < data ? null : choose(sets, counts);
  });
}

// As few rules as occur in all of some sets, those first that had the fewest operations so far.
function choose(sets, counts) {
  const chosen = [];
  const all = sets.length ? sets.reduce((some, one) => some.filter((rule) => one.includes(rule))) : [];
  for (const set of all.length ? [all] : sets) {
    if (set.some((rule) => chosen.includes(rule))) continue;
    chosen.push(set.reduce((best, rule) => ((counts.get(rule) ?? 0) < (counts.get(best) ?? 0) ? rule : best)));
  }
  chosen.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
  if (chosen.length) counts.set(chosen[0], (counts.get(chosen[0]) ?? 0) + 1);
  return chosen;
}
