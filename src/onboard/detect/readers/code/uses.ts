import type { VariablePlace, VariableUse } from '../../facts.ts';
import type { Code } from './source-code.ts';

/** What a place says of a variable beside its name. */
export type Sense = Pick<VariableUse, 'opens' | 'givenTo' | 'givenAs' | 'words'>;

/** Names that a person gives a variable. A letter or two are a type's or a constant's. */
const plain = /^[A-Z][A-Z0-9_]{2,79}$/;
/** Variables of the system and of build tools, which no service has. */
const ofSystem =
  /^(?:NODE_ENV|PATH|HOME|PWD|USER|SHELL|TERM|LANG|TZ|TMPDIR|TEMP|PORT|HOST|CI|DEV|PROD|MODE|SSR|BASE_URL|DEBUG|VERBOSE|LOG_LEVEL|NODE_OPTIONS|npm_\w+|HOSTNAME|EDITOR|APPDATA|LOCALAPPDATA|PROGRAMFILES|GOPATH|CARGO_\w+|OUT_DIR|RUST_LOG|RAILS_ENV|RACK_ENV|MIX_ENV|APP_ENV|APP_DEBUG|FLASK_ENV|DJANGO_SETTINGS_MODULE|ANALYZE|NEXT_RUNTIME|TURBOPACK|STORYBOOK|VITEST|JEST_WORKER_ID)$/;

/** Variables that GitHub's runner sets for each step. Others of this beginning are of an app: `GITHUB_CLIENT_ID`. */
const ofRunner =
  /^GITHUB_(?:ACTION\w*|ACTOR(?:_ID)?|API_URL|BASE_REF|ENV|EVENT_NAME|EVENT_PATH|GRAPHQL_URL|HEAD_REF|JOB|OUTPUT|PATH|REF(?:_NAME|_PROTECTED|_TYPE)?|REPOSITORY(?:_ID|_OWNER|_OWNER_ID)?|RETENTION_DAYS|RUN_(?:ATTEMPT|ID|NUMBER)|SERVER_URL|SHA|STATE|STEP_SUMMARY|TOKEN|TRIGGERING_ACTOR|WORKFLOW(?:_REF|_SHA)?|WORKSPACE)$/;

export const isName = (name: string): boolean => plain.test(name) && !ofSystem.test(name) && !ofRunner.test(name);

/** Collects the variables of one file, each name with each sense once. */
export class Uses {
  readonly #code: Code;
  readonly #isOfSkeleton: (path: string, name: string) => boolean;
  readonly #found = new Map<string, VariableUse>();

  constructor(code: Code, isOfSkeleton: (path: string, name: string) => boolean = () => false) {
    this.#code = code;
    this.#isOfSkeleton = isOfSkeleton;
  }

  add(name: string, at: number, sense: Sense = {}, where: VariablePlace = 'code'): void {
    if (isName(name)) this.addSetting(name, at, sense, where);
  }

  /** A name that a framework makes of a setting: `ConnectionStrings__Shop`. */
  addSetting(name: string, at: number, sense: Sense = {}, where: VariablePlace = 'code'): void {
    const key = `${name} ${sense.opens?.by ?? ''} ${sense.opens?.role ?? ''} ${sense.givenTo ?? ''}`;
    if (this.#found.has(key) || this.#found.size > 2_000) return;
    const { path: file, use } = this.#code;
    this.#found.set(key, {
      name,
      file,
      line: this.#code.lineAt(at),
      where,
      use,
      hosts: [],
      schemes: [],
      ...sense,
      ...(this.#isOfSkeleton(file, name) && { isSkeleton: true }),
    });
  }

  /** A place that says nothing more than the name is left out where another one says more. */
  list(): readonly VariableUse[] {
    const all = [...this.#found.values()];
    const told = new Set(all.filter((one) => one.opens || one.givenTo).map(({ name }) => name));
    return all.filter((one) => one.opens !== undefined || one.givenTo !== undefined || !told.has(one.name));
  }
}
