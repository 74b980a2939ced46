import { describe, test } from 'vitest';
import { drawn } from './drawn.ts';
import { keptForms } from './kinds.ts';
import { type ShapeName, shapes, tellStory } from './story.ts';
import { shelfWires } from './wires/shelf.ts';
import type { WireName } from './wires/translate.ts';

describe.each(Object.keys(shelfWires) as WireName[])('untidy: by %s', (wire) => {
  describe.each(Object.keys(shapes) as ShapeName[])('a resource: %s', (shape) => {
    const forms = Object.keys(keptForms);
    test.each(wire === 'json' ? forms : drawn(`${wire} ${shape}`, forms))('kept as: %s', async (form) => {
      const keeps = keptForms[form];
      await tellStory({ shape, wire, manners: keeps ? { keeps } : {} });
    });
  });
});
