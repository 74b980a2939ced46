import { isMap } from '../kit/json.ts';
import { type Change, changed, gone } from './body.ts';
import { heardAs, toldAs } from './spelling.ts';
import type { Wire } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

/** A way in which a provider shows members at times: in some accounts, in some answers, or in an order of its own. */
export interface Habit {
  readonly kind:
    | 'case-folded'
    | 'synonym-respelled'
    | 'stringified'
    | 'scalar-or-list'
    | 'set-semantics'
    | 'empty-respelled'
    | 'secret-ciphertext';
  readonly members: readonly string[];
  /** The objects whose members are meant. Without it any. */
  readonly of?: (owner: Members) => boolean;
  /** What an answer shows in place of a value; `gone` leaves the member out, `undefined` leaves it as it is. */
  readonly show: (value: unknown) => unknown;
}

const backwards = (value: unknown): unknown => (Array.isArray(value) && value.length > 1 ? [...value].reverse() : undefined);
const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0) || (isMap(value) && Object.keys(value).length === 0);
const leftOut = (value: unknown): unknown => (isEmpty(value) ? gone : undefined);

/** Netlify takes both spellings of one scope. */
const otherSpelling: Readonly<Record<string, string>> = { post_processing: 'post-processing', 'post-processing': 'post_processing' };

/**
 * By provider. What a provider does always is in its simulation; here is what it does at times. The sources of each stand in the table of
 * known spellings that the tests hold (`test/untidy/rows.yaml`).
 */
export const habits: Readonly<Record<string, readonly Habit[]>> = {
  cloudflare: [
    {
      kind: 'case-folded',
      members: ['content'],
      of: ({ type }) => type === 'CNAME',
      show: (value) => (typeof value === 'string' ? value.toUpperCase() : undefined),
    },
    { kind: 'empty-respelled', members: ['tags', 'comment', 'settings'], of: ({ type }) => type === 'CNAME', show: leftOut },
  ],
  datadog: [{ kind: 'stringified', members: ['target'], show: (value) => (typeof value === 'number' ? String(value) : undefined) }],
  netlify: [
    {
      kind: 'synonym-respelled',
      members: ['scopes'],
      show: (value) => (Array.isArray(value) ? value.map((one) => otherSpelling[String(one)] ?? (one as unknown)) : undefined),
    },
    { kind: 'set-semantics', members: ['scopes'], show: backwards },
  ],
  okta: [{ kind: 'set-semantics', members: ['post_logout_redirect_uris'], show: backwards }],
  planetscale: [{ kind: 'empty-respelled', members: ['cidrs'], show: (value) => (value === null ? [] : undefined) }],
  statsig: [
    {
      kind: 'scalar-or-list',
      members: ['targetValue'],
      show: (value) => (typeof value === 'string' && value !== '' ? [value] : undefined),
    },
  ],
  svix: [{ kind: 'set-semantics', members: ['eventTypes', 'channels'], show: backwards }],
  vercel: [
    { kind: 'set-semantics', members: ['target'], show: backwards },
    {
      kind: 'secret-ciphertext',
      members: ['value'],
      of: ({ type, decrypted }) => type === 'encrypted' && decrypted === true,
      show: (value) => (typeof value === 'string' ? Buffer.from(`sealed ${value}`).toString('base64') : undefined),
    },
    { kind: 'secret-ciphertext', members: ['decrypted'], show: (value) => (value === true ? false : undefined) },
  ],
};

/** Answers show what the habits say, and what they show is taken for what it stands for. */
export function habitual(own: readonly Habit[]): Wire {
  const meant = new Map<string, unknown>();
  const shown = (owner: Members, name: string, value: unknown): unknown => {
    const mine = own.filter(({ members, of }) => members.includes(name) && (of?.(owner) ?? true));
    const other = mine.reduce((now, { show }) => (now === gone ? gone : (show(now) ?? now)), value);
    if (other === value) return changed(value, toShown, name);
    if (other !== gone) meant.set(`${name} ${JSON.stringify(other)}`, value);
    return other;
  };
  const toShown: Change = (value) => {
    if (!isMap(value)) return value;
    const members = Object.entries(value).map(([name, one]) => [name, shown(value, name, one)] as const);
    return Object.fromEntries(members.filter(([, one]) => one !== gone));
  };
  const toMeant: Change = (value, name, isEntry) => {
    const key = `${name} ${JSON.stringify(value)}`;
    return isEntry !== true && meant.has(key) ? meant.get(key) : value;
  };
  return {
    hear: (request) => heardAs(request, toMeant),
    tell: (answer) => (answer.body.type.includes('json') ? toldAs(answer, toShown) : answer),
  };
}
