import type { Readable, Writable } from 'node:stream';
import { isOrdinary } from '../core/ordinary.ts';
import { Redactor } from '../core/redact.ts';
import { TextFinder } from '../core/text-finder.ts';

/** A line that is longer than this is masked in parts, so that a program without line ends cannot fill the memory. Characters. */
const longestLine = 1024 * 1024;
/** The end of such a part may be the begin of a secret, so this holds back so many characters. Linux allows 131,072 bytes for a variable. */
const heldBack = 2 * 131_072;

/**
 * Masks what a command prints, line by line, and leaves every other byte as it is. A secret of several lines is masked line by line too.
 * `own`: the secrets of the command. `all`: every secret of this process.
 */
export function maskOutput(
  source: Readable,
  target: Writable,
  { own, all }: { readonly own: readonly string[]; readonly all: Redactor },
): void {
  // Bytes as characters: text of any encoding and binary data come out as they went in.
  const masks = new Redactor();
  for (const secret of own) for (const part of partsOf(secret)) masks.add(Buffer.from(part, 'utf8').toString('latin1'));
  const masked = (text: string): string => all.text(masks.text(text));
  let rest = '';
  const write = (text: string): void => {
    if (text === '' || target.write(Buffer.from(text, 'latin1'))) return;
    source.pause();
    target.once('drain', () => source.resume());
  };
  source.on('data', (chunk: Buffer) => {
    rest += chunk.toString('latin1');
    const end = rest.lastIndexOf('\n') + 1;
    if (end > 0) write(masked(rest.slice(0, end)));
    rest = rest.slice(end);
    if (rest.length < longestLine) return;
    const whole = masked(rest);
    const shown = Math.max(0, whole.length - heldBack);
    write(whole.slice(0, shown));
    rest = whole.slice(shown);
  });
  source.on('end', () => {
    write(masked(rest));
    rest = '';
  });
}

/** A secret and each of its lines, as far as they are long enough to be masked. */
export const partsOf = (secret: string): readonly string[] =>
  [...new Set([secret, ...secret.split(/\r\n|\r|\n/)].map((part) => part.trim()))].filter(
    (part) => part.length >= TextFinder.shortest && !isOrdinary(part),
  );

/** The command of a GitHub job that masks a text in the whole log of the job. */
export const maskCommand = (text: string): string =>
  `::add-mask::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`;
