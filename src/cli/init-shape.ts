import { type Shape, shapeOf } from '../core/shape.ts';
import type { DeployableDoc, EngineDoc, FoundDoc, InitDoc, MadeByHostDoc, TodoDoc, UnsupportedDoc } from '../engine/init-document.ts';
import type { SetupCredential, SetupDoc, SetupLedger, SetupSecrets, SetupWorkflow } from '../onboard/setup/document.ts';

/** The reports of `init` and `init --setup` hold our own words, and words of files or other programs. Each member is one of the two. */
const todo: Shape = { list: shapeOf<TodoDoc>({ path: 'own', hint: 'said', file: 'own', line: 'own' }) };
const evidence: Shape = { list: 'said' };

export const initShape: Shape = shapeOf<InitDoc | SetupDoc>({
  schema: 'own',
  ok: 'own',
  command: 'own',
  plan: 'own',
  gitignore: 'own',
  detected: shapeOf<InitDoc['detected']>({
    found: { list: shapeOf<FoundDoc>({ name: 'own', title: 'own', evidence, lines: 'own', deployables: 'said' }) },
    unsupported: { list: shapeOf<UnsupportedDoc>({ name: 'own', title: 'own', evidence, why: 'said', ask: 'said', deployables: 'said' }) },
    todo,
    check: todo,
    assumed: 'own',
    deployables: {
      list: shapeOf<DeployableDoc>({
        folder: 'said',
        name: 'said',
        kind: 'own',
        framework: 'own',
        host: 'own',
        builds: 'own',
        evidence,
        why: 'said',
      }),
    },
    made_by_host: { list: shapeOf<MadeByHostDoc>({ name: 'own', title: 'own', host: 'own', what: 'said', evidence }) },
    engines: { list: shapeOf<EngineDoc>({ name: 'own', title: 'own', evidence, deployables: 'said', ways: 'own' }) },
    wired: { list: shapeOf<InitDoc['detected']['wired'][number]>({ variable: 'said', deployable: 'said', from: 'own', where: 'own' }) },
    unwired: { list: shapeOf<InitDoc['detected']['unwired'][number]>({ service: 'own', why: 'said' }) },
    unread: { list: shapeOf<InitDoc['detected']['unread'][number]>({ format: 'own', file: 'said' }) },
    library: 'said',
    template: 'said',
  }),
  credentials: {
    list: shapeOf<SetupCredential>({
      variable: 'own',
      provider: 'own',
      status: 'own',
      source: 'own',
      unproven: 'own',
      page: 'own',
      needs: 'own',
      problem: 'said',
    }),
  },
  unsealed: 'own',
  sources: 'own',
  secrets: shapeOf<SetupSecrets>({
    repository: 'said',
    stored: 'own',
    kept: 'own',
    failed: { list: shapeOf<SetupSecrets['failed'][number]>({ name: 'own', problem: 'said' }) },
    left: 'own',
    why: 'said',
  }),
  ledger: shapeOf<SetupLedger>({
    location: 'said',
    status: 'own',
    problem: 'said',
    key: shapeOf<SetupLedger['key']>({ status: 'own', why: 'own' }),
  }),
  workflow: shapeOf<SetupWorkflow>({ path: 'own', status: 'own', why: 'said' }),
  interrupted: 'own',
  next: shapeOf<InitDoc['next']>({ command: 'own', why: 'said' }),
});
