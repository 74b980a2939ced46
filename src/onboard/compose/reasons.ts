import type { Adapter } from '../../ops/op.ts';
import type { DraftedValue } from '../draft.ts';
import type { Wired, Wiring } from '../wiring/wiring.ts';
import type { Site } from './sites.ts';
import type { Owner } from './targets.ts';

/** A value on its way to a reader. */
export interface Handed extends Wired {
  readonly owner: Owner;
  readonly site: Site | null;
  readonly value: DraftedValue;
  /** The lines that give the value. */
  readonly needs: readonly string[];
  readonly where: 'host' | 'job' | 'nobody';
  /** Why nobody gets it. */
  readonly why: string | null;
}

/** Why a line of a service is a comment where no line reads what it gives. */
export function unreadReason({ claim, provider }: Owner, handed: readonly Handed[], wiring: Wiring): string {
  const job = handed.filter(({ where }) => where === 'job');
  if (job.length > 0) return `The build runs in CI, so a variable of the host reaches nothing. ${toJob(job, provider)}`;
  const nobody = handed.find(({ why }) => why !== null);
  if (nobody) return `Hand its value to ${nobody.variable} yourself. ${withoutName(nobody)}`;
  const unwired = wiring.unwired.find(({ service }) => service === claim.service);
  return unwired?.why ?? readByHand(claim) ?? 'No code that is deployed is known to read what it gives.';
}

/** The code reads names of the service, and no file of pilotfish says which output fits which name. */
function readByHand({ facts }: Owner['claim']): string | null {
  const names = [
    ...new Set(facts.flatMap(({ kind, name, use }) => (kind === 'variable' && use === 'runtime' ? [name.toUpperCase()] : []))),
  ];
  if (names.length === 0) return null;
  const [last = '', ...others] = (names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more names`] : names).toReversed();
  const some = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
  return `The code reads ${some}, so hand over the values yourself.`;
}

const withoutName = ({ why, variable }: Handed): string => (why ?? '').replace(`${variable}: `, '');

/** How a job gets the values: as outputs of the action, unless that would show a secret. */
function toJob(job: readonly Handed[], { adapter }: Owner['provider']): string {
  const plain = job.flatMap((one) => outputFor(one, adapter) ?? []);
  const secret = job.filter((one) => outputFor(one, adapter) === null).map(({ variable }) => variable);
  return [
    ...(plain.length === 0 ? [] : [`Hand its outputs to the job: ${plain.join(', ')}.`]),
    ...(secret.length === 0
      ? []
      : [`The job must read ${secret.join(', ')} at ${adapter.title}, because no output of the action shows a secret.`]),
  ].join(' ');
}

/** The entry of a job's `env`; `null` for a value that no output shows. */
function outputFor({ variable, value: { value } }: Handed, { ops }: Adapter): string | null {
  const from = typeof value === 'object' && value !== null && 'from' in value ? String(value.from) : null;
  if (from === null) return null;
  const [line = '', output = ''] = from.split('.');
  if (Object.values(ops).some(({ outputs }) => outputs[output]?.sensitive === true)) return null;
  const member = /^\w+$/.test(line) ? `.${line}` : `['${line}']`;
  return `\`${variable}: \${{ fromJSON(steps.pilotfish.outputs.outputs)${member}.${output} }}\``;
}
