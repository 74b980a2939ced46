import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateNames } from '../../scripts/docs/machine-config.ts';
import { machineSources } from '../../src/machines/sources.ts';
import { smallest } from './configurations.ts';
import { missingTools, verify } from './verify.ts';

/** States of the charts that no model has, and why nothing is lost by it. */
const leftOut: { readonly [state: string]: string } = {
  'line.removingFirst': 'a delete and then a create, each as elsewhere',
  'line.updating': 'a write under the lease as creates and deletes are, which makes no object',
  'line.verifying': 'it reads, and at most repeats an update; a run that dies there leaves what one leaves that dies in awaiting',
  'line.sending': 'an action makes no object',
  'line.planned': 'a plan writes nothing',
  'line.skipped': 'nothing is sent for the line',
  'line.paused': 'the run is over, as after any other end',
};

/** Machines that no model has. */
const otherMachines: { readonly [machine: string]: string } = {
  readiness: 'it reads; the line is in awaiting meanwhile, where the models let any time pass and the lease be given back',
  coordinator: 'it orders lines; chain.pml has the one order that matters to the protocol',
};

const models = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.pml'))
  .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, name), 'utf8') }));

const modelled = new Set(
  models.flatMap(({ text }) => [...text.matchAll(/chart: ([a-z]+\.\w+(?:, [a-z]+\.\w+)*)/gi)].flatMap(([, all = '']) => all.split(', '))),
);

const charts = new Set(
  machineSources
    .filter(({ name }) => !(name in otherMachines))
    .flatMap(({ name, config }) => [...stateNames(config)].map((state) => `${name}.${state}`)),
);

const sorted = (names: Iterable<string>): string[] => [...names].sort();

describe('the steps of the Promela models', () => {
  it('are the states of the charts, but for those that are left out with a reason', () => {
    expect(sorted([...modelled, ...Object.keys(leftOut)])).toEqual(sorted(charts));
  });

  it('know every machine, but for those that are left out with a reason', () => {
    const known = new Set([...modelled].map((state) => state.slice(0, state.indexOf('.'))));
    expect(sorted([...known, ...Object.keys(otherMachines)])).toEqual(sorted(machineSources.map(({ name }) => name)));
  });

  it('say at each label which state of a chart it is, or that it is none', () => {
    const labels = models.flatMap(({ name, text }) =>
      [...text.matchAll(/^(\w+):(.*)/gm)].map(([, label, rest = '']) => ({ name, label, rest })),
    );
    const silent = labels.filter(({ rest }) => !/\/\* (?:chart: (?:line|parent)\.|beside the chart: )/.test(rest));
    expect(silent.map(({ name, label }) => `${name}: ${label}`)).toEqual([]);
    expect(labels.length).toBeGreaterThan(20);
  });
});

const missing = await missingTools();

describe.skipIf(missing !== null)(`Spin${missing === null ? '' : `, skipped: ${missing}`}`, () => {
  it('finds no state of the smallest world in which a claim is broken', async () => {
    const found = await verify(smallest);
    expect(found).toMatchObject({ errors: 0, isWhole: true, trail: [] });
    expect(found.states).toBeGreaterThan(10_000);
  });

  it('finds the way to harm without a rule, and tells it in words', async () => {
    const found = await verify({ ...smallest, defines: ['ALONE', 'FAULT_BLIND_REPEAT'], claim: 'atMostOneObject' }, { isShort: true });
    expect(found.errors).toBe(1);
    expect(found.trail.slice(-3)).toEqual(['A loses the answer of its create.', 'A sends its create.', 'The create of A lands.']);
  });
});
