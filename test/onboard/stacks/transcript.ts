import type { Step } from '../follow.ts';
import type { Walk } from './walk.ts';

/** What a person saw and did, as a text that is the same in every run. What `init` said before is not repeated. */
export function transcriptOf({ steps, inits, edits }: Walk): string {
  let before: readonly string[] = [];
  const rows = steps.map((step) => {
    if ('did' in step) return step.did.map((one) => `> ${one}`).join('\n');
    const parts = partsOf(step);
    const shown = step.ran === 'init' ? parts.filter((part) => !before.includes(part)) : parts;
    if (step.ran === 'init') before = parts;
    return [`$ pilotfish ${step.ran}`, ...shown].join('\n\n');
  });
  return `${rows.join('\n\n')}\n\nRuns of init: ${inits}. Values and lines of the plan that a person changed: ${edits}.\n`;
}

const partsOf = ({ ran, said }: Extract<Step, { ran: string }>): readonly string[] => {
  const parts = scrubbed(said).trimEnd().split('\n\n');
  // Lines that need nothing of each other are taken away in any order, and a run has its own cost and ids.
  return parts
    .filter((part) => !/^(?:Outputs:|Receipt )/.test(part))
    .map((part) => (ran.includes('--destroy') && part.startsWith('  -') ? sorted(part) : part));
};

/** The lines of a part in order, each with what is said below it. */
const sorted = (part: string): string =>
  part
    .split(/\n(?= {2}\S)/)
    .sort()
    .join('\n');

/** Times and hashes differ from run to run, and requests that go together from machine to machine. */
const scrubbed = (text: string): string =>
  text.replace(/ +settled +[\d.]+ ?m?s(?: +\d+ requests?)? +/g, '  settled  ').replace(/(Digest|--expect) [0-9a-f]+/g, '$1 …');
