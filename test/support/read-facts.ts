import type { Asked, Reading } from '../../src/onboard/detect/facts.ts';
import { hostReaders } from '../../src/onboard/detect/readers/host-readers.ts';
import { workflowReaders } from '../../src/onboard/detect/readers/workflow-readers.ts';

export const noQuestions: Asked = { hosts: [], schemes: [], modules: [], resources: [] };

type Lists = Required<Pick<Reading, 'facts' | 'variables' | 'hosts' | 'ids' | 'schedules' | 'scripts' | 'starts'>>;

/** What the readers of hosts and workflows say about files, given by path. */
export async function readFacts(files: { readonly [path: string]: string }, asked: Asked = noQuestions): Promise<Lists> {
  const readings: Reading[] = [];
  for (const [path, text] of Object.entries(files)) {
    for (const reader of [...hostReaders, ...workflowReaders])
      if (reader.takes(path)) readings.push(await reader.read({ path, text }, asked));
  }
  return {
    facts: readings.flatMap(({ facts = [] }) => facts),
    variables: readings.flatMap(({ variables = [] }) => variables),
    hosts: readings.flatMap(({ hosts = [] }) => hosts),
    ids: readings.flatMap(({ ids = [] }) => ids),
    scripts: readings.flatMap(({ scripts = [] }) => scripts),
    starts: readings.flatMap(({ starts = [] }) => starts),
    schedules: readings.flatMap(({ schedules = [] }) => schedules),
  };
}
