import { coordinatorMachine } from '../machines/coordinator/coordinator.machine.ts';
import { lineMachine } from '../machines/line/line.machine.ts';
import { parentMachine } from '../machines/parent/parent.machine.ts';
import { readinessMachine } from '../machines/readiness/readiness.machine.ts';
import type { MachineSource } from '../report/trace/machine-source.ts';

/** The machines that every run is made of. */
export const machineSources: readonly MachineSource[] = [
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
