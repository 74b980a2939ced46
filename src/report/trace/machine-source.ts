/** The configuration of a state machine, as xstate keeps it: names of states, events, guards, actions and actors; functions are left out. */
export interface MachineSource {
  readonly name: string;
  readonly title: string;
  readonly what: string;
  readonly config: unknown;
}

/**
 * `machines.ts`: source text that Stately Studio imports and that yields the same states and transitions when it is loaded. Guards,
 * actions and actors are names there; what they do stands in the program.
 */
export function machinesText(machines: readonly MachineSource[]): string {
  const parts = machines.map(({ name, what, config }) => {
    // Functions have no text: JSON leaves them out, and their names stay.
    return `/** ${what} */\nexport const ${name}Machine = createMachine(${JSON.stringify(config, null, 2)});\n`;
  });
  return `import { createMachine } from 'xstate';\n\n${parts.join('\n')}`;
}
