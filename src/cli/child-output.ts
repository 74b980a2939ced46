import type { Readable, Writable } from 'node:stream';
import { isOrdinary } from '../core/ordinary.ts';
import { Redactor } from '../core/redact.ts';
import { TextFinder } from '../core/text-finder.ts';

/** A line that is longer than this is masked in parts, so that a program without line ends cannot fill the memory. */
const longestLine = 1024 * 1024;

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
  const masked = (text: string): Buffer => Buffer.from(all.text(masks.text(text)), 'latin1');
  let rest = '';
  source.on('data', (chunk: Buffer) => {
    rest += chunk.toString('latin1');
    const end = endOf(rest);
    if (end === 0) return;
    if (!target.write(masked(rest.slice(0, end)))) {
      source.pause();
      target.once('drain', () => source.resume());
    }
    rest = rest.slice(end);
  });
  source.on('end', () => {
    if (rest !== '') target.write(masked(rest));
    rest = '';
  });
}

/** Finds the end of the last whole line. A line that is too long ends at its last space, so that few secrets are cut in two. */
function endOf(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  if (line > 0 || text.length < longestLine) return line;
  return text.lastIndexOf(' ') + 1 || text.length;
}

/** A secret and each of its lines, as far as they are long enough to be masked. */
export const partsOf = (secret: string): readonly string[] =>
  [...new Set([secret, ...secret.split(/\r\n|\r|\n/)].map((part) => part.trim()))].filter(
    (part) => part.length >= TextFinder.shortest && !isOrdinary(part),
  );

/** The command of a GitHub job that masks a text in the whole log of the job. */
export const maskCommand = (text: string): string =>
  `::add-mask::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`;
