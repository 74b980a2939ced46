import { setV8Flags } from './v8-flags.ts';

/**
 * For a run of thousands of lines, most of whose memory would be room for garbage: V8 lets the young generation grow to 134 MB and the
 * old one to some three times what lives. Here the young one stays as it is, and the old one grows by less than twice; where it is not
 * marked beside the program either (`short-run.ts`), it is collected at once, in pauses of up to 0.1 s. Of 10,000 lines a first apply takes
 * 0.6 of the memory and a tenth more CPU. Every collection looks at these flags, so they count from the next one on. At the end all is as
 * it was: what V8 compiled is kept for processes that begin so (`start/compiled.ts`).
 */
export function keepHeapSmall(v8?: string): void {
  // Before the listener that keeps what was compiled.
  if (setV8Flags(small, v8)) process.off('exit', beAsUsual).prependListener('exit', beAsUsual);
}

const small = ['--semi-space-growth-factor=1', '--heap-growing-percent=70'];
const usual = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

const beAsUsual = (): void => void setV8Flags(usual);
