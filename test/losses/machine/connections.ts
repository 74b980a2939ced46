import type { Connected } from '../../../src/http/connections.ts';
import { here } from './machine.ts';

/** In place of `src/http/connections.ts`: the network of the job's machine. */
export const createDispatcher = (): Connected => ({ dispatcher: here().dispatcher, connections: null });
