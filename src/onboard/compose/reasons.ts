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
  const [first] = job;
  if (first) return `${toJob(first, provider)} The build runs in CI, so a variable of the host reaches nothing.`;
  const nobody = handed.find(({ why }) => why !== null);
  if (nobody) return `Hand its value to ${nobody.variable} yourself. ${withoutName(nobody)}`;
  const unwired = wiring.unwired.find(({ service }) => service === claim.service);
  return unwired?.why ?? 'No code that is deployed is known to read what it gives.';
}

const withoutName = ({ why, variable }: Handed): string => (why ?? '').replace(`${variable}: `, '');

/** How a job gets the value: as an output of the action, unless that would show a secret. */
function toJob({ variable, value, owner }: Handed, provider: Owner['provider']): string {
  const { value: given } = value;
  const from = typeof given === 'object' && given !== null && 'from' in given ? String(given.from) : null;
  const [line = '', output = ''] = from?.split('.') ?? [];
  const isSensitive = Object.values(owner.provider.adapter.ops).some(({ outputs }) => outputs[output]?.sensitive === true);
  if (from === null || isSensitive) {
    return `Its job must read the value of ${variable} at ${provider.adapter.title}: no output of the action shows a secret.`;
  }
  const member = /^\w+$/.test(line) ? `.${line}` : `['${line}']`;
  return `Hand it to its job: \`${variable}: \${{ fromJSON(steps.pilotfish.outputs.outputs)${member}.${output} }}\`.`;
}
