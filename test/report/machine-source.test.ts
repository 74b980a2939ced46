import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { root, run } from '../../scripts/tasks.ts';
import { machinesText } from '../../src/report/trace/machine-source.ts';
import { machineSources } from '../../src/run/machine-sources.ts';
import { tempFolder } from '../support/temp-folder.ts';
