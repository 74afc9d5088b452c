// The circuit of an iteration as named parts: preparation, one part for each rule, the sign, undoing, diffusion.

import { plural } from "./dom.js";
import { traceRules } from "./rules.js";

const wiresOf = ([, , inputs, target]) => [...new Set([...inputs.flatMap(({ wires }) => wires), ...(target < 0 ? [] : [target])])];

export function listParts(oracle, iteration) {
  const { ops, of, conditions } = oracle;
  const half = ops.length < of ? ops.length : countMirrored(ops);
  const name = (number) => conditions[number].label || conditions[number].method || "the listed states";
  const traced = traceRules(oracle);
  const parts = gatherRules(ops.slice(0, half), traced).map(({ rule, ops: own }) => ({
    kind: rule < 0 ? "join" : "rule", name: rule < 0 ? "Several rules" : name(rule), ops: own,
    says: rule < 0 ? "Computes what several rules have in common, and joins rules by AND." : `Computes whether this rule holds: ${name(rule)}.`,
  }));
  // What undoes an operation is for the same rules.
  const known = new Map(ops.map((op, k) => [op, traced[k < ops.length - half ? k : ops.length - 1 - k]]));
  const middle = ops.slice(half, ops.length - half);
  parts.push({ kind: "sign", name: middle.every(([kind]) => kind === "phase") ? "Sign flip" : "Oracle", ops: middle, says: "Flips the sign of the states that meet every rule." },
    { kind: "undo", name: "Undoing the rules", ops: ops.slice(Math.max(half, ops.length - half)), says: "Undoes the computation of the rules, so that the ancillas are zero again." });
  if (iteration) {
    parts.unshift({ kind: "prepare", name: "Preparation", ops: iteration.preparation, says: "Done once: gives every state of the space the same amplitude." });
    parts.push({ kind: "diffuse", name: "Diffusion", ops: iteration.diffusion, says: "Replaces each amplitude by twice the mean of all amplitudes minus itself." });
  }
  const whose = (op) => {
    const rule = known.get(op);
    return rule === undefined ? "" : rule < 0 ? "Part of several rules." : `For the rule ${name(rule)}.`;
  };
  return { parts: parts.filter((one) => one.ops.length).map((one) => ({ ...one, says: `${one.name}: ${plural(one.ops.length, "operation")}. ${one.says}` })), whose };
}

// How many operations at the beginning are undone at the end, in reverse order.
function countMirrored(ops) {
  const key = (op) => `${op[3]}:${wiresOf(op).sort((a, b) => a - b)}`;
  let count = 0;
  while (count < (ops.length - 1) / 2 && key(ops[count]) === key(ops[ops.length - 1 - count])) count += 1;
  return count;
}

// Operations of one rule side by side, as far as the wires that they share allow: the circuit stays the same.
function gatherRules(ops, rules) {
  const needs = ops.map(() => 0);
  const next = ops.map(() => []);
  const [written, read] = [new Map(), new Map()];
  ops.forEach((op, k) => {
    const after = new Set();
    for (const wire of wiresOf(op)) {
      if (written.has(wire)) after.add(written.get(wire));
      if (wire === op[3]) for (const one of read.get(wire) ?? []) after.add(one);
      else read.set(wire, [...(read.get(wire) ?? []), k]);
    }
    if (op[3] >= 0) { written.set(op[3], k); read.set(op[3], []); }
    for (const one of after) { next[one].push(k); needs[k] += 1; }
  });
  const parts = [];
  const ready = ops.flatMap((_, k) => (needs[k] ? [] : [k]));
  while (ready.length) {
    ready.sort((a, b) => a - b);
    let at = ready.findIndex((k) => rules[k] === parts.at(-1)?.rule);
    if (at < 0) at = Math.max(0, ready.findIndex((k) => rules[k] >= 0));
    const [k] = ready.splice(at, 1);
    const rule = rules[k];
    if (parts.at(-1)?.rule !== rule) parts.push({ rule, ops: [] });
    parts.at(-1).ops.push(ops[k]);
    for (const one of next[k]) if (!(needs[one] -= 1)) ready.push(one);
  }
  return parts;
}

const GATES = { H: "Brings into a superposition of 0 and 1:", X: "Flips", RY: "Rotates", RZ: "Turns the phase of", P: "Turns the phase of", Z: "Flips the sign where 1:", S: "Turns the phase of", T: "Turns the phase of", "S†": "Turns the phase back of", "T†": "Turns the phase back of" };

// What an operation computes, in a line.
export function describeOp([kind, sign, inputs, target], name) {
  const sum = ({ wires }) => wires.map(name).join(" ⊕ ");
  const is = (one) => `${sum(one)} is ${one.constant ? 0 : 1}`;
  const not = (one) => is({ ...one, constant: !one.constant });
  const all = (list) => list.map(is).join(" and ");
  const onto = target < 0 ? "" : name(target);
  if (kind === "phase") return inputs.length ? `Flips the sign of each state where ${all(inputs)}.` : "Flips the sign of all states.";
  if (kind === "gate") return `${GATES[sign] ?? sign} ${onto}.`;
  if (sign === "∧¬") return `Flips ${onto} where ${is(inputs[0])}, and ${not(inputs[1])} or ${not(inputs[2])}.`;
  if (sign === "?:") return `Flips ${onto} where ${is(inputs[1])} if ${is(inputs[0])}, and where ${is(inputs[2])} otherwise.`;
  if (!inputs.some(({ wires }) => wires.length)) return `Flips ${onto}.`;
  return kind === "undo" ? `Sets ${onto} back to zero where ${all(inputs)}.` : `Flips ${onto} where ${all(inputs)}.`;
}
