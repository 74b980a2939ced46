import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../engine/document.ts';
import { machineSources } from '../../../machines/sources.ts';
import { chartOf } from './charts.ts';
import { choices, type Filter, matching, noFilter, wordsOf } from './filter.ts';
import { traceOf } from './model.ts';

const named = (id: string, recipe: string) => ({ id, after: [], adapter: 'http', op: recipe.split('.')[1] ?? '', recipe });
const moved = (line: string, from: string, to: string, at: number): RunEvent => ({ type: 'line', line, from, to, event: 'e', at });
const trace = traceOf(
  [
    {
      type: 'lines',
      lines: [named('payments', 'stripe.webhook_endpoint'), named('dns', 'cloudflare.dns_cname'), named('old', 'stripe.price')],
      at: 0,
    },
    moved('payments', 'waiting', 'observing', 10),
    { type: 'verdict', line: 'payments', verdict: 'update', why: '', drift: 'changed', changes: [], lock: null, at: 20 },
    { type: 'failure', line: 'payments', error: { code: 'PROVIDER_AUTH', summary: '', detail: '', fix: '' }, at: 30 },
    moved('payments', 'observing', 'failed', 30),
    moved('dns', 'waiting', 'observing', 10),
    moved('old', 'waiting', 'settled', 10),
  ],
  machineSources.map(chartOf),
);
const found = (filter: Partial<Filter>, at = 30): readonly (string | undefined)[] =>
  matching(trace, { ...noFilter, ...filter }, at).map((index) => trace.lines[index]?.name);

describe('the search', () => {
  it('finds by id, operation, state, verdict and error code, without regard to case', () => {
    expect(found({ text: 'DNS' })).toEqual(['dns']);
    expect(found({ text: 'stripe.' })).toEqual(['payments', 'old']);
    expect(found({ text: 'failed' })).toEqual(['payments']);
    expect(found({ text: 'update' })).toEqual(['payments']);
    expect(found({ text: 'provider_auth' })).toEqual(['payments']);
    expect(found({ text: 'restored' })).toEqual(['old']);
    expect(found({})).toEqual(['payments', 'dns', 'old']);
  });

  it('wants every word, and every field that is set', () => {
    expect(found({ text: 'stripe failed' })).toEqual(['payments']);
    expect(found({ text: 'stripe', kind: 'stripe.price' })).toEqual(['old']);
    expect(found({ state: 'observing', code: 'PROVIDER_AUTH' })).toEqual([]);
  });

  it('finds the lines that match at the moment', () => {
    expect(found({ state: 'observing' }, 10)).toEqual(['payments', 'dns']);
    expect(found({ state: 'observing' }, 30)).toEqual(['dns']);
    expect(found({ verdict: 'update' }, 19)).toEqual([]);
  });

  it('offers the values that the run has', () => {
    expect(choices(trace)).toEqual({
      state: ['failed', 'observing', 'settled', 'waiting'],
      verdict: ['restored', 'update'],
      kind: ['cloudflare.dns_cname', 'stripe.price', 'stripe.webhook_endpoint'],
      code: ['PROVIDER_AUTH'],
    });
  });

  it('says a word once', () => {
    expect([wordsOf('refused', 'refused'), wordsOf('', 'waiting'), wordsOf('create', 'settled')]).toEqual([
      'refused',
      'waiting',
      'create · settled',
    ]);
  });
});
