import { describe, it } from 'vitest';
import { sections } from './sections.ts';

describe.each(sections)('$title', ({ rows }) => {
  it.each(rows)('$says', ({ check }) => check());
});
