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

/** A refusal that no retry changes, with the remote's own words. */
export async function refusal({ location, hush }: Refuser, words: string, status: number | null = null): Promise<Failure> {
  const said = await shown(words, hush);
  const because = said !== '' ? ` It said: ${said}` : status !== null ? ` It answered ${status}.` : '';
  // Only ssh says this, before it sends anything to the host.
  if (/host key verification failed/i.test(words)) return unknownHost(location, words, because);
  const host = status === null ? atTheHost(location, words, because) : null;
  if (host !== null) return host;
  if (status === 401 || /authentication failed|permission denied \(|could not read (username|password)/i.test(words)) {
    return new Failure('LEDGER_REFUSED', {
      detail: `The remote ${location} did not accept the credential, or there was none.${because}`,
      fix: 'Make `git push` to this remote work here without a prompt, or set the token variable of its host; then allow pushes to `pilotfish-receipts/**`.',
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
    const fix = `Give the credential write access to the repository's contents. ${exemption} if those rules stop it.`;
    return status === null ? new BranchRefused({ detail, fix }) : new Failure('LEDGER_REFUSED', { detail, fix, status });
  }
  if (status === 413) {
    return new Failure('LEDGER_REFUSED', {
      detail: `A push to ${location} is too large for the host, or for a proxy before it.${because}`,
      fix: 'Raise the limit on the size of request bodies there.',
      status,
    });
  }
  const detail = `The remote ${location} refused the push.${because}`;
  // A status is about the request. Without a status the remote took the request and refused the branch.
  if (status === null && !/unpack/i.test(words)) return new BranchRefused({ detail, fix: `${exemption}.` });
  return new Failure('LEDGER_REFUSED', { detail, fix: `${exemption}.`, ...(status !== null && { status }) });
}

/** A fault of the host's own repository, which no rule and no credential can mend. */
function atTheHost(location: string, words: string, because: string): Failure | null {
  const said = (what: string, fix: string) => ({ detail: `The host of ${location} ${what}, so nothing was written.${because}`, fix });
  if (/no space left|quota|storage (limit|size)|disk (is )?full/i.test(words)) {
    const fix = 'Free space on the host, or raise the quota of the repository there, then run again.';
    return new Failure('LEDGER_REFUSED', said('has no room for the push', fix));
  }
  if (/\.lock': file exists|another git process seems to be running/i.test(words)) {
    const fix =
      'Make sure that no git is at work there, then remove the named `.lock` file from the repository on the host. A git that died left this file.';
    return new Failure('LEDGER_REFUSED', said('keeps the branch locked', fix));
  }
  if (/read-only file system|unable to create .*permission denied|insufficient permission for adding an object/is.test(words)) {
    const told = said(
      'cannot write its own repository',
      'Give the user that runs git on the host write access to the folder of the repository.',
    );
    // The host may be able to write another ref. Objects of every push go to one place.
    return /unpack|pack-objects|index-pack/i.test(words) ? new Failure('LEDGER_REFUSED', told) : new BranchRefused(told);
  }
  return null;
}

/** The failure for refs that stand where git must make a folder, or that need a folder where `ref` stands. `refs`: full names. */
export async function blocked({ location, hush }: Refuser, ref: string, refs: readonly string[], words: string): Promise<Failure> {
  const short = (name: string): string => name.replace(/^refs\/heads\//, '');
  const [first = ref, ...more] = refs.map(short);
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return new BranchRefused({
    detail: `The branch ${first}${others} of ${location} blocks ${short(ref)}: git keeps no branch below another one. It said: ${await shown(words, hush)}`,
    fix: `Rename \`${first}\` on the remote, or delete it when nobody needs it, then run again.`,
  });
}

function unknownHost(location: string, words: string, because: string): Failure {
  if (/host identification has changed|host key .*has changed/i.test(words)) {
    return new Failure('LEDGER_REFUSED', {
      detail: `The host of ${location} shows a key that differs from the known one, so nothing was sent.${because}`,
      fix: 'Ask the operator of the host whether its key was changed, and put the new key into `known_hosts` only if it was.',
    });
  }
  return new Failure('LEDGER_REFUSED', {
    detail: `This machine does not know the host key of ${location}, and pilotfish does not ask anybody to confirm it.${because}`,
    fix: "Put the host's key into `known_hosts`: connect once by hand and compare the fingerprint, or take the published key in CI.",
  });
}

export async function unreachable({ location, hush }: Refuser, why: string, wasSent: boolean): Promise<Failure> {
  const open = wasSent ? ' A push was under way, and whether it landed is not known. The next run reads the branch again.' : '';
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
