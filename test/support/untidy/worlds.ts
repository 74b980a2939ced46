import type { World } from './world.ts';
import { answers } from './worlds/answers.ts';
import { lists } from './worlds/lists.ts';
import { members } from './worlds/members.ts';
import { secrets } from './worlds/secrets.ts';
import { shapes } from './worlds/shapes.ts';
import { texts } from './worlds/texts.ts';
import { times } from './worlds/times.ts';
import { trimmed } from './worlds/trimmed.ts';
import { writes } from './worlds/writes.ts';

export const worlds: readonly World[] = [
  ...texts,
  ...trimmed,
  ...shapes,
  ...members,
  ...secrets,
  ...answers,
  ...times,
  ...lists,
  ...writes,
];
