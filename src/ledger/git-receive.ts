import type { HttpClient } from 'isomorphic-git';
import { bodyOf, wholeBody } from './git-body.ts';
import { NotGit } from './git-packets.ts';
import { RemoteTrouble } from './git-remote.ts';

/** Whom a push speaks to. */
export interface Receiver {
  readonly http: HttpClient;
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** The heads that a remote shows to who is about to push. */
export async function headsForPush({ http, url, headers }: Receiver): Promise<{
  readonly heads: ReadonlyMap<string, string>;
  readonly abilities: ReadonlySet<string>;
}> {
  const answer = await http.request({ url: `${url}/info/refs?service=git-receive-pack`, method: 'GET', headers });
  const heads = new Map<string, string>();
  let abilities = new Set<string>();
  for (const line of packetsOf((await wholeBody(answer.body)) ?? Buffer.alloc(0))) {
    const [said = '', able] = line.toString('utf8').trimEnd().split('\0');
    const [, oid, ref] = /^([0-9a-f]{40}) (.+)$/.exec(said) ?? [];
    if (able !== undefined) abilities = new Set(able.trim().split(' '));
    if (oid !== undefined && ref !== undefined && ref !== 'capabilities^{}') heads.set(ref, oid);
    else if (!said.startsWith('# service=') && able === undefined) throw new NotGit('it does not answer as a git repository does');
  }
  return { heads, abilities };
}

/** What became of moving a ref from one head (`null`: absent) to another (`null`: gone): `null` when it was done, else the remote's words. */
export async function sendPack(
  { http, url, headers }: Receiver,
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
    body: bodyOf(Buffer.concat([packet(command), Buffer.from('0000', 'latin1'), ...(what.pack ? [what.pack] : [])])),
  });
  const content = (await wholeBody(answer.body)) ?? Buffer.alloc(0);
  const { report, said } = asked.includes('side-band-64k') ? bandsOf(content) : { report: content, said: '' };
  const lines = packetsOf(report).map((line) => line.toString('utf8').trimEnd());
  const [unpack, ...refs] = lines;
  // What says nothing of the push leaves open what became of it.
  if (unpack === undefined || !unpack.startsWith('unpack ') || refs.length === 0)
    throw unclear('its answer to the push says nothing of it');
  const refused = refs.filter((line) => !line.startsWith('ok ')).map((line) => line.replace(/^ng /, ''));
  if (unpack === 'unpack ok' && refused.length === 0) return null;
  return [said, unpack === 'unpack ok' ? '' : unpack, ...refused].filter((words) => words !== '').join(' ');
}

/** How git names the head of a ref that is not there. */
const absent = '0'.repeat(40);

/** The report, and what is for people. */
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

/** The lines of an answer, up to the last whole one; those that only end a part are left out. */
function packetsOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const digits = content.toString('latin1', at, at + 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    const end = at + Math.max(length, 4);
    if (!(end <= content.length)) throw unclear('its answer was cut off');
    if (length > 4) lines.push(content.subarray(at + 4, end));
    at = end;
  }
  return lines;
}

const unclear = (words: string): RemoteTrouble => new RemoteTrouble(words, { wasSent: true });

const packet = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0'), 'latin1'), bytes]);
};
