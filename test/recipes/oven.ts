import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bakery } from '../bad-input/bakery.ts';
import { openStage } from '../support/stage.ts';

/** A family of the repository: the lights of an oven. */
export const family = `name: oven
title: Oven
docs: https://bakery.example/docs/ovens
verified: 2026-11-21
provider:
  base_url: https://bakery.example/v1
  auth: { bearer_env: BAKERY_KEY }
ops:
  light:
    kind: resource
    doc: The light over a shelf. Identified by its name.
    params:
      name: { type: string, required: true, doc: Its name. }
      shelf: { type: string, default: middle, enum: [upper, middle, lower], doc: The shelf that it shines on. }
    outputs:
      shelf: { doc: Where it hangs., path: /shelf }
    example: { name: "pr-\${ctx.scope}" }
    template:
      find: { path: /lights, list_path: /items, match: { name: { param: name } } }
      create: { path: /lights, body: { name: { param: name } } }
      update: { path: "/lights/{id}" }
      delete: { path: "/lights/{id}" }
      fields: { over: { param: shelf } }
`;

/** A plan with one line of the family. `more` goes on with the line. */
export const planOf = (more = '', recipes = '[./recipes/*.yaml]'): string => `version: 1
recipes: ${recipes}
changes:
  - id: light
    recipe: oven.light
    name: light-\${ctx.scope}
${more}`;

/** A folder with a plan and the files of its families, and the bakery that they speak to. */
export async function openOven(files: Readonly<Record<string, string>> = { 'recipes/oven.yaml': family }, plan = planOf()) {
  const provider = bakery();
  const stage = await openStage({ simulations: [provider], env: { BAKERY_KEY: provider.tokens.full }, plan });
  const put = async (more: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(path.dirname(path.join(stage.folder, name)), { recursive: true });
      await writeFile(path.join(stage.folder, name), text);
    }
  };
  await put(files);
  /** What the plan is refused for; `[]` where it is not. */
  const mistakes = async (): Promise<readonly Told[]> =>
    await stage.plan().then(
      () => [],
      (thrown: { readonly failures?: readonly Raw[] } & Raw) => (thrown.failures ?? [thrown]).map(told),
    );
  return { ...stage, put, mistakes, provider, lights: () => provider.world.wares('lights') };
}

export type Oven = Awaited<ReturnType<typeof openOven>>;

interface Raw {
  readonly code: string;
  readonly detail: string;
  readonly fix: string;
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
}

interface Told extends Pick<Raw, 'code' | 'detail' | 'fix'> {
  readonly place: string;
}

const told = ({ code, detail, fix, place }: Raw): Told => ({
  code,
  detail,
  fix,
  place: place ? `${place.file}:${place.line}:${place.column}` : '',
});
