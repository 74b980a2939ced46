import type { VariableUse } from '../facts.ts';
import { pathFrom } from '../paths.ts';
import type { Service } from '../service.ts';
import { isAside } from '../units/roles.ts';
import type { Units } from '../units/units.ts';
import type { Told } from './found-facts.ts';
import { general } from './general-words.ts';
import { namesOfVariable, type SignalIndex } from './signal-index.ts';

interface Telling {
  readonly services: readonly Service[];
  readonly index: SignalIndex;
  readonly units: Units;
}

/**
 * What lists of secret references tell: `DATABASE_URL=op://team/neon-shop/url` names a service by the path of the secret. A word that is or
 * begins with the name of a service proves it. A name further behind in a word is a hint.
 */
export function toldBySecrets(variables: readonly VariableUse[], { services, index, units }: Telling): readonly Told[] {
  const names = new Names(services);
  const told: Told[] = [];
  for (const { name, words = [], file, line, use, keptIn } of variables) {
    const unit = units.ownerOf(file);
    if (keptIn === undefined || isAside(pathFrom(unit.folder, file))) continue;
    const known = new Set(namesOfVariable(name).flatMap((one) => index.find('variable', one).map(({ service }) => service)));
    for (const word of words.slice(0, 10)) {
      for (const { service, isProof } of names.in(word, name, known)) {
        told.push({
          service,
          strength: isProof ? 'uses' : 'may',
          fact: { kind: 'reference', name: word, file, line, use },
          folder: unit.folder,
        });
      }
    }
  }
  return told;
}

/** Their services have names of their own behind these: `aws_rds`, `google_oauth`. */
const vendors = new Set(['amazon', 'aws']);

interface Match {
  readonly service: number;
  readonly isProof: boolean;
}

/** The names of services without their signs: `trigger_dev` is `triggerdev`. */
class Names {
  readonly #whole = new Map<string, number[]>();
  /** First parts of names: `postmark` of `postmark_server`. They count where the variable has them too. */
  readonly #first = new Map<string, number[]>();

  constructor(services: readonly Service[]) {
    for (const [i, { name, isHost }] of services.entries()) {
      // A list of secrets names the accounts of a team, and a host is chosen by what is deployed.
      if (isHost) continue;
      add(this.#whole, name.replaceAll('_', ''), i);
      const [first = '', ...rest] = name.split('_');
      if (rest.length === 0) continue;
      if (!general.has(first) && !vendors.has(first)) add(this.#first, first, i);
      // `rds` is `aws_rds`: a vendor's products are known by their own names.
      const own = rest.join('');
      if (vendors.has(first) && !general.has(own)) add(this.#whole, own, i);
    }
  }

  /** `known`: the services that the variable's name tells of. They decide between several services of one provider. */
  in(word: string, variable: string, known: ReadonlySet<number>): readonly Match[] {
    const own = variable.toLowerCase().split('_');
    const parts = partsOf(word);
    return parts.flatMap((part, at) => {
      const isNamed = own.includes(part);
      const [, second = '', third = ''] = parts.slice(at, at + 3);
      // `front-end` names no service, unless the variable speaks of it as well.
      const whole = [...new Set([part, part + second, part + second + third])].flatMap((one) => this.#called(one, isNamed));
      const all = [...new Set([...whole, ...(isNamed ? (this.#first.get(part) ?? []) : [])])];
      const told = all.filter((service) => known.has(service));
      const chosen = all.length > 1 ? (told.length > 0 ? told : whole) : all;
      return chosen.map((service) => ({ service, isProof: at === 0 || isNamed }));
    });
  }

  #called(name: string, isNamed: boolean): readonly number[] {
    const isWord = name.length > 2 && (isNamed || !general.has(name));
    return isWord ? (this.#whole.get(name) ?? []) : [];
  }
}

const partsOf = (word: string): readonly string[] =>
  word
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
    .slice(0, 8);

function add(map: Map<string, number[]>, key: string, service: number): void {
  const known = map.get(key);
  if (known) known.push(service);
  else map.set(key, [service]);
}
