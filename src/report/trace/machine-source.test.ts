import { parseMermaid } from 'beautiful-mermaid';
import { describe, expect, it } from 'vitest';
import { machineSources } from '../../machines/sources.ts';
import { machinesDiagram } from './machine-source.ts';
import { statesOf, transitionsOf } from './transitions.ts';

describe('machines.mmd', () => {
  it('reads as one Mermaid diagram, with a box for each machine and every state and arrow in it', () => {
    const { subgraphs, nodes, edges } = parseMermaid(machinesDiagram(machineSources));
    expect(subgraphs.map(({ id }) => id)).toEqual(machineSources.map(({ name }) => name));
    for (const { name, config } of machineSources) {
      for (const state of statesOf(config)) expect(nodes.has(`${name}_${state.name}`), `${name} ${state.name}`).toBe(true);
      for (const { from, to } of transitionsOf(config)) {
        const isDrawn = edges.some(({ source, target }) => source === `${name}_${from}` && target === `${name}_${to}`);
        expect(isDrawn, `${name}: ${from} to ${to}`).toBe(true);
      }
    }
  });
});
