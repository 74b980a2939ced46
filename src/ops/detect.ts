import type { Json } from '../core/json.ts';
import type { ServiceSignals } from './signals.ts';

/** How `init` recognises a provider in a repository, and which lines a first plan has for it. It is data, so no code lists all providers. */
export interface Detect extends ServiceSignals {
  /** Places in files of the repository that hold the value of a param. */
  readonly ids?: readonly FoundId[];
  readonly hosting?: Hosting;
  readonly database?: Database;
  /** Values of its lines that a build needs, such as the secret of a webhook. Each is left out unless a file of the repository names it. */
  readonly variables?: readonly DraftVariable[];
  /** Settings that its block under `providers` needs in every plan, such as the `base_url` of a tenant. `ids` call them `provider.<key>`. */
  readonly provider?: { readonly [key: string]: Given };
  /** The lines of a first plan for the provider, in this order. */
  readonly draft?: readonly DraftLine[];
}

/** The value of a param in a file. The file's name decides how it is read: JSON (comments allowed), TOML or YAML. */
export interface FoundId {
  /** A param, or `provider.<key>` for a setting of its block under `providers`. */
  readonly param: string;
  /** A regular expression. A value that does not match is no such id. */
  readonly pattern?: string;
  /** As in `Signals.files`. */
  readonly file: string;
  /** JSON Pointer. */
  readonly at: string;
}

/** A provider that deploys the app. Other lines may need the address of the preview, and its build gets the variables. */
export interface Hosting {
  /** Where a repository has several, the one with the lowest rank gives the address. */
  readonly rank: number;
  /** Address of a preview, without a trailing slash, and its host name. */
  readonly url: Given;
  readonly host?: Given;
  /** The address before the build, for lines whose values the build needs, where `url` comes from the deployment. */
  readonly before?: { readonly url: Given; readonly host: Given };
  /** The lines are for this product of the host alone: `pages` of Cloudflare, whose Workers have none. */
  readonly product?: string;
  /** Params that say the same for all sites of a repository, such as the account. Of any other, each site has a value of its own. */
  readonly shared?: readonly string[];
}

/** A provider that holds data. Of several in a repository, one gets lines of its own. */
export interface Database {
  /** The lowest rank is preferred. */
  readonly rank: number;
  /** The protocol that its connection strings speak: `postgres`, `mysql`, `mongodb`, `redis`, `libsql`. */
  readonly engine?: string;
  readonly variables: readonly DraftVariable[];
}

/**
 * What a value is. `connection`: a connection string; `pooled` and `direct` where the provider has one through a pooler and one that
 * keeps a session. `url`: the address of an API. `key`: a key that may do anything; code in a browser may hold a `publishable-key` alone.
 * `name`: of an object such as an index, whose variables no words tell: only a documented one gets it.
 */
export const valueKinds = [
  'connection',
  'pooled',
  'direct',
  'url',
  'host',
  'port',
  'database',
  'user',
  'password',
  'key',
  'publishable-key',
  'secret-key',
  'signing-secret',
  'token',
  'id',
  'name',
] as const;

export type ValueKind = (typeof valueKinds)[number];

/** A value that a build needs. */
export interface DraftVariable {
  /** Names under which code reads it, the usual one first. */
  readonly names: readonly string[];
  /** A name gets the value only if its use fits the kind. Without one, the first of `names` tells it. */
  readonly kind?: ValueKind;
  readonly value: Json;
  /** The value for a name that Prisma reads, in its place. */
  readonly prisma?: Json;
  /** A hint for a value that a person must complete. */
  readonly todo?: string;
  /** Left out where no file of the repository names it. */
  readonly optional?: boolean;
}

/** A value as a plan writes it: a reference, or a text, with a hint where a person must complete the text. */
export type Given =
  | { readonly from: string }
  | {
      readonly text: string;
      readonly todo?: string;
      /** Words of the text that a param replaces where files hold its value: `{ your-app: name }`. Then nothing is left to complete. */
      readonly words?: { readonly [word: string]: string };
    };

/**
 * A line of a first plan. A required param without a value here gets its value from a file of the repository (`ids`), else a
 * placeholder with the param's `todo`. `${repository}` in a text is the repository's name. The hosting gives `{ of: preview.url }` and
 * `{ of: preview.host }`. `${ctx.…}` stays.
 */
export interface DraftLine {
  readonly id: string;
  readonly op: string;
  /** A short sentence that says why the line is there. */
  readonly comment: string;
  readonly params: { readonly [param: string]: Json };
  /** Hints for values that work as they are and deserve a look. */
  readonly check?: { readonly [param: string]: string };
  /** Hints for values of `params` that a person must replace. */
  readonly todo?: { readonly [param: string]: string };
  /** Words of a value with a `todo` that a param replaces where files hold its value, by param: `{ name: { your-app: application } }`. */
  readonly words?: { readonly [param: string]: { readonly [word: string]: string } };
  /** Params that the line has only where the plan has the lines of the part `address`. */
  readonly withAddress?: { readonly [param: string]: Json };
  /**
   * `database`: only where this is a database of the plan. `report`: tells a service of a version, and is no reason for a plan. `flags`: always as a comment. `variable`: once for each variable of the
   * build, with `{ of: variable.key }` and `{ of: variable.value }`. `deployment`: after the variables. `address`: only where a line of
   * another part needs one of them.
   */
  readonly part?: 'database' | 'flags' | 'variable' | 'deployment' | 'address' | 'report';
  /** Params with the path of a route that answers the provider. A param `path` with a default such as `/api/webhooks/stripe` is one anyway. */
  readonly hook?: readonly string[];
  /** `database`: only where its provider has the database of the plan. `elsewhere`: only where another provider has it, or none. */
  readonly where?: 'database' | 'elsewhere';
}
