/** A command that deploys, or that shows where the app is deployed. */
export interface HostProgram {
  readonly programs: readonly string[];
  /** The words behind the program that are no flags, with a space between. */
  readonly does: RegExp;
  /** What stands anywhere behind the program, in flags as well. */
  readonly has?: RegExp;
  readonly provider: string;
  readonly product?: string;
  /** Where the app is built when nothing else says it. */
  readonly builds?: 'host' | 'ci';
  /** Flags that name values of params. */
  readonly flags?: { readonly [param: string]: readonly string[] };
  /** Flags that name the app. It may be the app of production, so it becomes a param only where it is one of a pull request. */
  readonly app?: { readonly flags: readonly string[]; readonly param: string };
  /** The place among the words that are no flags: of the app's or service's name, and of the folder. */
  readonly nameAt?: { readonly at: number; readonly param: string };
  readonly folderAt?: number;
  /** Flags that name the folder. */
  readonly folders?: readonly string[];
  /** Where the built files stand that it uploads: the place among the words that are no flags, or flags. */
  readonly uploads?: { readonly at?: number; readonly flags?: readonly string[] };
  /** Flags that name a configuration. */
  readonly configs?: readonly string[];
  /** Flags whose values begin with the name of a variable, and `=`. Several names stand with a comma between. */
  readonly sets?: readonly string[];
  /** Names of variables are the words behind, as in `fly secrets set A=1`. */
  readonly setsWords?: boolean;
  /** It only shows the host, and deploys nothing. */
  readonly isWeak?: boolean;
}
