import { start } from '../../src/cli/process.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { release } from './setup-release.ts';

const remote = new MemoryRemote();

/** The command line as a release has it: what a development build lacks is the commit that its tag points at. */
await start({ release, openLedger: () => Promise.resolve(remote.open()) });
