import type { Fact } from '../facts.ts';
import type { Service } from '../service.ts';
import { general } from './general-words.ts';
import type { Hit, SignalIndex } from './signal-index.ts';
import type { VariableHits } from './variable-hits.ts';

/** The ends of keys that say how a service is reached. An address alone may be a link to a page of the service. */
const credential =
  /^(?:(?:api|auth|access|bot|secret|private|public|publishable|site|webhook|client|app|account|project|signing)?(?:key|token|secret)|dsn|webhook|webhookurl|clientid|appid|accountid|projectid|bucket|endpoint)$/;

/**
 * The services that a key of settings tells of: as a signal, as the variable that would have this name (`shop.stripe.api-key` is
 * STRIPE_API_KEY), or by a part that is the name of a service above a credential (`tools.sendgrid.key`).
 */
export class SettingHits {
  readonly #index: SignalIndex;
  readonly #variables: VariableHits;
  readonly #names = new Map<string, number>();

  constructor(index: SignalIndex, services: readonly Service[], variables: VariableHits) {
    this.#index = index;
    this.#variables = variables;
    for (const [i, { name, isHost, isEngine }] of services.entries()) {
      const compact = name.replaceAll('_', '');
      if (!isHost && !isEngine && compact.length > 4 && !general.has(compact)) this.#names.set(compact, i);
    }
  }

  of(fact: Fact): readonly Hit[] {
    const own = this.#index.find('setting', fact.name);
    if (own.length > 0) return own;
    const parts = fact.name.split(/[.:]/).filter((part) => part !== '');
    if (parts.length === 1) return this.#member(fact);
    if (parts.length > 10) return [];
    for (let at = 0; at < parts.length - 1; at += 1) {
      const rest = parts.slice(at + 1).map(spelled);
      for (const first of new Set([spelled(parts[at] ?? ''), compact(parts[at] ?? '').toUpperCase()])) {
        const hits = this.#variables.of({ ...fact, name: [first, ...rest].join('_') });
        const told = hits.filter(({ isWhole, strength }) => isWhole || (strength === 'uses' && isCredential(parts.at(-1) ?? '')));
        if (told.length > 0) return told;
      }
    }
    return this.#named(parts);
  }

  /** A member of a class of options: `GoogleClientId`, `MaxMindKey`, `mailchimp_key`. The name of a service may have two words. */
  #member(fact: Fact): readonly Hit[] {
    if (!/[a-z\d](?:Key|Token|Secret|Id|Dsn|_(?:key|token|secret|id|dsn))$/.test(fact.name)) return [];
    const name = spelled(fact.name);
    for (const one of [name, name.replace('_', '')]) {
      const hits = this.#variables.of({ ...fact, name: one }).filter(({ isWhole, strength }) => isWhole || strength === 'uses');
      if (hits.length > 0) return hits;
    }
    return [];
  }

  #named(parts: readonly string[]): readonly Hit[] {
    if (!isCredential(parts.at(-1) ?? '')) return [];
    const service = parts
      .slice(0, -1)
      .map((part) => this.#names.get(compact(part)))
      .findLast((one) => one !== undefined);
    return service === undefined ? [] : [{ service, strength: 'uses', isWhole: false, length: 0 }];
  }
}

const isCredential = (part: string): boolean => credential.test(compact(part));
const compact = (part: string): string => part.toLowerCase().replace(/[^a-z\d]/g, '');
/** `apiKey` and `api-key` are API_KEY. */
const spelled = (part: string): string =>
  part
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toUpperCase();
