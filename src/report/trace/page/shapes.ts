import type { Verdict } from '../../../engine/document.ts';

/** Outlines within a square from -1 to 1. The outline, the sign and the word of a verdict each identify it without colour. */
export type Outline = 'circle' | 'square' | 'diamond' | 'hexagon' | 'octagon' | 'arrow' | 'ring' | 'triangle' | 'lock' | 'dot';

export const outlines: { readonly [outline in Outline]: string } = {
  circle: 'M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z',
  ring: 'M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z',
  square: 'M-.85 -.85H.85V.85H-.85Z',
  diamond: 'M0 -1.15L1.15 0L0 1.15L-1.15 0Z',
  hexagon: 'M-.55 -.95H.55L1.1 0L.55 .95H-.55L-1.1 0Z',
  octagon: 'M-.42 -1H.42L1 -.42V.42L.42 1H-.42L-1 .42V-.42Z',
  arrow: 'M-1 -.85H.3L1.1 0L.3 .85H-1Z',
  triangle: 'M0 -1.1L1.1 .85H-1.1Z',
  lock: 'M-.8 -.15H-.55V-.45A.55 .55 0 0 1 .55 -.45V-.15H.8V.95H-.8ZM-.25 -.15H.25V-.45A.25 .25 0 0 0 -.25 -.45Z',
  dot: 'M.45 0A.45 .45 0 1 1 -.45 0A.45 .45 0 1 1 .45 0Z',
};

const outlineOfVerdict: { readonly [verdict in Verdict]: Outline } = {
  create: 'circle',
  claim: 'circle',
  adopt: 'circle',
  update: 'diamond',
  replace: 'diamond',
  reconcile: 'diamond',
  rename: 'diamond',
  record: 'diamond',
  redeploy: 'arrow',
  send: 'arrow',
  delete: 'square',
  forget: 'square',
  pending: 'hexagon',
  keep: 'ring',
  none: 'ring',
  refused: 'octagon',
  failed: 'octagon',
};

/** The outline of a verdict. `null` stands for a line that was not judged yet. */
export const outlineOf = (verdict: Verdict | null, isRestored: boolean): Outline =>
  verdict === null ? (isRestored ? 'ring' : 'dot') : outlineOfVerdict[verdict];
