import type { Fact, HostEvidence, Manifest, Rename, Route, Schedule, VariableUse } from './facts.ts';
import type { Evidence } from './ids.ts';

/**
 * What a folder is for. `app`: something that is deployed. `package`: code of this repository that others use. `library`: published for
 * others. `helper`: build tools, generators, types. The facts of an example, of tests, docs and templates speak for that folder alone.
 */
export type Role = 'app' | 'package' | 'library' | 'helper' | 'example' | 'test' | 'docs' | 'template';

/** A folder with a manifest, or one that a host's configuration deploys. The root always counts as one. */
export interface Unit {
  /** The path from the root, with `/`; `''` is the root. */
  readonly folder: string;
  readonly manifests: readonly Manifest[];
  readonly role: Role;
  /** The folders of this repository that its code uses, directly or through others, without itself and without what is deployed. */
  readonly reaches: readonly string[];
}

/** Something that is deployed. */
export interface Deployable {
  readonly folder: string;
  /** The name that its manifest or its host gives it. */
  readonly name: string;
  /** `web`: it answers requests. `static`: its files are served. `worker`: it has no address. `mobile`: no host has it. */
  readonly kind: 'web' | 'static' | 'worker' | 'function' | 'mobile' | 'desktop';
  /** `next`, `phoenix`, `spring-boot`, `rails`; `null` where it is not known. */
  readonly framework: string | null;
  /** The host that the evidence names; `null` where none does. */
  readonly host: HostChoice | null;
  /** Other hosts with evidence, which did not win. */
  readonly others: readonly HostChoice[];
}

export interface HostChoice {
  readonly provider: string;
  readonly ids: { readonly [param: string]: string };
  readonly unclear: { readonly [param: string]: readonly string[] };
  readonly builds: 'host' | 'ci';
  readonly previews: 'each' | 'off' | null;
  readonly product: string | null;
  /** The strongest first. */
  readonly evidence: readonly HostEvidence[];
}

/** A service that the repository uses. */
export interface Claim {
  /** The name of an adapter, a recipe family or an entry of the catalogue. */
  readonly service: string;
  readonly from: 'adapter' | 'family' | 'catalogue';
  readonly facts: readonly Fact[];
  readonly evidence: readonly Evidence[];
  /** The folders of the deployables that use it. */
  readonly deployables: readonly string[];
  readonly ids: { readonly [param: string]: string };
  readonly unclear: { readonly [param: string]: readonly string[] };
  /** The host makes it for each preview by itself, so nothing is handed over. */
  readonly madeByHost: { readonly host: string; readonly what: string } | null;
}

/** What the files of a repository say. */
export interface Survey {
  readonly root: string;
  readonly units: readonly Unit[];
  readonly deployables: readonly Deployable[];
  readonly claims: readonly Claim[];
  /** By the folder of a deployable: the folders whose files speak for it. Absent: its own, and those that its unit reaches. */
  readonly reaches?: ReadonlyMap<string, ReadonlySet<string>>;
  readonly variables: readonly VariableUse[];
  readonly renames: readonly Rename[];
  readonly routes: readonly Route[];
  readonly schedules: readonly Schedule[];
  /** The repository is copied to begin others: `{{name}}` in its manifests, `template.json`, cookiecutter. */
  readonly template: Evidence | null;
  /** The package is published and nothing is deployed. */
  readonly library: Evidence | null;
  /** Files of a format that no reader knows, by format: `Bazel`, `Nix`. */
  readonly unread: readonly { readonly format: string; readonly file: string }[];
  readonly problems: readonly { readonly file: string; readonly why: string }[];
  /** The walk ended at a limit. */
  readonly isCut: boolean;
}
