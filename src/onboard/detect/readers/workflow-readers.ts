import type { FactReader } from '../facts.ts';
import { deployCode } from './deploy-code.ts';
import { scriptReaders } from './script-files.ts';
import { sentryIds } from './sentry-ids.ts';
import { githubWorkflows } from './workflows-github.ts';
import { otherWorkflows } from './workflows-other.ts';

/** Readers of what CI and people run. */
export const workflowReaders: readonly FactReader[] = [githubWorkflows, otherWorkflows, ...scriptReaders, deployCode, sentryIds];
