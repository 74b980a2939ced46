/** The registries whose packages can tell of a service. */
export const ecosystems = ['npm', 'pypi', 'rubygems', 'go', 'cargo', 'composer', 'hex', 'maven', 'nuget', 'pub', 'swift'] as const;

export type Ecosystem = (typeof ecosystems)[number];

/** What apps put before a variable for their build: most of them for one that the browser may see. */
export const buildPrefixes = [
  'NEXT_PUBLIC_',
  'NEXT_PRIVATE_',
  'NUXT_PUBLIC_',
  'EXPO_PUBLIC_',
  'BUN_PUBLIC_',
  'PUBLIC_',
  'VITE_',
  'REACT_APP_',
  'VUE_APP_',
  'NG_APP_',
  'GATSBY_',
  'STORYBOOK_',
  'MIX_',
] as const;

/**
 * What in a repository tells of a service, by the kind of fact. A name that ends with `*` stands for every name that begins so:
 * `@sentry/*`, `STRIPE_*`, `software.amazon.awssdk:sqs*`.
 */
export interface Signals {
  /**
   * Packages, each as its registry spells it. Maven and Gradle: `group:artifact`. Go: the module's path without its major version. PyPI:
   * in the normal form of PEP 503.
   */
  readonly packages?: { readonly [ecosystem in Ecosystem]?: readonly string[] };
  /** Environment variables. A prefix that a build adds (`NEXT_PUBLIC_`, `VITE_`) is left out: `SENTRY_DSN` covers `VITE_SENTRY_DSN`. */
  readonly variables?: readonly string[];
  /**
   * Hosts of addresses: `.neon.tech` is a suffix, `smtp.sendgrid.net` the whole name. A `*` stands for one label: `sqs.*.amazonaws.com`.
   * The begin of a path may follow: `github.com/login/oauth`.
   */
  readonly hosts?: readonly string[];
  /** Schemes of addresses: `gs`, `libsql`, `mongodb+srv`. */
  readonly schemes?: readonly string[];
  /**
   * Texts in code that only this service has: the call of its script, or an id. Any quote stands for each. `#` stands for digits, `?` for one
   * capital letter or digit, `*` for any number of them: `fbq('init'`, `GTM-????*`. ` .. ` stands between two parts of one element.
   */
  readonly snippets?: readonly string[];
  /** Paths from a folder that has a manifest, or from the root: `convex.json`, `.firebaserc`. `*` stands for a part of one name. */
  readonly files?: readonly string[];
  /** Keys in files that other services have as well. */
  readonly holds?: readonly HeldKey[];
  /** Programs that a script, a workflow, a Procfile, a Makefile or a Dockerfile starts. */
  readonly commands?: readonly string[];
  /** Actions of GitHub workflows, without the version: `getsentry/action-release`. */
  readonly actions?: readonly string[];
  /** Orbs of CircleCI, without the version. */
  readonly orbs?: readonly string[];
  /** Images of compose files and Dockerfiles, without the tag: `clickhouse/clickhouse-server`. */
  readonly images?: readonly string[];
  /** Resources of Terraform (`aws_sqs_queue`), CloudFormation (`AWS::SQS::Queue`) and CDK (`aws-cdk-lib/aws-sqs`, `Aws.SQS`). */
  readonly resources?: readonly string[];
  /** Modules and classes that code or configuration names: `Swoosh.Adapters.Postmark`, `django_ses`, `Laravel\Cashier`. */
  readonly modules?: readonly string[];
  /** Keys of a framework's settings, with dots: `spring.data.redis.*`, `mail.mailers.postmark.*`. */
  readonly settings?: readonly string[];
}

/** A key in a file. The file's name decides how it is read: JSON (comments allowed), TOML or YAML. */
export interface HeldKey {
  /** As in `Signals.files`. */
  readonly file: string;
  /** JSON Pointer. `0` stands for every item of a list. */
  readonly at: string;
}

/** The signals of one service, by what each proves. */
export interface ServiceSignals {
  /** One of these proves that the deployable that it belongs to uses the service. */
  readonly uses?: Signals;
  /** One of these is a hint. Two of different kinds are a proof. */
  readonly may?: Signals;
  /** These prove nothing, alone or together. They are listed where the service is proved otherwise. */
  readonly nothing?: Signals;
  /** These show another provider that the same packages or snippets reach. Beside one of them, these prove nothing of this service. */
  readonly unless?: Signals;
}
