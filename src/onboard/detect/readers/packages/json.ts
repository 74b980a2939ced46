import { isMap } from '../../../../core/json.ts';

/** A JSON text as far as it can be read, because a merge conflict does not change what an app uses. Comments count if `isLoose`. */
export async function jsonOf(
  text: string,
  isLoose = false,
): Promise<{ readonly root: Record<string, unknown>; readonly problem?: string }> {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? { root: value } : { root: {}, problem: 'holds no JSON object' };
  } catch {
    const { readBrokenJson, readDataFile } = await import('../../data-file.ts');
    const loose = isLoose ? readDataFile('file.jsonc', text) : undefined;
    if (isMap(loose)) return { root: loose };
    const { value, why } = readBrokenJson(text);
    return { root: mapOf(value), problem: why };
  }
}

/** A TOML text as JSON values. */
export async function tomlOf(text: string): Promise<{ readonly root: Record<string, unknown>; readonly problem?: string }> {
  const { readToml } = await import('../../data-file.ts');
  const { value, why } = readToml(text);
  return { root: mapOf(value), ...(why !== undefined && { problem: why }) };
}

export const mapOf = (value: unknown): Record<string, unknown> => (isMap(value) ? value : {});
export const keysOf = (value: unknown): readonly string[] => Object.keys(mapOf(value));
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value.length > 0 ? value : null);
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
