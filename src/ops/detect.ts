import type { Json } from '../core/json.ts';

/** How `init` recognises a provider in a repository, and what a first plan has for it. Data, so that nothing lists all providers. */
export interface Detect {
  /** Paths from the root of the repository or of a workspace: `vercel.json`, `.vercel/project.json`. */
  readonly files?: readonly string[];
  /** Files that tell of it by a key that they hold, where others have a file of that name as well. */
  readonly holds?: readonly HeldKey[];
  /** Names of packages in a manifest, as the registry of its language spells them; of a Go module the path without its version. */
  readonly dependencies?: readonly string[];
  /** Programs that tell of it where a script of a manifest starts them, such as its CLI. */
  readonly commands?: readonly string[];
  /** Names of variables in a `.env*` file. */
  readonly env?: readonly string[];
  /** Suffixes of the host in a database URL of a `.env*` file: `.neon.tech`. */
  readonly hosts?: readonly string[];
  /** Where files of the repository hold the value of a param. */
  readonly ids?: readonly FoundId[];
  readonly hosting?: Hosting;
  readonly database?: Database;
  /** What its block under `providers` needs in every plan, such as the `base_url` of a tenant. `ids` name these as `provider.<key>`. */
  readonly provider?: { readonly [key: string]: Given };
  /** What a first plan has for it, in this order. */
  readonly draft?: readonly DraftLine[];
}

/** A key in a file, which is read as that of a `FoundId` is. */
export interface HeldKey {
  /** As in `Detect.files`. */
  readonly file: string;
  /** JSON Pointer. */
  readonly at: string;
}

/** The value of a param in a file, which is read as JSON (comments allowed), TOML or YAML by its name. */
export interface FoundId {
  /** `provider.<key>`: of its block under `providers`. */
  readonly param: string;
  /** A regular expression; another value is no such id. */
  readonly pattern?: string;
  /** As in `Detect.files`. */
  readonly file: string;
  /** JSON Pointer. */
  readonly at: string;
}

/** It deploys the app: other lines may need the address of the preview, and variables are handed to its build. */
export interface Hosting {
  /** Of several in one repository the lowest gives the address. */
  readonly rank: number;
  /** Address of a preview, without a trailing slash, and its host name. */
  readonly url: Given;
  readonly host?: Given;
}

/** It holds data: one of several in a repository gets lines of its own. */
export interface Database {
  /** The lowest is preferred. */
  readonly rank: number;
  readonly variables: readonly DraftVariable[];
}

/** What a build needs to know. */
export interface DraftVariable {
  /** Names under which code reads it, the usual one first. */
  readonly names: readonly string[];
  readonly value: Json;
  /** In place of it under a name that Prisma reads. */
  readonly prisma?: Json;
  /** A hint where a person has to complete the value. */
  readonly todo?: string;
  /** Left out where no file of the repository names it. */
  readonly optional?: boolean;
}

/** A value as a plan writes it: a reference, or a text; with a hint where a person has to complete the text. */
export type Given = { readonly from: string } | { readonly text: string; readonly todo?: string };

/**
 * A line of a first plan. Params that are required and not given here get what a file of the repository says (`ids`), else a
 * placeholder with the param's `todo`. `${repository}` in a text is the repository's name; `{ of: preview.url }` and
 * `{ of: preview.host }` are what the hosting gives; `${ctx.…}` stays.
 */
export interface DraftLine {
  readonly id: string;
  readonly op: string;
  /** Why it is there, a short sentence. */
  readonly comment: string;
  readonly params: { readonly [param: string]: Json };
  /** What a person should look at in a value that works as it is. */
  readonly check?: { readonly [param: string]: string };
  /** Hints for values of `params` that a person has to replace. */
  readonly todo?: { readonly [param: string]: string };
  /**
   * `database`: only where this is the database of the plan. `flags`: always as a comment. `variable`: once for each variable that is
   * handed to the build, with `{ of: variable.key }` and `{ of: variable.value }`. `deployment`: after those.
   */
  readonly part?: 'database' | 'flags' | 'variable' | 'deployment';
  /** `database`: only where its provider has the database of the plan. `elsewhere`: only where another one has it, or none. */
  readonly where?: 'database' | 'elsewhere';
}
