export interface Environment {
  readonly id: string;
  name: string;
  version: number;
  readonly createdAt: string;
  updatedAt: string;
  /** What it was copied from; nothing shows it. */
  readonly source: string;
  status: string;
  /** Reads of it until it ends as `ContentfulState.end` says. */
  pollsLeft: number;
}

export interface ApiKey {
  readonly id: string;
  name: string;
  description: string | null;
  version: number;
  readonly accessToken: string;
  /** Left out: the key reads `master` alone. */
  environments?: { readonly sys: { readonly type: 'Link'; readonly linkType: 'Environment'; readonly id: string } }[];
  policies: { readonly effect: string; readonly action: string }[];
}

export interface Space {
  readonly id: string;
  environments: Environment[];
  /** Alias → the environment that it points to. */
  readonly aliases: Record<string, string>;
  readonly keys: ApiKey[];
}

export interface ContentfulState {
  readonly spaces: Record<string, Space>;
  /** Of each space, as its plan allows. */
  environmentLimit: number;
  /** What a copy is on its way, a read each; the last one lasts. */
  steps: readonly string[];
  /** How it ends. */
  end: string;
  /** Whether an environment may be deleted while it is copied: the description does not say. */
  deletesCopies: boolean;
}

/** State, and what a person does in the web app. Environments and keys are live. */
export interface ContentfulWorld {
  readonly state: ContentfulState;
  /** With an environment `master`. */
  addSpace(id: string): Space;
  addEnvironment(space: string, id: string, given?: Partial<Environment>): Environment;
  removeEnvironment(space: string, id: string): void;
  environments(space: string): readonly Environment[];
  addKey(space: string, id: string, environments?: readonly string[]): ApiKey;
}

export const emptyState = (): ContentfulState => ({
  spaces: {},
  environmentLimit: Number.POSITIVE_INFINITY,
  steps: ['queued'],
  end: 'ready',
  deletesCopies: true,
});

export function known(state: ContentfulState, id: string): Space {
  const space = state.spaces[id];
  if (!space) throw new Error(`the world has no space ${id}`);
  return space;
}

/** Links of keys go with the environment. */
export function drop(space: Space, id: string): void {
  space.environments = space.environments.filter((environment) => environment.id !== id);
  for (const key of space.keys) if (key.environments) key.environments = key.environments.filter((one) => one.sys.id !== id);
}
