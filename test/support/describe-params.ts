import { describe, expect, it } from 'vitest';
import { isMap } from '../../src/core/json.ts';
import type { Params } from '../../src/ops/bound.ts';
import type { Adapter, Op } from '../../src/ops/op.ts';
import { readParams } from '../../src/ops/params.ts';
import { resolveBlock } from '../../src/ops/provider.ts';
import { isFullAnswer } from '../../src/ops/quota.ts';
import { familyAdapter } from '../../src/recipes/expand.ts';
import { loadFamily } from '../../src/recipes/load.ts';
import { failuresOf, readText } from './read-plan.ts';

type Refused = Parameters<typeof isFullAnswer>[1];

/** What one operation is given, and what it says to each value. */
export interface Given {
  /** A line that is right. */
  readonly line: Readonly<Record<string, unknown>>;
  /** Without one of these it is refused. */
  readonly required?: readonly string[];
  /** What a line means that leaves these out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly takes?: Readonly<Record<string, readonly unknown[]>>;
  readonly refuses?: Readonly<Record<string, readonly unknown[]>>;
  /** Params that no plan gives as a text: a secret reference, or a sensitive output. */
  readonly secrets?: readonly string[];
  /** What other lines can use of it, and how far it may be told: `shown`, `secret`, or `secret once` where only the create shows it. */
  /** Answers to a write that mean that there is no room, and others that mean something else. */
  readonly full?: readonly Refused[];
  readonly refused_otherwise?: readonly Refused[];
  /** Of the family, at its first operation: the variable of an address of one's own, and what every request carries. */
  readonly api?: {
    /** Where requests go that were given no address. */
    readonly address?: string;
    readonly address_from?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly media_type?: string;
  };
  readonly gives?: Readonly<Record<string, 'shown' | 'secret' | 'secret once' | 'shown once'>>;
}

/** Holds the params of one operation to what its provider takes: what a line may be given, and what is refused before any request. */
export function describeParams(
  name: string,
  {
    line,
    required = [],
    defaults = {},
    takes = {},
    refuses = {},
    gives = {},
    secrets = [],
    full = [],
    refused_otherwise: otherwise = [],
    api,
  }: Given,
): void {
  describe(name, () => {
    it('reads from a refusal whether there is no room, and sends what every request carries to the address that was given', async () => {
      const { family, op } = await found(name);
      for (const answer of full) expect(isFullAnswer(op.quota ?? {}, answer), JSON.stringify(answer)).toBe(true);
      for (const answer of otherwise) expect(isFullAnswer(op.quota ?? {}, answer), JSON.stringify(answer)).toBe(false);
      if (api === undefined) return;
      const { address, address_from: variable = 'NONE', headers = {}, media_type: mediaType } = api;
      const own = 'https://own.acme.example';
      const defaults = { ...family.provider, auth: null };
      const block = resolveBlock({ name: family.name, defaults, entry: undefined, env: { [variable]: own }, baseless: true });
      expect(block.headers ?? {}).toMatchObject(headers);
      const ungiven = resolveBlock({ name: family.name, defaults, entry: undefined, env: {}, baseless: true });
      if (address !== undefined) expect(ungiven.base_url).toBe(address);
      expect(block.media_type).toBe(mediaType);
      if (variable !== 'NONE') expect(block.base_url).toBe(own);
    });

    it('takes what its provider takes, and refuses the rest in the plan, before any request', async () => {
      const { family: adapter, op } = await found(name);
      const isRight = (params: Params): boolean => isTaken(op, adapter, params);
      expect(isRight(line as Params), JSON.stringify(line)).toBe(true);
      for (const param of Object.keys(op.params)) {
        if (!(param in line)) continue;
        const { [param]: _, ...rest } = line;
        expect(isRight(rest as Params), `a line without ${param}`).toBe(!required.includes(param));
      }
      const literal = 'a text that is long enough to be one';
      const withSecret = (param: string, value: unknown) => ({ ...line, [param]: value }) as Params;
      const hidden = Object.keys(op.params).filter(
        (param) => !isRight(withSecret(param, literal)) && isSecretOf(op, withSecret(param, literal)),
      );
      expect(hidden.sort(), 'params that are no literal').toEqual([...secrets].sort());
      for (const param of secrets) expect(isRight(withSecret(param, { secret: 'env://ONE' })), `${param}: a reference`).toBe(true);
      const { params } = readParams(op, lineOf(Object.fromEntries(required.map((param) => [param, line[param]]))));
      const filled = Object.fromEntries(Object.entries(params).filter(([param]) => !required.includes(param)));
      expect(filled).toEqual(defaults);
      const outputs = Object.entries(op.outputs).map(([output, { sensitive, once }]) => [
        output,
        `${sensitive ? 'secret' : 'shown'}${once ? ' once' : ''}`,
      ]);
      expect(Object.fromEntries(outputs)).toEqual(gives);
      for (const [list, isGood] of [[takes, true] as const, [refuses, false] as const])
        for (const [param, given] of Object.entries(list))
          for (const value of given)
            expect(isRight({ ...line, [param]: whole(value) } as Params), `${param}: ${JSON.stringify(value)}`).toBe(isGood);
    });
  });
}

async function found(name: string) {
  const [familyName = '', opName = ''] = name.split('.');
  const family = familyAdapter(await loadFamily(familyName));
  const op = family.ops[opName];
  if (!op) throw new Error(`there is no ${name}`);
  return { family, op };
}

const planOf = (params: unknown): string => JSON.stringify({ version: 1, changes: [{ id: 'line', recipe: 'a.b', ...(params as object) }] });

function lineOf(params: unknown) {
  const [line] = readText(planOf(params)).plan.lines;
  if (!line) throw new Error('there is no line');
  return line;
}

/** Whether the plan is refused because a secret stands in it. */
const isSecretOf = (op: Op, params: Params): boolean =>
  readParams(op, lineOf(params)).failures.some(({ detail }) => detail.includes('is a secret, but its value is written out in the plan'));

/** As a plan of this line is judged before its first request. */
function isTaken(op: Op, { name, provider }: Adapter, params: Params): boolean {
  if (failuresOf(planOf(params)).length > 0) return false;
  const reading = readParams(op, lineOf(params));
  if (reading.failures.length > 0) return false;
  const block = resolveBlock({ name, defaults: { base_url: provider.base_url, auth: null }, entry: undefined, env: {}, baseless: true });
  const context = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
  return (op.bind(params, context).problems ?? []).length === 0;
}

/** A value, however deep, with its long texts written out. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole);
  if (!isMap(value)) return value;
  const { text, fill, to } = value as { readonly text?: string; readonly fill?: string; readonly to?: number };
  if (text !== undefined && fill !== undefined && to !== undefined) return text.padEnd(to, fill);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]));
}
