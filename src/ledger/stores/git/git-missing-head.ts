import type { HttpClient } from 'isomorphic-git';
import { bodyOf, wholeBody } from './git-body.ts';

/**
 * Lets isomorphic-git fetch from a repository whose default branch does not exist, such as a new one that holds only a ledger.
 *
 * git advertises no HEAD there, and `fetch` of 1.44 ends with `Could not find HEAD` after it has moved the local ref and before
 * it has stored a single object. It does not look for HEAD when the first line of the advertisement says what HEAD points to; so
 * we say so. Nothing else reads that.
 */
export function withHead(http: HttpClient): HttpClient {
  return {
    async request(call) {
      const answer = await http.request(call);
      if (call.method !== 'GET' || !answer.body) return answer;
      const said = await wholeBody(answer.body);
      return said === null ? answer : { ...answer, body: bodyOf(sayHead(said)) };
    },
  };
}

function sayHead(advertisement: Buffer): Buffer {
  const text = advertisement.toString('latin1');
  const first = /^(?:[0-9a-f]{4}# service=git-upload-pack\n0000)?([0-9a-f]{4})([0-9a-f]{40} \S+)\0([^\n]*)\n/.exec(text);
  const [all, length, ref, capabilities] = first ?? [];
  if (all === undefined || length === undefined || ref === undefined || capabilities === undefined) return advertisement;
  if (ref.endsWith(' HEAD') || capabilities.includes('symref=HEAD:')) return advertisement;
  const more = ' symref=HEAD:refs/heads/main';
  const longer = (Number.parseInt(length, 16) + more.length).toString(16).padStart(4, '0');
  const start = all.length - 1 - capabilities.length - 1 - ref.length - 4;
  return Buffer.from(`${text.slice(0, start)}${longer}${ref}\0${capabilities}${more}\n${text.slice(all.length)}`, 'latin1');
}
