import type { FactReader } from '../../facts.ts';

/** The readers of one ecosystem, in a file of the program that is loaded where a repository has files for them. */
export interface Ecosystem {
  readonly name: string;
  /** Tells from the name without folders whether one of its readers may take such a file. */
  readonly names: RegExp;
  /** Where the name says too little: the whole path of such a file. */
  readonly paths?: RegExp;
  readonly load: () => Promise<{ readonly readers: readonly FactReader[] }>;
}

/** A file that its readers take and that this table does not name would be read only beside files that it names. */
export const ecosystems: readonly Ecosystem[] = [
  {
    name: 'python',
    names: /\.(?:py|txt|in|pip)$|^(?:pyproject\.toml|pipfile|setup\.cfg)$|^environment.*\.ya?ml$/i,
    paths: /\.(?:py|toml|cfg|ya?ml)$|pipfile$|req[^/]*(?:\/[^/]+)?$/i,
    load: () => import('./python.ts'),
  },
  { name: 'ruby', names: /\.(?:rb|rake|ru|gemspec|gemfile)$|^gemfile$/i, load: () => import('./ruby.ts') },
  { name: 'go', names: /\.go$|^go\.(?:mod|work)$/i, load: () => import('./go.ts') },
  { name: 'rust', names: /\.rs$|^cargo\.toml$/i, load: () => import('./rust.ts') },
  { name: 'php', names: /\.php$|^composer\.json$/i, load: () => import('./php.ts') },
  {
    name: 'jvm',
    names: /\.(?:java|kts?|scala|sc|mill|groovy|gradle|sbt|clj|edn|pom)$|^(?:.*\.)?pom\.xml$/i,
    load: () => import('./jvm.ts'),
  },
  {
    name: 'dotnet',
    names:
      /\.(?:cs|fs|vb|(?:cs|fs|vb)proj|slnx?)$|^directory\..*\.(?:props|targets)$|^(?:packages\.config|paket\..*|(?:appsettings|local\.settings).*\.json)$/i,
    load: () => import('./dotnet.ts'),
  },
  { name: 'beam', names: /\.exs?$|^(?:rebar\.config|gleam\.toml)$/i, load: () => import('./beam.ts') },
  {
    name: 'mobile',
    names: /\.(?:dart|swift|pbxproj)$|^(?:podfile|(?:pubspec|melos)\.yaml)$/i,
    load: () => import('./mobile.ts'),
  },
];
