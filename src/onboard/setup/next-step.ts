import { planCommand } from '../next-step.ts';
import type { SetupDoc } from './document.ts';

/** The one thing to do after a setup. */
export function nextStep(document: Omit<SetupDoc, 'next'>, planFile: string, environments: readonly string[]): SetupDoc['next'] {
  const { credentials, detected, ledger, secrets, workflow, interrupted } = document;
  if (interrupted)
    return { command: null, why: 'Not ready yet: the setup was interrupted. Run `pilotfish init --setup` again; stored secrets stay.' };
  const names = (wanted: (status: string) => boolean): string =>
    [...new Set(credentials.filter(({ status }) => wanted(status)).map(({ variable, provider }) => variable ?? provider))].join(' and ');
  const refused = names((status) => status === 'unauthorized' || status === 'refused');
  if (refused !== '') return { command: null, why: `Not ready yet: replace ${refused}, then run \`pilotfish init --setup\` again.` };
  const missing = names((status) => status === 'missing');
  if (missing !== '') {
    return {
      command: 'pilotfish init --setup',
      why: `Not ready yet: a person must type ${missing} there, or set it in the environment.`,
    };
  }
  const unchecked = names((status) => status === 'unchecked');
  if (unchecked !== '') {
    return {
      command: null,
      why: `Not ready yet: pilotfish could not check ${unchecked}. Run \`pilotfish init --setup\` again once that is possible.`,
    };
  }
  if (secrets.failed.length > 0) {
    const failed = secrets.failed.map(({ name }) => name).join(' and ');
    return {
      command: null,
      why: `Not ready yet: pilotfish could not store ${failed}. Run \`pilotfish init --setup\` again once that is possible.`,
    };
  }
  if (ledger.status === 'refused') {
    return {
      command: null,
      why: 'Not ready yet: a rule of the remote stops the ledger. Exempt its branches, then run `pilotfish init --setup` again.',
    };
  }
  if (detected.todo.length > 0)
    return {
      command: null,
      why: `Fill in the values that are marked # TODO in ${planFile} and remove the marks, then run \`pilotfish init --setup\` again.`,
    };
  const typed = credentials.filter(({ source }) => source === 'typed').map(({ variable }) => variable);
  if (workflow.status === 'written') {
    return { command: null, why: 'Commit the plan and the workflow, and open a pull request: its run applies the plan.' };
  }
  const { command, example, why } = planCommand(environments);
  if (typed.length > 0)
    return { command: null, why: `Set ${typed.join(' and ')} in the environment of this shell, then run \`${example}\`.` };
  return { command, why };
}
