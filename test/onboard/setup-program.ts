import { start } from '../../src/cli/process.ts';
import { release } from './setup-release.ts';

/** The command line as a release has it: what a development build lacks is the commit that its tag points at. */
await start({ release });
