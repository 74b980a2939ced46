import { describedOperations } from './collect/families.ts';
import { sceneOf } from './collect/scene-of.ts';
import type { Scene } from './scene.ts';
import { bulk } from './scenes/bulk.ts';
import { byHand } from './scenes/by-hand.ts';
import { mixed } from './scenes/mixed.ts';
import { redeploy } from './scenes/redeploy.ts';
import { together } from './scenes/together.ts';

/** Every row group of the table. */
export const scenes = async (): Promise<readonly Scene[]> => [
  ...(await describedOperations()).map(sceneOf),
  ...byHand,
  bulk,
  together,
  redeploy,
  mixed,
];
