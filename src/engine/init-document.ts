/** A marked value of the plan. */
export interface TodoDoc {
  /** The place in the plan: `changes[0].project_id`; empty for a file that is no plan. */
  readonly path: string;
  /** Tells where to find the value, or what to look at. */
  readonly hint: string;
  /** Absolute path of the plan. */
  readonly file: string;
  readonly line: number;
}

/** A provider that `init` saw in the repository. */
export interface FoundDoc {
  readonly name: string;
  readonly title: string;
  /** Absolute paths of files, each with what in it tells: `/repos/shop/package.json: package stripe`. */
  readonly evidence: readonly string[];
  /** Lines of a plan for it: written as one, written as a comment, there before, or not in the plan that is there. */
  readonly lines: readonly { readonly id: string; readonly state: 'line' | 'comment' | 'there' | 'new' }[];
  /** Folders of the deployables that use it, from the root: `apps/web`; `''` is the root. */
  readonly deployables: readonly string[];
}

/** A service that no adapter and no recipe manages. */
export interface UnsupportedDoc {
  readonly name: string;
  readonly title: string;
  readonly evidence: readonly string[];
  readonly deployables: readonly string[];
  /** Why, and where to ask for it. */
  readonly why: string;
  readonly ask: string;
}

/** A database whose provider nobody can tell. */
export interface EngineDoc {
  /** `postgres` */
  readonly name: string;
  readonly title: string;
  readonly evidence: readonly string[];
  readonly deployables: readonly string[];
  /** The providers of such a database that pilotfish manages, with the lines that stand in the plan as comments. */
  readonly ways: readonly { readonly name: string; readonly title: string; readonly lines: FoundDoc['lines'] }[];
}

/** Something that is deployed. A folder that goes to several hosts has an entry for each. */
export interface DeployableDoc {
  /** From the root; `''` is the root. */
  readonly folder: string;
  readonly name: string;
  readonly kind: string;
  readonly framework: string | null;
  /** The name of its host; `null` where no file tells it. */
  readonly host: string | null;
  readonly builds: 'host' | 'ci' | null;
  readonly evidence: readonly string[];
  /** Why no line reaches its previews; `null` where lines can. */
  readonly why: string | null;
}

/** A service that the host makes for each preview by itself. */
export interface MadeByHostDoc {
  readonly name: string;
  readonly title: string;
  readonly host: string;
  /** `a database of its own for each review app` */
  readonly what: string;
  readonly evidence: readonly string[];
}

/** The report of `pilotfish init`. Paths in it are absolute, except folders of deployables. */
export interface InitDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'init';
  /** `added`: ids of lines that an existing plan got. */
  readonly plan: { readonly path: string; readonly written: boolean; readonly added: readonly string[] };
  readonly gitignore: { readonly path: string; readonly changed: boolean };
  readonly detected: {
    readonly found: readonly FoundDoc[];
    readonly unsupported: readonly UnsupportedDoc[];
    readonly todo: readonly TodoDoc[];
    /** Values that work as they are and should be looked at, and files that could not be read. They block nothing. */
    readonly check: readonly TodoDoc[];
    /** Always false: nothing found gives no line. */
    readonly assumed: boolean;
    readonly deployables: readonly DeployableDoc[];
    readonly made_by_host: readonly MadeByHostDoc[];
    readonly engines: readonly EngineDoc[];
    /** The variables that get a value, and from which output. `job`: CI builds the deployable, and its job must hand over the value. */
    readonly wired: readonly {
      readonly variable: string;
      readonly deployable: string;
      readonly from: string;
      readonly where: 'host' | 'job';
    }[];
    /** Values that are handed to nobody, with the reason. */
    readonly unwired: readonly { readonly service: string; readonly why: string }[];
    /** Files of a format that no reader knows. */
    readonly unread: readonly { readonly format: string; readonly file: string }[];
    /** The evidence that the repository is a published package and deploys nothing. */
    readonly library: string | null;
    /** The evidence that the repository is copied to begin others. */
    readonly template: string | null;
  };
  readonly credentials: readonly { readonly variable: string; readonly provider: string; readonly status: 'set' | 'missing' }[];
  /** APIs, and lines without one, whose facts no credential seals. They need `PILOTFISH_LEDGER_KEY`. */
  readonly unsealed: readonly string[];
  /** `command` is null when the next step is not a command. */
  readonly next: { readonly command: string | null; readonly why: string };
}
