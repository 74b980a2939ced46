import { isMap } from '../../core/json.ts';

/** The format of every file of the ledger. A higher one is refused with `LEDGER_VERSION`. */
export const ledgerVersion = 2;

/**
 * What a reader must know to act on a file, with the version of pilotfish that knows it first. Format 2 names them in each file that needs
 * one (`needs`), so a later pilotfish can add to the format without shutting out those that need not know.
 *
 * `kept`: the form in which a provider keeps values and names, or that it does not keep them.
 *
 * Members of these names are for later features and mean nothing else: `seal` of any file, `pull` of leases and intents, `lives` of records.
 */
export const features = { kept: '0.2.0' } as const;

export type Needs = { readonly [feature: string]: string };

/** Why this pilotfish must not act on the file; `null` where it may. */
export function tooNew(file: unknown): string | null {
  if (!isMap(file)) return null;
  if (typeof file.v === 'number' && file.v > ledgerVersion) {
    return `is of version ${file.v}; this pilotfish knows versions up to ${ledgerVersion}`;
  }
  const unknown = isMap(file.needs) ? Object.entries(file.needs).find(([feature]) => !Object.hasOwn(features, feature)) : undefined;
  if (!unknown) return null;
  const [feature, since] = unknown;
  // Whoever wrote the file chose these texts, and an error shows them.
  const isPlain = /^[a-z_]{1,40}$/.test(feature) && typeof since === 'string' && /^\d{1,4}(?:\.\d{1,4}){2}$/.test(since);
  return isPlain ? `needs ${feature}, which pilotfish knows from version ${since} on` : 'needs what this pilotfish does not know';
}
