import { isMap } from '../../core/json.ts';

/** The format of every file of the ledger. A higher one is refused with `LEDGER_VERSION`. */
export const ledgerVersion = 2;

/**
 * The features that a reader must know to act on a file, each with the first version of pilotfish that knows it. Format 2 names them in each
 * file that needs one (`needs`). So a later pilotfish can add to the format, and readers that need no addition still read the file.
 *
 * `kept`: the form in which a provider keeps values and names, or the fact that it does not keep them.
 *
 * These member names are reserved for later features: `seal` of any file, `lives` of records.
 */
export const features = { kept: '0.2.0' } as const;

export type Needs = { readonly [feature: string]: string };

/** Gives the reason why this pilotfish must not act on the file; `null` when it may. */
export function tooNew(file: unknown): string | null {
  if (!isMap(file)) return null;
  if (typeof file.v === 'number' && file.v > ledgerVersion) {
    return `is of version ${file.v}; this pilotfish knows versions up to ${ledgerVersion}`;
  }
  const unknown = isMap(file.needs) ? Object.entries(file.needs).find(([feature]) => !Object.hasOwn(features, feature)) : undefined;
  if (!unknown) return null;
  const [feature, since] = unknown;
  // The writer of the file chose these texts, and an error shows them.
  const isPlain = /^[a-z_]{1,40}$/.test(feature) && typeof since === 'string' && /^\d{1,4}(?:\.\d{1,4}){2}$/.test(since);
  return isPlain ? `needs ${feature}, which pilotfish knows from version ${since} on` : 'needs a feature that this pilotfish does not know';
}
