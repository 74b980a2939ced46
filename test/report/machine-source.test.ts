import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, createMachine } from 'xstate';
import { root, run } from '../../scripts/tasks.ts';
import { machineSources } from '../../src/machines/sources.ts';
import { machinesText } from '../../src/report/trace/machine-source.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Every transition of a machine as text: state, event, target, guard. */
function transitions(machine: AnyStateMachine): readonly string[] {
  const all = [
    ...machine.root.transitions.values(),
    ...Object.values(machine.states).flatMap((state) => [...state.transitions.values(), state.always ?? []]),
  ].flat();
  return all
    .map(({ source, eventType, target, guard }) => {
      const name = typeof guard === 'object' && 'type' in guard ? guard.type : String(guard ?? '');
      return `${source.key} ${eventType} -> ${target?.map(({ key }) => key).join() ?? 'itself'} [${name}]`;
    })
    .sort();
}

describe('machines.ts of a trace', () => {
  it('type-checks, and yields the same states and transitions when it is loaded', async () => {
    const folder = await tempFolder('machines');
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(root, 'node_modules/xstate'), join(folder, 'node_modules/xstate'));
    const file = join(folder, 'machines.ts');
    await writeFile(file, machinesText(machineSources));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', '--types', '', 'machines.ts'];
    const { code, output } = await run('tsc', flags, { cwd: folder });
    expect([code, output]).toEqual([0, '']);
    const loaded: { readonly [name: string]: AnyStateMachine } = await import(file);
    for (const { name, config } of machineSources) {
      const own = createMachine(config as Parameters<typeof createMachine>[0]);
      const made = loaded[`${name}Machine`];
      if (!made) throw new Error(`no ${name}`);
      expect(transitions(made)).toEqual(transitions(own));
      expect(transitions(made).length).toBeGreaterThan(4);
    }
  });
});
