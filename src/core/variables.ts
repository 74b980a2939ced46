import { Failure, Failures } from './errors.ts';
import { whyNotText } from './plain-text.ts';

/** Variables that say how pilotfish runs, and hold no secret. An empty one counts as unset, as everywhere in CI. */
const texts: { readonly [name: string]: number } = {
  PILOTFISH_CACHE_DIR: 4_096,
  PILOTFISH_COMMAND_DEADLINE_MS: 20,
  PILOTFISH_LEASE_MS: 20,
  PILOTFISH_LOCK_REMOTE: 4_096,
  PILOTFISH_PLUGINS: 32_768,
  PILOTFISH_RECEIPTS: 4_096,
  PILOTFISH_REQUEST_DEADLINE_MS: 20,
};

/** Throws `USAGE` for each variable of ours that is blank. Somebody set it for a purpose, and a run that ignores it would surprise them. */
export function checkVariables(env: NodeJS.ProcessEnv): void {
  const failures = Object.entries(texts).flatMap(([name, longest]) => {
    const text = env[name];
    if (text === undefined || text === '') return [];
    // A list of plugins may stand on several lines.
    const why = whyNotText(name === 'PILOTFISH_PLUGINS' ? text.replace(/[\r\n\t]/g, ' ') : text, longest);
    return why === null ? [] : [new Failure('USAGE', { detail: `The variable ${name} ${why}.`, fix: `Correct or unset ${name}.` })];
  });
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}
