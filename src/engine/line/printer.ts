import type { Printer } from '../../core/fingerprint.ts';
import type { Session } from '../session.ts';
import type { Ready } from './phases.ts';
import { credentialSource } from './record.ts';

/** Prints the secrets of a line with the keys of its credential. */
export const printerOf = ({ trust }: Session, { block, prepared }: Pick<Ready, 'block' | 'prepared'>): Promise<Printer> =>
  trust.printer({ provider: block, credential: credentialSource(prepared) });
