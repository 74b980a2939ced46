import { isMap } from '../../core/json.ts';

/** Names that a manifest lists, and what is wrong with it. The words of `why` follow the name of the file. */
export interface Listed {
  readonly names: readonly string[];
  readonly why?: string;
}

const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Packages of a `package.json`. Of a broken one those that can still be made out, because a merge conflict does not change what an app uses. */
export async function readPackageJson(text: string): Promise<Listed> {
  try {
    return listed(JSON.parse(text));
  } catch {
    const { readBrokenJson } = await import('./read-json.ts');
    const { value, why } = readBrokenJson(text);
    return { names: listed(value).names, why };
  }
}

function listed(value: unknown): Listed {
  if (!isMap(value)) return { names: [], why: 'holds no JSON object' };
  return { names: lists.flatMap((list) => (isMap(value[list]) ? Object.keys(value[list]).filter(isPackageName) : [])) };
}

const isPackageName = (name: string): boolean => name.length <= 214 && /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name);
