import type { Json } from '../core/json.ts';
import type { StoredRequest } from '../http/types.ts';

/** Where a person makes a credential, the permissions that it needs, and the reads that prove it. */
export interface Setup {
  readonly page: string;
  readonly needs: string;
  /** The read that fits every line; `null` where none does. It is also the witness for "absent" of objects without another witness. */
  readonly check: StoredRequest | null;
  /** Good credentials that `check` refuses. For these a refusal proves nothing. */
  readonly check_refuses?: string;
  /** Further conditions on the answer to `check`, because its status alone accepts credentials that cannot do the work. */
  readonly check_expects?: readonly Expectation[];
  /** Reads of a line's parent, as its run reads it. The first read whose params the line gives goes before `check`. */
  readonly check_by?: readonly CheckBy[];
  /** Settings of the API block that go with each read, by their names in its query: `{ teamId: 'team_id' }`. */
  readonly check_query?: { readonly [name: string]: string };
  /** What an accepted read does not prove; "the right to write" where this is left out. */
  readonly unproven?: string;
}

/** A read with params of a line in braces: `/projects/{project_id}`. A query value whose param the line leaves out is not sent. */
export interface CheckBy {
  readonly method: 'GET';
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  readonly headers?: { readonly [name: string]: string };
  /** The operations that the read is for; all of them where this is left out. */
  readonly ops?: readonly string[];
}

/** One condition on the answer to a check. */
export interface Expectation {
  /** Pointer into the answer; `*` stands for every entry of a list. */
  readonly at: string;
  /** One of these values must be there; where this is left out, any value but null. */
  readonly any_of?: readonly Json[];
  /** The condition holds only where this pointer finds a value, because a list may be empty. */
  readonly where?: string;
  /** What the credential lacks, as a sentence. */
  readonly lacks: string;
}
