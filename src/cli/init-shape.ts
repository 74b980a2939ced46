import { type Shape, shapeOf } from '../core/shape.ts';
import type { FoundDoc, InitDoc, TodoDoc, UnsupportedDoc } from '../engine/document.ts';
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
    found: { list: shapeOf<FoundDoc>({ name: 'own', title: 'own', evidence, lines: 'own' }) },
    unsupported: { list: shapeOf<UnsupportedDoc>({ name: 'own', title: 'own', evidence, why: 'said', ask: 'said' }) },
    todo,
    check: todo,
    assumed: 'own',
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
