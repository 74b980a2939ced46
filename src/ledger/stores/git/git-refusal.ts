import { Failure } from '../../../core/errors.ts';
import { plainWords } from '../remote-words.ts';
import { BranchRefused } from '../store.ts';
import type { Hush } from './git-hush.ts';

const exemption = 'Exempt `pilotfish-receipts/**` and `pilotfish-locks/**` from the branch rules of the remote';

/** The remote that a failure names, and the mask for its words. */
export interface Refuser {
  readonly location: string;
  readonly hush: Hush;
}

/** A refusal that trying again does not change, with the remote's own words. */
export async function refusal({ location, hush }: Refuser, words: string, status: number | null = null): Promise<Failure> {
  const said = await shown(words, hush);
  const because = said !== '' ? ` It said: ${said}` : status !== null ? ` It answered ${status}.` : '';
  // Only ssh says this, and it says it of a host that it has sent nothing to yet.
  if (/host key verification failed/i.test(words)) return unknownHost(location, words, because);
  const host = status === null ? atTheHost(location, words, because) : null;
  if (host !== null) return host;
  if (status === 401 || /authentication failed|permission denied \(|could not read (username|password)/i.test(words)) {
    return new Failure('LEDGER_REFUSED', {
      detail: `The remote ${location} did not accept the credential, or there was none.${because}`,
      fix: 'Make `git push` to this remote work here without a question, or set the token variable of its host; then allow pushes to `pilotfish-receipts/**`.',
      ...(status !== null && { status }),
    });
  }
  if (status === 404 || /repository .*not found|does not appear to be a git repository|does not exist/i.test(words)) {
    return new Failure('LEDGER_REFUSED', {
      detail: `The remote ${location} has no repository there, or the credential may not see it.${because}`,
      fix: 'Correct the address of the remote, or give the credential access to the repository and to pushes of `pilotfish-receipts/**`.',
      ...(status !== null && { status }),
    });
  }
  if (status === 403 || /permission|denied to|not allowed to upload|read.only/i.test(words)) {
    const detail = `The remote ${location} does not let this credential write.${because}`;
    const fix = `Give the credential write access to the repository's contents. ${exemption} where they stop it.`;
    return status === null ? new BranchRefused({ detail, fix }) : new Failure('LEDGER_REFUSED', { detail, fix, status });
  }
  if (status === 413) {
    return new Failure('LEDGER_REFUSED', {
      detail: `A push to ${location} is too large for the host, or for a proxy before it.${because}`,
      fix: 'Raise the bound on request bodies there, as other large pushes need it too.',
      status,
    });
  }
  const detail = `The remote ${location} refused the push.${because}`;
  // A status is about the request; without one the remote took the request and refused the branch.
  if (status === null && !/unpack/i.test(words)) return new BranchRefused({ detail, fix: `${exemption}.` });
  return new Failure('LEDGER_REFUSED', { detail, fix: `${exemption}.`, ...(status !== null && { status }) });
}

/** A fault of the host's own repository, which no rule and no credential mends. */
function atTheHost(location: string, words: string, because: string): Failure | null {
  const said = (what: string, fix: string) => ({ detail: `The host of ${location} ${what}, so nothing was written.${because}`, fix });
  if (/no space left|quota|storage (limit|size)|disk (is )?full/i.test(words)) {
    const fix = 'Free space on the host, or raise the quota of the repository there, then run again.';
    return new Failure('LEDGER_REFUSED', said('has no room for the push', fix));
  }
  if (/\.lock': file exists|another git process seems to be running/i.test(words)) {
    const fix =
      'When no git is at work there, remove the `.lock` file that it names from the repository on the host; a git that died left it.';
    return new Failure('LEDGER_REFUSED', said('keeps the branch locked', fix));
  }
  if (/read-only file system|unable to create .*permission denied|insufficient permission for adding an object/is.test(words)) {
    const told = said('cannot write its own repository', 'Let the user whom git runs as on the host write the folder of the repository.');
    // Another ref may stand where the host can write it. Objects of every push go to one place.
    return /unpack|pack-objects|index-pack/i.test(words) ? new Failure('LEDGER_REFUSED', told) : new BranchRefused(told);
  }
  return null;
}

/** Refs stand where git would have to make a folder, or where they need one. `refs`: full names. */
export async function blocked({ location, hush }: Refuser, ref: string, refs: readonly string[], words: string): Promise<Failure> {
  const short = (name: string): string => name.replace(/^refs\/heads\//, '');
  const [first = ref, ...more] = refs.map(short);
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return new BranchRefused({
    detail: `The branch ${first}${others} of ${location} is in the way of ${short(ref)}: git keeps no branch below another one. It said: ${await shown(words, hush)}`,
    fix: `Rename \`${first}\` on the remote, or delete it when nobody needs it, then run again.`,
  });
}

function unknownHost(location: string, words: string, because: string): Failure {
  if (/host identification has changed|host key .*has changed/i.test(words)) {
    return new Failure('LEDGER_REFUSED', {
      detail: `The host of ${location} shows another key than the one that is known of it, so nothing was sent.${because}`,
      fix: 'Ask whoever runs the host whether its key was changed; only then put the new key into `known_hosts`.',
    });
  }
  return new Failure('LEDGER_REFUSED', {
    detail: `This machine does not know the key of the host of ${location}, and nobody is asked about it.${because}`,
    fix: "Put the host's key into `known_hosts`: connect once by hand and compare the fingerprint, or take the published key in CI.",
  });
}

export async function unreachable({ location, hush }: Refuser, why: string, wasSent: boolean): Promise<Failure> {
  const open = wasSent ? ' A push was under way: whether it landed is not known; the next run reads what is there.' : '';
  return new Failure('LEDGER_REFUSED', {
    detail: `The remote ${location} could not be reached: ${await shown(why, hush)}.${open}`,
    fix: 'Check the network, the proxy settings and the address of the remote, then run again.',
  });
}

/** The remote's words, once all is learned that they may quote. */
export async function shown(words: string, { redactor, learn }: Hush): Promise<string> {
  await learn();
  return plainWords(words, redactor);
}
