import { isMap } from '../kit/json.ts';
import type { Simulation } from '../kit/types.ts';
import { type Change, changed, changedBody, gone } from './body.ts';
import { type Habit, habitual } from './habits.ts';
import { type Forms, heardAs, type Show, spelled } from './spelling.ts';
import { type Heard, type Told, tap, type Wire } from './wire.ts';

/** A switch that makes a provider untidy, and back. */
export interface Manners {
  isUntidy: boolean;
}

/**
 * Puts bad manners between a provider and its clients, while the switch is on. A value that a client wrote comes back as the provider's
 * own parser writes it: an address with its port and in capitals, a sentence in capitals. Objects have members that nobody sent. To these
 * come the habits that are known of the provider: lists in another order, numbers as text, empty values left out. Each other form stands for the value that was written, so a client may send either. Added members may come back with an entry of a list:
 * the provider passes over what it added itself. Clients of real providers count on that: the official client of Contentful writes the
 * links of a key back as it read them, and takes out no member of a link (contentful-management.js, api-key.ts, 2026-11-28).
 */
export function untidied(simulation: Simulation, manners: Manners, habits: readonly Habit[]): Simulation {
  const forms = { other: new Map<string, unknown>(), maps: [], names: new Set<string>(), show } satisfies Forms;
  const spelling = (): Wire => spelled(forms);
  const known = habitual(habits);
  const wire: Wire = {
    hear: (request) => {
      if (!manners.isUntidy) return request;
      const sent = heard(known, heardAs(request, own));
      if (sent.method !== 'GET') learn(sent, forms.other);
      return heard(spelling(), sent);
    },
    tell: (answer, asked) => {
      if (!manners.isUntidy || answer.status >= 400) return answer;
      const spelt = spelling().tell?.(answer, asked) ?? answer;
      return filled(known.tell?.(spelt, asked) ?? spelt);
    },
  };
  const spoken = { ...simulation };
  tap(spoken, wire);
  return spoken;
}

/** The request as the wire takes it. None of these wires refuses one. */
function heard(wire: Wire, request: Heard): Heard {
  const taken = wire.hear?.(request) ?? request;
  return 'status' in taken ? request : taken;
}

/** Members that every object with an id shows, and that nobody sent. */
const added: Readonly<Record<string, unknown>> = { _revision: 1, _labels: [] };
/** What the provider added itself is no part of a request. */
const own: Change = (value, name) => (Object.hasOwn(added, name) ? gone : value);

/** The other form of a value, `undefined` where it has none. */
const show: Show = (value) => {
  if (typeof value !== 'string') return undefined;
  const [, host, rest = ''] = /^https:\/\/([\w.-]+)(\/[^?#]*)?$/.exec(value) ?? [];
  if (host !== undefined) return `HTTPS://${host.toUpperCase()}:443${rest}`;
  return /^[a-z][\w.-]*(?: [\w.#-]+)+$/i.test(value) && /[a-z]/.test(value) ? value.toUpperCase() : undefined;
};

/** Remembers the values of a write that have another form. */
function learn({ body }: Heard, other: Map<string, unknown>): void {
  const note: Change = (value) => {
    const form = show(value);
    if (form !== undefined) other.set(JSON.stringify(value), form);
    return value;
  };
  changedBody(body, note);
}

/** Members that nobody sent, in every object of a JSON answer that has an id. */
const filled = (answer: Told): Told =>
  answer.body.type.includes('json') ? { ...answer, body: changedBody(answer.body, withMembers) } : answer;

const withMembers: Change = (value) => {
  if (!isMap(value) || !('id' in value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, changed(inner, withMembers, name)]);
  return { ...Object.fromEntries(members), ...added };
};
