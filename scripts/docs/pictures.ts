import { planText } from '../../src/report/plan-text.ts';
import { createStyles } from '../../src/report/styles.ts';
import { exampleRun } from './example-run.ts';
import { terminalPicture } from './terminal-picture.ts';
import { timelinePicture } from './timeline-picture.ts';

/** The pictures of the README: the plan of an example as a terminal shows it, and the timeline of its first apply. */
export async function readmePictures(): Promise<readonly (readonly [path: string, svg: string])[]> {
  const { plan, events } = await exampleRun('nextjs-vercel');
  const next = { apply: 'pilotfish apply --scope pr-12', prune: 'pilotfish apply --prune --scope pr-12', isDestroy: false };
  const text = planText(plan, createStyles({ isTTY: true }, { FORCE_COLOR: '1' }), next);
  return [
    ['docs/pictures/plan.svg', terminalPicture(`$ pilotfish plan --scope pr-12\n\n${text}`)],
    ['docs/pictures/run.svg', timelinePicture(events)],
  ];
}
