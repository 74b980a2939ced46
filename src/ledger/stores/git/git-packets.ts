import type { HttpClient } from 'isomorphic-git';
import { RemoteTrouble } from '../patience.ts';
import { bodyOf, wholeBody } from './git-body.ts';
import { OtherFormat } from './git-format.ts';
import type { GitHttpCall } from './git-http.ts';
import { checkPack } from './git-pack.ts';

/** The answer is not that of a git host, or it refuses in git's own form; `words` are the host's. */
export class NotGit extends Error {
  readonly words: string;
  constructor(words: string) {
    super(words);
    this.name = 'NotGit';
    this.words = words;
  }
}

/**
 * Lets only whole lists of refs through, and no pack with more than a ledger has. isomorphic-git takes a sign-in page, an empty body or a
 * list that was cut off for a repository without the ref (1.44.11), and a missing ledger is a first apply. So an answer must be packets
 * from the first byte to the final flush. Throws `OtherFormat` for a repository with SHA-256, which isomorphic-git cannot read.
 */
export function wholeRefs(http: HttpClient): HttpClient {
  return {
    async request(call: GitHttpCall) {
      if (call.isStreamed) return http.request(call);
      const isGreeting = (call.method ?? 'GET') === 'GET';
      const sent = await wholeBody(call.body);
      const answer = await http.request({ ...call, ...(sent && { body: bodyOf(sent) }) });
      const content = (await wholeBody(answer.body)) ?? Buffer.alloc(0);
      if (!isGreeting && !sent?.includes('command=ls-refs')) {
        if (call.url.endsWith('/git-upload-pack')) checkPack(packIn(content));
        return { ...answer, body: bodyOf(content) };
      }
      const type = Object.entries(answer.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
      if (!/^application\/x-git-/.test(type)) throw new NotGit(`it answers with ${type || 'nothing'}, as no git repository does`);
      check(content, isGreeting);
      return { ...answer, body: bodyOf(content) };
    },
  };
}

/** Gives the first band of an answer. Texts beside that band begin with letters. */
const packIn = (content: Buffer): Buffer =>
  Buffer.concat([...packetsIn(content, cutOff)].flatMap(({ bytes }) => (bytes[0] === 1 ? [bytes.subarray(1)] : [])));

/** Throws for an answer that is no list of refs, or only a part of one. A greeting comes before a list with its own end, even an empty one. */
function check(content: Buffer, isGreeting: boolean): void {
  let last = -1;
  let says = 0;
  let ends = 0;
  for (const { length, bytes } of packetsIn(content, (isCut) =>
    isCut ? cutOff() : new NotGit('it does not answer as a git repository does'),
  )) {
    const line = bytes.toString('utf8').trim();
    if (line.startsWith('ERR ')) throw new NotGit(line.slice(4));
    if (isGreeting && abilitiesIn(line).includes('object-format=sha256')) throw new OtherFormat('sha256');
    if (length >= 4 && !line.startsWith('# service=')) says += 1;
    if (length === 0) ends += 1;
    last = length;
  }
  if (last !== 0 || (isGreeting && says === 0 && ends < 2)) throw cutOff();
}

/** The first version tells its abilities beside the first ref, the second version one a line. */
const abilitiesIn = (line: string): readonly string[] => (line.includes('\0') ? (line.split('\0')[1] ?? '').split(' ') : [line]);

const cutOff = (): RemoteTrouble => new RemoteTrouble('its answer is empty or was cut off', { wasSent: false });

/** The packets of a body as git frames them: a length in four digits, which count, then the bytes. Lengths below four only end a part. */
export function* packetsIn(
  content: Buffer,
  broken: (isCut: boolean) => Error,
): Generator<{ readonly length: number; readonly bytes: Buffer }> {
  for (let at = 0; at < content.length; ) {
    const digits = content.toString('latin1', at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw broken(digits.length < 4);
    const length = Number.parseInt(digits, 16);
    const end = at + Math.max(length, 4);
    if (end > content.length) throw broken(true);
    yield { length, bytes: content.subarray(at + 4, end) };
    at = end;
  }
}
