import type { FoundId } from '../../ops/detect.ts';
import type { ServiceSignals, Signals } from '../../ops/signals.ts';
import type { Asked } from './facts.ts';
import type { Claim } from './survey.ts';

/** A service that a survey looks for. */
export interface Service {
  /** The name of an adapter, a recipe family or an entry of the catalogue. */
  readonly name: string;
  readonly from: Claim['from'];
  readonly signals: ServiceSignals;
  /** Places in files that hold the value of a param. */
  readonly ids: readonly FoundId[];
  /** It deploys apps. The evidence of deployables decides whether it is used. */
  readonly isHost: boolean;
  /** It is no provider but a kind of database or broker (`postgres`), which counts only where no provider of it is proved. */
  readonly isEngine: boolean;
  /** The engines that it provides. */
  readonly engines: readonly string[];
}

/** The parts of a service's signals, with what each proves. */
export type Strength = 'uses' | 'may' | 'nothing' | 'unless';
export const strengths = ['uses', 'may', 'nothing', 'unless'] as const satisfies readonly Strength[];

/** What readers compare values with. */
export function askedOf(services: readonly Service[]): Asked {
  const all = (of: 'hosts' | 'schemes' | 'snippets' | 'modules' | 'resources'): readonly string[] => [
    ...new Set(services.flatMap(({ signals }) => strengths.flatMap((strength) => signals[strength]?.[of] ?? []))),
  ];
  const lower = (list: readonly string[]) => [...new Set(list.map((one) => one.toLowerCase()))];
  return {
    hosts: lower(all('hosts')),
    schemes: lower(all('schemes')),
    snippets: all('snippets'),
    modules: all('modules'),
    resources: all('resources'),
  };
}

/** The signals of a service, each set with its strength. */
export const signalsOf = ({ signals }: Service): readonly (readonly [Strength, Signals])[] =>
  strengths.flatMap((strength) => (signals[strength] ? [[strength, signals[strength]] as const] : []));
