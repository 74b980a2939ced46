import type { Armed } from '../kit/types.ts';
import type { Manners } from '../untidy/manners.ts';
import type { Provider } from './providers.ts';
import type { FaultName, Switches } from './told.ts';

const slowMs = 3_000;
const every = (): boolean => true;
const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET' && method !== 'HEAD';

/** The faults of every provider, each on or off. A fault of the next request is off once a request met it. */
export class FaultSwitches {
  readonly #armed = new Map<string, Map<FaultName, Armed>>();
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #manners: ReadonlyMap<string, Manners>;

  constructor(providers: ReadonlyMap<string, Provider>, manners: ReadonlyMap<string, Manners>) {
    this.#providers = providers;
    this.#manners = manners;
  }

  /** `place`: a provider, or `*`. `false` where there is no such provider. */
  turn(place: string, fault: FaultName, on: boolean): boolean {
    const names = place === '*' ? [...this.#providers.keys()] : [place];
    if (names.some((name) => !this.#providers.has(name))) return false;
    for (const name of names) this.#turnOne(name, fault, on);
    return true;
  }

  get shown(): Switches {
    const names = [...this.#providers.keys()];
    return { armed: Object.fromEntries(names.map((name) => [name, this.#on(name)]).filter(([, on]) => on?.length !== 0)) };
  }

  #turnOne(name: string, fault: FaultName, on: boolean): void {
    const manners = this.#manners.get(name);
    if (fault === 'untidy') {
      if (manners) manners.isUntidy = on;
      return;
    }
    const own = this.#armed.get(name) ?? new Map<FaultName, Armed>();
    this.#armed.set(name, own);
    own.get(fault)?.disarm();
    own.delete(fault);
    const kit = this.#providers.get(name)?.simulation.faults;
    if (!on || !kit) return;
    if (fault === 'lose') own.set(fault, kit.loseAnswer(isWrite));
    else if (fault === 'slow') own.set(fault, kit.slow(every, slowMs));
    else own.set(fault, kit.once(every, 429, { message: 'Too many requests' }, { 'retry-after': '1' }));
  }

  #on(name: string): readonly FaultName[] {
    const armed = [...(this.#armed.get(name) ?? [])].flatMap(([fault, { left }]) => (left > 0 ? [fault] : []));
    return this.#manners.get(name)?.isUntidy ? [...armed, 'untidy'] : armed;
  }
}
