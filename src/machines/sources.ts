import { coordinatorMachine } from './coordinator/coordinator.machine.ts';
import { lineMachine } from './line/line.machine.ts';
import { parentMachine } from './parent/parent.machine.ts';
import { readinessMachine } from './readiness/readiness.machine.ts';

/** The machines that every run is made of. */
export const machineSources: readonly { readonly name: string; readonly title: string; readonly what: string; readonly config: unknown }[] =
  [
    {
      name: 'line',
      title: 'The line',
      what: 'One line of the plan, from the first look to its record.',
      config: lineMachine.config,
    },
    {
      name: 'parent',
      title: 'The parent',
      what: 'One object that several list items share.',
      config: parentMachine.config,
    },
    {
      name: 'readiness',
      title: 'Readiness',
      what: 'Waiting for a deployment, or for an object that becomes ready by itself.',
      config: readinessMachine.config,
    },
    {
      name: 'coordinator',
      title: 'The coordinator',
      what: 'The run: starts lines when their producers are available, drains on an interrupt.',
      config: coordinatorMachine.config,
    },
  ];
