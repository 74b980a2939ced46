import type { Expectation } from './expectation.ts';
import { claimsOf, type Told, textsOf } from './told.ts';

/** So many of so many. */
export interface Score {
  readonly right: number;
  readonly of: number;
}

/** `missed`: the expectation has it and init does not. `wrong`: init says it and the expectation does not. */
export interface Fault {
  readonly kind: 'missed' | 'wrong';
  readonly about: 'service' | 'host' | 'made_by_host' | 'wired' | 'live' | 'comment' | 'library' | 'template';
  readonly what: string;
  readonly evidence: readonly string[];
}

export const measures = ['recall', 'precision', 'hosts', 'wiring', 'made_by_host', 'drafted'] as const;

export type Scores = { readonly [measure in (typeof measures)[number]]: Score };

export interface Judged {
  readonly scores: Scores;
  readonly faults: readonly Fault[];
}

/** Compares what init says about a repository with what a person said before. */
export function judge(expected: Expectation, told: Told): Judged {
  const parts = [judgeServices, judgeHosts, judgeMade, judgeWiring, judgeDraft].map((part) => part(expected, told));
  const none: Score = { right: 0, of: 0 };
  const scores: Scores = { recall: none, precision: none, hosts: none, wiring: none, made_by_host: none, drafted: none };
  return { scores: Object.assign(scores, ...parts.map((part) => part.scores)), faults: parts.flatMap(({ faults }) => faults) };
}

interface Part {
  readonly scores: Partial<Scores>;
  readonly faults: readonly Fault[];
}

type Judge = (expected: Expectation, told: Told) => Part;

const judgeServices: Judge = (expected, told) => {
  const claims = claimsOf(told);
  const claimed = new Set(claims.map(({ name }) => name));
  const missed = expected.services.filter((name) => !claimed.has(name));
  // A host is judged as one. Its claim is right where the expectation has it as a host.
  const hosts = new Set(Object.values(expected.hosts).flatMap((host) => [host ?? []].flat().flatMap((one) => one.split('|'))));
  const right = new Set([...expected.services, ...expected.may, ...expected.made_by_host]);
  const counted = [...claimed].filter((name) => !hosts.has(name) && !expected.may.includes(name));
  const wrong = counted.filter((name) => !right.has(name));
  const evidenceOf = (name: string) => claims.filter((one) => one.name === name).flatMap(({ evidence }) => evidence);
  return {
    scores: {
      recall: { right: expected.services.length - missed.length, of: expected.services.length },
      precision: { right: counted.length - wrong.length, of: counted.length },
    },
    faults: [
      ...missed.map((what): Fault => ({ kind: 'missed', about: 'service', what, evidence: [] })),
      ...wrong.map((what): Fault => ({ kind: 'wrong', about: 'service', what, evidence: evidenceOf(what) })),
    ],
  };
};

const judgeHosts: Judge = (expected, told) => {
  const faults: Fault[] = [];
  const toldIn = (folder: string) => told.deployables.filter((one) => one.folder === folder && one.host !== null);
  const counted = Object.entries(expected.hosts).filter(([, host]) => host !== 'any');
  for (const [folder, host] of counted) {
    const [want, have] = [[host ?? []].flat(), toldIn(folder)];
    const names = new Set(have.map((one) => one.host));
    const isThere = (one: string): boolean => one.split('|').some((name) => names.has(name));
    if (want.length === names.size && want.every(isThere)) continue;
    const what = `${folderName(folder)} is on ${want.join(' and ') || 'no known host'}, and init says ${[...names].join(' and ') || 'none'}`;
    faults.push({ kind: names.size === 0 ? 'missed' : 'wrong', about: 'host', what, evidence: have.flatMap(({ evidence }) => evidence) });
  }
  const others = told.deployables.filter(({ folder, host }) => host !== null && !(folder in expected.hosts));
  for (const { folder, host, evidence } of others)
    faults.push({ kind: 'wrong', about: 'host', what: `${folderName(folder)} is not deployed, and init says ${host}`, evidence });
  const of = counted.length + others.length;
  return { scores: { hosts: { right: of - faults.length, of } }, faults };
};

const judgeMade: Judge = (expected, told) => {
  const names = new Set(told.made_by_host.map(({ name }) => name));
  const missed = expected.made_by_host.filter((name) => !names.has(name));
  const wrong = told.made_by_host.filter(({ name }) => !expected.made_by_host.includes(name) && !expected.may.includes(name));
  const of = expected.made_by_host.length + wrong.length;
  return {
    scores: { made_by_host: { right: of - missed.length - wrong.length, of } },
    faults: [
      ...missed.map((what): Fault => ({ kind: 'missed', about: 'made_by_host', what, evidence: [] })),
      ...wrong.map(({ name, host, evidence }): Fault => {
        return { kind: 'wrong', about: 'made_by_host', what: `${name}, by ${host}`, evidence: textsOf(evidence) };
      }),
    ],
  };
};

const judgeWiring: Judge = (expected, told) => {
  const serviceOf = (from: string): string | undefined => {
    const [line] = from.split('.', 1);
    return told.found.find(({ lines }) => lines.some(({ id }) => id === line))?.name;
  };
  const have = told.wired.map((one) => ({ ...one, service: serviceOf(one.from) ?? 'no line' }));
  type Wire = { readonly variable: string; readonly deployable: string; readonly service: string };
  const isSame = (a: Wire, b: Wire): boolean => a.variable === b.variable && a.deployable === b.deployable && a.service === b.service;
  const missed = expected.wired.filter((one) => !one.optional && !have.some((other) => isSame(one, other)));
  const wrong = have.filter((one) => !expected.wired.some((other) => isSame(one, other)));
  const needed = expected.wired.filter(({ optional }) => !optional).length;
  const of = needed + wrong.length;
  const text = ({ variable, deployable, service }: Wire): string => `${variable} of ${folderName(deployable)} from ${service}`;
  return {
    scores: { wiring: { right: of - missed.length - wrong.length, of } },
    faults: [
      ...missed.map((one): Fault => ({ kind: 'missed', about: 'wired', what: text(one), evidence: [] })),
      ...wrong.map((one): Fault => ({ kind: 'wrong', about: 'wired', what: text(one), evidence: [`${one.from}, to the ${one.where}`] })),
    ],
  };
};

/** The lines of the plan, and what the repository is. */
const judgeDraft: Judge = (expected, told) => {
  const faults: Fault[] = [];
  const lines = told.found.flatMap((one) => one.lines.map((line) => ({ ...line, provider: one.name })));
  const matches = (word: string, state: string) =>
    lines.some((line) => line.state === state && (line.id === word || line.provider === word));
  for (const word of expected.live ?? [])
    if (!matches(word, 'line')) faults.push({ kind: 'missed', about: 'live', what: word, evidence: [] });
  for (const word of expected.comments ?? [])
    if (!matches(word, 'comment')) faults.push({ kind: 'missed', about: 'comment', what: word, evidence: [] });
  const live = expected.live?.length === 0 ? lines.filter(({ state }) => state === 'line') : [];
  for (const { id, provider } of live) faults.push({ kind: 'wrong', about: 'live', what: `${id} of ${provider}`, evidence: [] });
  for (const about of ['library', 'template'] as const) {
    const is = told[about] !== undefined && told[about] !== null;
    if (is !== expected[about])
      faults.push({ kind: is ? 'wrong' : 'missed', about, what: about, evidence: is ? [JSON.stringify(told[about])] : [] });
  }
  const of = Math.max((expected.live?.length ?? 0) + (expected.comments?.length ?? 0) + 2, faults.length);
  return { scores: { drafted: { right: of - faults.length, of } }, faults };
};

const folderName = (folder: string): string => (folder === '' ? 'the root' : folder);
