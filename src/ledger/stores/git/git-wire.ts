import type { GitHttpRequest, HttpClient } from 'isomorphic-git';
import { RemoteTrouble } from '../patience.ts';
import { bodyOf, wholeBody } from './git-body.ts';
import { NotGit, packetsIn } from './git-packets.ts';

/** The address of a repository, with the headers of the one who asks. */
export interface Asked {
  readonly http: HttpClient;
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** The heads of the refs that start with `prefix`. */
export async function headsBelow(remote: Asked, prefix: string): Promise<ReadonlyMap<string, string>> {
  const said = await greeting(remote);
  // A host that speaks only the first version tells all its refs at once.
  if (!isSecond(said)) return below(headsIn(said).heads, prefix);
  return below(headsIn(packetsOf(await ask(remote, 'ls-refs', [packet(`ref-prefix ${prefix}\n`)]))).heads, prefix);
}

/** The abilities of a remote with the second version of git's protocol, one a line; `null` for a remote that speaks only the first. */
export async function greetedWith(remote: Asked): Promise<readonly string[] | null> {
  const said = await greeting(remote);
  return isSecond(said) ? said.map((line) => line.toString('latin1').trimEnd()) : null;
}

const version = { 'git-protocol': 'version=2' };

async function greeting({ http, url, headers }: Asked): Promise<readonly Buffer[]> {
  const greeted = await http.request({
    url: `${url}/info/refs?service=git-upload-pack`,
    method: 'GET',
    headers: { ...headers, ...version },
  });
  return packetsOf((await wholeBody(greeted.body)) ?? Buffer.alloc(0));
}

const isSecond = (said: readonly Buffer[]): boolean => said.some((line) => line.toString('latin1').trimEnd() === 'version 2');

/** One command of the second version, with its arguments; gives the body of the answer. */
export async function ask(remote: Asked, command: 'ls-refs' | 'fetch', args: readonly Buffer[]): Promise<Buffer> {
  const answer = await remote.http.request(callOf(remote, command, args));
  return (await wholeBody(answer.body)) ?? Buffer.alloc(0);
}

/** The request of a fetch. */
export const fetchCall = (remote: Asked, args: readonly Buffer[]): GitHttpRequest => callOf(remote, 'fetch', args);

function callOf({ url, headers }: Asked, command: 'ls-refs' | 'fetch', args: readonly Buffer[]): GitHttpRequest {
  return {
    url: `${url}/git-upload-pack`,
    method: 'POST',
    headers: {
      ...headers,
      ...version,
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
    },
    body: bodyOf(Buffer.concat([packet(`command=${command}\n`), packet('agent=git/pilotfish\n'), delimiter, ...args, end])),
  };
}

/** A host may answer with more than the question named. */
const below = (heads: ReadonlyMap<string, string>, prefix: string): ReadonlyMap<string, string> =>
  new Map([...heads].filter(([ref]) => ref.startsWith(prefix) && !ref.endsWith('^{}')));

export interface Heads {
  readonly heads: ReadonlyMap<string, string>;
  /** The abilities that the remote announces. */
  readonly abilities: ReadonlySet<string>;
}

/** The heads that a remote shows before a push. */
export async function headsForPush({ http, url, headers }: Asked): Promise<Heads> {
  const answer = await http.request({ url: `${url}/info/refs?service=git-receive-pack`, method: 'GET', headers });
  return headsIn(packetsOf((await wholeBody(answer.body)) ?? Buffer.alloc(0)));
}

function headsIn(lines: readonly Buffer[]): Heads {
  const heads = new Map<string, string>();
  let abilities = new Set<string>();
  for (const line of lines) {
    const [said = '', able] = line.toString('utf8').trimEnd().split('\0');
    const [, oid, ref] = /^([0-9a-f]{40}) (\S+)/.exec(said) ?? [];
    if (able !== undefined) abilities = new Set(able.trim().split(' '));
    if (oid !== undefined && ref !== undefined && ref !== 'capabilities^{}') heads.set(ref, oid);
    else if (oid === undefined && !/^(# service=|version 1$|shallow )/.test(said))
      throw new NotGit('it does not answer as a git repository does');
  }
  return { heads, abilities };
}

/** Moves a ref from one head (`null`: absent) to another (`null`: gone). Gives `null` when that was done, else the remote's words. */
export async function sendPack(
  { http, url, headers }: Asked,
  what: {
    readonly ref: string;
    readonly from: string | null;
    readonly to: string | null;
    readonly pack: Buffer | null;
    readonly abilities: ReadonlySet<string>;
  },
): Promise<string | null> {
  const asked = ['report-status', 'side-band-64k'].filter((one) => what.abilities.has(one));
  const command = `${what.from ?? absent} ${what.to ?? absent} ${what.ref}\0 ${asked.join(' ')} agent=git/pilotfish\n`;
  const answer = await http.request({
    url: `${url}/git-receive-pack`,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-git-receive-pack-request', accept: 'application/x-git-receive-pack-result' },
    body: bodyOf(Buffer.concat([packet(command), end, ...(what.pack ? [what.pack] : [])])),
  });
  const content = (await wholeBody(answer.body)) ?? Buffer.alloc(0);
  const { report, said } = asked.includes('side-band-64k') ? bandsOf(content) : { report: content, said: '' };
  const lines = packetsOf(report).map((line) => line.toString('utf8').trimEnd());
  const [unpack, ...refs] = lines;
  // An answer that does not mention the push leaves its outcome open.
  if (unpack === undefined || !unpack.startsWith('unpack ') || refs.length === 0)
    throw unclear('its answer to the push says nothing of it');
  const refused = refs.filter((line) => !line.startsWith('ok ')).map((line) => line.replace(/^ng /, ''));
  if (unpack === 'unpack ok' && refused.length === 0) return null;
  return [said, unpack === 'unpack ok' ? '' : unpack, ...refused].filter((words) => words !== '').join(' ');
}

/** Git's name for the head of an absent ref. */
const absent = '0'.repeat(40);

/** Splits an answer into the report and the words for people. */
function bandsOf(content: Buffer): { readonly report: Buffer; readonly said: string } {
  const report: Buffer[] = [];
  let said = '';
  for (const part of packetsOf(content)) {
    const [band] = part;
    if (band === 1) report.push(part.subarray(1));
    else if (band === 2) said += part.toString('utf8', 1);
    else throw unclear(part.toString('utf8', band === 3 ? 1 : 0));
  }
  return { report: Buffer.concat(report), said: said.trim() };
}

/** The lines of an answer. Packets that only end a part are left out. */
export const packetsOf = (content: Buffer): readonly Buffer[] =>
  [...packetsIn(content, () => unclear('its answer was cut off'))].filter(({ length }) => length > 4).map(({ bytes }) => bytes);

const end = Buffer.from('0000', 'latin1');
const delimiter = Buffer.from('0001', 'latin1');

const unclear = (words: string): RemoteTrouble => new RemoteTrouble(words, { wasSent: true });

export const packet = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0'), 'latin1'), bytes]);
};
