import type { Simulation } from '../kit/types.ts';
import { type Change, changedBody } from './body.ts';
import { type Forms, type Show, spelled } from './spelling.ts';
import { type Heard, type Told, tap, type Wire } from './wire.ts';

/** A switch that makes a provider untidy, and back. */
export interface Manners {
  isUntidy: boolean;
}

/**
 * Puts bad manners between a provider and its clients, while the switch is on. A value that a client wrote comes back as the provider's
 * own parser writes it: an address with its port and in capitals, a sentence in capitals. Objects have members that nobody sent. Each
 * other form stands for the value that was written, so a client may send either.
 */
export function untidied(simulation: Simulation, manners: Manners): Simulation {
  const forms = { other: new Map<string, unknown>(), maps: [], names: new Set<string>(), show } satisfies Forms;
  const spelling = (): Wire => spelled(forms);
  const wire: Wire = {
    hear: (request) => {
      if (!manners.isUntidy) return request;
      if (request.method !== 'GET') learn(request, forms.other);
      return spelling().hear?.(request) ?? request;
    },
    tell: (answer, asked) => {
      if (!manners.isUntidy || answer.status >= 400) return answer;
      return filled(spelling().tell?.(answer, asked) ?? answer);
    },
  };
  const own = { ...simulation };
  tap(own, wire);
  return own;
}

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
function filled(answer: Told): Told {
  if (!answer.body.type.includes('json')) return answer;
  const fill: Change = (value) =>
    typeof value === 'object' && value !== null && 'id' in value ? { ...value, _revision: 1, _labels: [] } : value;
  return { ...answer, body: changedBody(answer.body, fill) };
}
