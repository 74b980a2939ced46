import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { door } from '../core/door.ts';
import { Failure } from '../core/errors.ts';

/** A kind of file that people write, and the words for a file that is something else. */
export interface FileKind {
  readonly name: string;
  /** Larger than any file of the kind. */
  readonly mostBytes: number;
  readonly size: string;
  /** The fixes for a file that is something else, and for an empty one. */
  readonly fix: string;
  readonly empty: string;
}

const planKind: FileKind = {
  name: 'plan',
  mostBytes: 5_000_000,
  size: '5 MB',
  get fix() {
    return `Point ${door.named('plan')} at the plan file.`;
  },
  empty: 'Write a plan into it, or delete it and run `pilotfish init`.',
};

/** The text of a plan file. Each kind of file that cannot be a plan gets an error of its own. */
export async function readPlanFile(path: string, display: string): Promise<string> {
  return decodePlan(await readBytes(path, display), display);
}

export const decodePlan = (bytes: Uint8Array, display: string): string => decodeFile(bytes, display, planKind);

/** UTF-8 with or without a byte order mark; line ends may be CRLF. */
export function decodeFile(bytes: Uint8Array, display: string, kind: FileKind): string {
  const refuse = (detail: string, fix: string): Failure =>
    new Failure('PLAN_PARSE', { detail, fix, place: { file: display, line: 1, column: 1 } });
  if (bytes.length > kind.mostBytes) throw refuse(...tooLarge(display, kind));
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw refuse(`${display} is encoded in UTF-16.`, 'Save the file as UTF-8.');
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) throw refuse(`${display} is not a text file: it holds a zero byte at offset ${nul}.`, kind.fix);
  if (!isUtf8(bytes)) throw refuse(`${display} is not valid UTF-8, so pilotfish cannot read its characters.`, 'Save the file as UTF-8.');
  // A `TextDecoder` would do both, but making one takes longer than reading most plans.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  if (text.trim() === '') throw refuse(`${display} is empty.`, kind.empty);
  return text;
}

async function readBytes(path: string, display: string): Promise<Uint8Array> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory())
      throw new Failure('PLAN_PARSE', {
        detail: `${display} is a directory.`,
        fix: `Point ${door.named('plan')} at the plan file inside it.`,
      });
    if (!facts.isFile())
      throw new Failure('PLAN_PARSE', { detail: `${display} is not a regular file.`, fix: `Point ${door.named('plan')} at a file.` });
    if (facts.size > planKind.mostBytes) {
      const [detail, fix] = tooLarge(display, planKind);
      throw new Failure('PLAN_PARSE', { detail, fix });
    }
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw unreadable(cause, display);
  }
}

const tooLarge = (display: string, { name, size, fix }: FileKind): [detail: string, fix: string] => [
  `${display} is larger than ${size}, so it cannot be a ${name}.`,
  fix,
];

function unreadable(cause: unknown, display: string): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new Failure('PLAN_PARSE', {
      detail: `There is no file ${display}.`,
      fix: 'Check the path, or run `pilotfish init` to make a plan.',
      cause,
    });
  }
  if (code === 'EISDIR')
    return new Failure('PLAN_PARSE', {
      detail: `${display} is a directory.`,
      fix: `Point ${door.named('plan')} at the plan file inside it.`,
      cause,
    });
  if (code === 'EACCES' || code === 'EPERM') {
    return new Failure('PLAN_PARSE', {
      detail: `${display} exists, but this user may not read it.`,
      fix: 'Give this user read permission on it.',
      cause,
    });
  }
  return new Failure('PLAN_PARSE', {
    detail: `${display} could not be read${code === '' ? '' : ` (${code})`}.`,
    fix: 'Check the file and the disk.',
    cause,
  });
}
