import { styleText } from 'node:util';

/** The meaning of a colour in reports. */
export type Tone = 'add' | 'change' | 'remove' | 'warn' | 'bad' | 'quiet' | 'strong';

const formats: { readonly [tone in Tone]: Parameters<typeof styleText>[0] } = {
  add: 'green',
  change: 'yellow',
  remove: 'red',
  warn: 'yellow',
  bad: 'red',
  quiet: 'dim',
  strong: 'bold',
};

export interface Styles {
  readonly isColored: boolean;
  paint(tone: Tone, text: string): string;
}

/**
 * Decides the colours of one stream: `--no-color` counts first, then FORCE_COLOR, NO_COLOR and TERM=dumb. Otherwise only a terminal has
 * colours.
 */
export function createStyles(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv, isPlain = false): Styles {
  const isColored = !isPlain && wantsColor(stream, env);
  return {
    isColored,
    paint: (tone, text) => (isColored && text !== '' ? styleText(formats[tone], text, { validateStream: false }) : text),
  };
}

function wantsColor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return stream.isTTY === true;
}

export const plainStyles: Styles = { isColored: false, paint: (_, text) => text };
