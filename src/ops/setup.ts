import type { Json } from '../core/json.ts';
import type { StoredRequest } from '../http/types.ts';

/** Where a credential is made, what it needs, and the reads that prove it. */
export interface Setup {
  readonly page: string;
  readonly needs: string;
  /** The read that fits every line; `null` where none does. Also the witness for "absent" of objects that have no other. */
  readonly check: StoredRequest | null;
  /** Good credentials that `check` refuses: its refusal then proves nothing. */
  readonly check_refuses?: string;
  /** What the answer to `check` must say besides: its status alone passes credentials that cannot do the work. */
  readonly check_expects?: readonly Expectation[];
  /** Reads of what a line stands in, as its run reads it. The first one whose params the line gives goes before `check`. */
  readonly check_by?: readonly CheckBy[];
  /** Settings of the API block that go with each read, by their names in its query: `{ teamId: 'team_id' }`. */
  readonly check_query?: { readonly [name: string]: string };
  /** What an accepted read does not tell; "the right to write" where it is left out. */
  readonly unproven?: string;
}

/** A read with params of a line in braces: `/projects/{project_id}`. A query value whose param the line leaves out is not sent. */
export interface CheckBy {
  readonly method: 'GET';
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  readonly headers?: { readonly [name: string]: string };
  /** The operations it is for; all of them where it is left out. */
  readonly ops?: readonly string[];
}

/** One thing that the answer to a check must say. */
export interface Expectation {
  /** Pointer into the answer; `*` stands for every entry of a list. */
  readonly at: string;
  /** One of these must stand there; where it is left out, anything but null. */
  readonly any_of?: readonly Json[];
  /** Asked only where this pointer leads to something: a list may be empty. */
  readonly where?: string;
  /** What the credential lacks, as a sentence. */
  readonly lacks: string;
}
