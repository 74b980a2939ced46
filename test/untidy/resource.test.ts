import { describe, test } from 'vitest';
import { keptForms } from './kinds.ts';
import { type ShapeName, shapes, tellStory } from './story.ts';

describe.each(Object.keys(shapes) as ShapeName[])('untidy: a resource: %s', (shape) => {
  test.each(Object.keys(keptForms))('kept as: %s', async (form) => {
    const keeps = keptForms[form];
    await tellStory({ shape, manners: keeps ? { keeps } : {} });
  });
});
