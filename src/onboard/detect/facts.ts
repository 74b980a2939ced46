import type { Ecosystem } from '../../ops/signals.ts';

/** A kind of fact, by the kind of signal that it answers. `reference`: a word in the path of a secret, which answers a service's name. */
export type FactKind =
  | 'package'
  | 'variable'
  | 'host'
  | 'scheme'
  | 'snippet'
  | 'file'
  | 'key'
  | 'command'
  | 'action'
  | 'orb'
  | 'image'
  | 'resource'
  | 'module'
  | 'setting'
  | 'reference';

/**
 * What the place of a fact says about the app that runs. `runtime`: code, settings and packages of the app. `develop`: packages and
 * scripts for the work on it. `ci`: workflows, except the variables of a job that deploys the app. `infrastructure`: Terraform and its like. `local`: compose files and `.env.test`.
 */
export type Use = 'runtime' | 'develop' | 'ci' | 'infrastructure' | 'local';

/** One thing that one file says. It never holds a value of a variable. */
export interface Fact {
  readonly kind: FactKind;
  /**
   * The name in the spelling of a signal. A package has its ecosystem before it: `npm:stripe`. A host is the signal that it ended with, a
   * scheme, a snippet or a module the signal itself: values are only compared, never kept.
   */
  readonly name: string;
  /** The path from the root of the repository. */
  readonly file: string;
  /** From 1; 0 where it is not known. */
  readonly line: number;
  readonly use: Use;
  /** It is at most a hint: the address stands in a list of allowed ones, in a comparison or in an example. */
  readonly isHint?: true;
}

/** A file that a reader opens. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What the signals of all services ask for. Readers compare values with it and keep nothing else of a value. */
export interface Asked {
  /** `.neon.tech` or `smtp.sendgrid.net`, in lower case. */
  readonly hosts: readonly string[];
  /** Without `://`. */
  readonly schemes: readonly string[];
  /** Texts of code, as `Signals.snippets` spells them. */
  readonly snippets?: readonly string[];
  readonly modules: readonly string[];
  readonly resources: readonly string[];
}

/** Reads one format. A reader is a pure function of one file; what several files say together is decided later. */
export interface FactReader {
  readonly name: string;
  /** Tells from the path alone whether this reader opens the file. Several readers may open one file. */
  readonly takes: (path: string) => boolean;
  /**
   * The endings of the names that it may take, in lower case and without the dot: `json`, or the whole name `gemfile` of one that has no
   * dot. Without them the reader is asked about every file of a repository.
   */
  readonly endings?: readonly string[];
  /**
   * Tells from the name without folders whether it may take such a file. It is asked once for each name of a repository, and `takes` only
   * for files whose name may be taken.
   */
  readonly names?: (name: string) => boolean;
  /**
   * It reads source code. A repository has far more of it than of anything else, so code is read last, within a budget, and nobody is
   * told of a single file of code that could not be read.
   */
  readonly isCode?: boolean;
  readonly read: (file: SourceFile, asked: Asked) => Reading | Promise<Reading>;
}

/** What one file says. */
export interface Reading {
  readonly facts?: readonly Fact[];
  readonly manifest?: Manifest;
  readonly variables?: readonly VariableUse[];
  readonly renames?: readonly Rename[];
  readonly hosts?: readonly HostEvidence[];
  readonly routes?: readonly Route[];
  readonly schedules?: readonly Schedule[];
  readonly scripts?: readonly Script[];
  readonly starts?: readonly Start[];
  /** Values of params that the file holds, beside those that `Detect.ids` names. */
  readonly ids?: readonly FoundParam[];
  /** Why the file could not be read whole. The words follow its name: `is not valid JSON (line 3, column 9)`. */
  readonly problem?: string;
}

/** A list of packages of one folder. */
export interface Manifest {
  readonly file: string;
  /** The folder that it describes, where that is not the folder of its file: `requirements/base.txt` describes the folder above. */
  readonly folder?: string;
  readonly ecosystem: Ecosystem;
  /** The package's own name; `null` where the format has none. */
  readonly name: string | null;
  readonly packages: readonly { readonly name: string; readonly use: 'runtime' | 'develop' }[];
  /** The file says that the package is published, or that it never is; `null` where it says neither. */
  readonly isPublished: boolean | null;
  /** The package installs a program. */
  readonly hasProgram: boolean;
  /** Patterns of the folders that this manifest makes members of one workspace. A `!` excludes. */
  readonly members: readonly string[];
  /** Folders (from the root) and names of packages of this repository that it uses: `file:`, `path =`, `replace`, `:core`. */
  readonly references: readonly string[];
  /** Commands by name. */
  readonly scripts: { readonly [name: string]: string };
  /** Names that other manifests may use for packages: `libs.stripe` of a Gradle version catalog. */
  readonly aliases?: { readonly [alias: string]: readonly string[] };
}

/** The kind of file in which a variable's name stands. `rename`: a script gives a variable this name. */
export type VariablePlace =
  | 'code'
  | 'schema'
  | 'env-file'
  | 'compose'
  | 'workflow'
  | 'host'
  | 'settings'
  | 'infrastructure'
  | 'vault'
  | 'script';

/** One place that names an environment variable. */
export interface VariableUse {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly where: VariablePlace;
  readonly use: Use;
  /** The signals for hosts and schemes (`Asked`) that the value answers, if the place holds a value. */
  readonly hosts: readonly string[];
  readonly schemes: readonly string[];
  /**
   * The code or configuration that reads it opens a database with it. `engine`: `postgres`, `mysql`, `mongodb`, `redis`, `sqlite`, `libsql`.
   * `by`: a package, `prisma`, or `value` where the value of an example file is a database's address. `role`: a connection for migrations
   * alone (`migrate`), one that keeps a session (`direct`), another database that migrations are tried in (`shadow`), or a part of the
   * address, such as the host or the password (`part`).
   */
  readonly opens?: { readonly engine: string | null; readonly by: string; readonly role?: 'migrate' | 'direct' | 'shadow' | 'part' };
  /**
   * What the address of a database begins with where only one kind of client takes it: `jdbc:`, `r2dbc:`, `postgresql+asyncpg://`. `keys`:
   * a list of keys and values, as .NET has it.
   */
  readonly form?: string;
  /** The skeleton of a framework has the name in every app, so it tells of no service. Code may read it all the same. */
  readonly isSkeleton?: true;
  /** The call that takes the value: `new Stripe(`, `createClient(` of `@supabase/supabase-js`. A module or package, never text of the code. */
  readonly givenTo?: string;
  /** What that call takes at this place, by the order of its arguments or by the name of the member. */
  readonly givenAs?: 'address' | 'key';
  /** A list of secrets says where the value is kept: `1password`, `doppler`, `infisical`, `vault`, `aws-secrets-manager`, `github`. */
  readonly keptIn?: string;
  /** Words of a secret's reference that may name a service: `neon-letters` of `op://team/neon-letters/url`. Only from lists of references. */
  readonly words?: readonly string[];
}

/** A script that gives variables other names, such as a prefix for each app. */
export interface Rename {
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  /** `from` and `to` are beginnings of names. */
  readonly isPrefix: boolean;
  /** The folder whose names change; `null` for all. */
  readonly folder: string | null;
}

/** What one file says about the host of a deployable. */
export interface HostEvidence {
  /** The name of an adapter, a recipe family or an entry of the catalogue. */
  readonly provider: string;
  /** The folder that is deployed. */
  readonly folder: string;
  readonly file: string;
  readonly line: number;
  /**
   * The strongest first. `preview`: a workflow that deploys pull requests. `deploy`: another workflow that deploys. `link`: a file that
   * links the folder with a project at the host. `config`: the host's own configuration. `script`: a script starts the host's program.
   * `package`: an adapter of the framework for this host. `word`: anything weaker, such as a button of a README.
   */
  readonly by: 'preview' | 'deploy' | 'link' | 'config' | 'script' | 'package' | 'word';
  /** Params that the file holds: application, organisation, region, project, site, team. */
  readonly ids: { readonly [param: string]: string };
  /** Where the app is built. Builds in CI take variables from the job and not from the host. */
  readonly builds?: 'host' | 'ci';
  /** The host or the workflow makes an environment of its own for each pull request, or its builds of branches are switched off. */
  readonly previews?: 'each' | 'off';
  /** A product of the host: `pages`, `workers`, `functions`, `hosting`, `app-service`. */
  readonly product?: string;
  /** Services that the host makes for each preview by itself: databases of a blueprint, add-ons of a review app. */
  readonly makes?: readonly { readonly service: string; readonly what: string }[];
  /** Names of variables that the file sets for the deployable. */
  readonly variables?: readonly string[];
  /** What is deployed, as the file calls it: a package (`web` of `--filter web`), a file (`fly-preview.toml`), an app or a project. */
  readonly targets?: readonly string[];
  /** The file is infrastructure that stands beside an app. Its folder is no app, and its names tell which one it means. */
  readonly isBeside?: true;
  /** It is about pages that describe the code. They are not the app, though they stand in its folder. */
  readonly isOfDocs?: true;
  /** The file deploys nothing and only makes services, such as a workflow that makes a branch of a database. */
  readonly isMaker?: true;
  /** The configuration holds rules for addresses alone, and nothing that builds or deploys. */
  readonly isPartial?: true;
  /** A page for people says where the applications of the repository run. */
  readonly isSaid?: true;
  /** The command deploys functions or rules of the project, and no site. */
  readonly isWithoutSite?: true;
}

/** A route that the app answers. */
export interface Route {
  /** With a leading slash; parameters as `:name`. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly file: string;
  readonly line: number;
  /**
   * Words to be matched with services: parts of the path and of the module's name, packages that it imports. `signature`: it checks the
   * signature of a webhook.
   */
  readonly words: readonly string[];
  /** The service whose own address answers, where the route is no part of the app: `convex`, `supabase`, `firebase`. */
  readonly servedBy?: string;
}

/** A place in which the app says that something runs at times. */
export interface Schedule {
  readonly file: string;
  readonly line: number;
  /** `vercel`, `github`, `procfile`, `code`, `kubernetes`. */
  readonly by: string;
}

/** A script file, or one target of a make file. What it deploys counts as far as somebody starts it. */
export interface Script {
  readonly file: string;
  /** The target of a make file; `null` for a whole file. */
  readonly target: string | null;
  /** Their folders are paths from where the script starts. */
  readonly hosts: readonly HostEvidence[];
  readonly starts: readonly Start[];
}

/** A step of CI, or a script, starts a script of the repository. */
export interface Start {
  readonly file: string;
  /** `file`: a script by its path. `make`: targets of a make file. `package`: a script of a manifest. */
  readonly what: 'file' | 'make' | 'package';
  /** The paths, targets or names. */
  readonly names: readonly string[];
  /** From where it starts. */
  readonly folder: string;
  /** The package of a workspace that the script belongs to. */
  readonly filter: string | null;
  readonly by: 'preview' | 'deploy' | 'script';
  /** The names that the step sets. */
  readonly variables: readonly string[];
}

/** The value of a param of a provider in a file. It is an id and no credential (`idOf`). */
export interface FoundParam {
  readonly provider: string;
  readonly param: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
}
