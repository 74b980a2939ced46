import { check, type Findings } from './check.ts';
import { listModel } from './list/model.ts';
import { type ListRuleName, listRulesWithout } from './list/state.ts';
import { scopeModel } from './scope/model.ts';
import { type RuleName, rulesWithout, type Size } from './scope/rules.ts';

/** A request takes two units of time, so that it can land late and still in time; a lease is twice that, the least that lets anybody write. */
const base: Size = { deadline: 2, lease: 4, skew: 1, sends: 2, isUnique: false, person: false, other: false };

/** Worlds small enough for every change to be held to them. */
export const smallWorlds: { readonly [says: string]: Size } = {
  'two runs alone': base,
  'two runs and another scope, where names are unique': { ...base, isUnique: true, other: true },
  'two runs and a person, where names are unique': { ...base, isUnique: true, person: true },
};

/** All of it: leases as long as the terms demand, everybody at once. */
export const fullWorlds: { readonly [says: string]: Size } = {
  'two runs, a lease of three deadlines': { ...base, lease: 6 },
  'two runs and a person, a lease of three deadlines': { ...base, lease: 6, person: true },
  'two runs and another scope': { ...base, other: true },
  'two runs, a person and another scope, where names are unique': { ...base, isUnique: true, person: true, other: true },
};

/** Who must be in the world for a missing rule to show. */
const witnesses: { readonly [name in RuleName]?: Partial<Size> } = {
  sentIntentsStay: { isUnique: true, other: true },
  contradiction: { isUnique: true, other: true },
  unclearStays: { isUnique: true, other: true },
  age: { person: true },
  answeredIsNotOurs: { isUnique: true, person: true },
  foreignIsRefused: { person: true },
  severalAreRefused: { person: true },
};

export const checkScope = (size: Size): Findings => check(scopeModel({ ...size, rules: rulesWithout() }));

/** The shortest way to harm that this rule alone stands against. */
export const checkScopeWithout = (rule: RuleName): Findings =>
  check(scopeModel({ ...base, ...witnesses[rule], rules: rulesWithout(rule) }), { liveness: false });

const list = { deadline: 2, skew: 1, sends: 2, writes: 2 };

export const checkList = (lease: 4 | 6): Findings => check(listModel({ ...list, lease, rules: listRulesWithout() }));

export const checkListWithout = (rule: ListRuleName): Findings =>
  check(listModel({ ...list, lease: 4, rules: listRulesWithout(rule) }), { liveness: false });
