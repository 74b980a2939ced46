import { isMap } from '../kit/json.ts';
import type { Simulation } from '../kit/types.ts';
import { data } from './data.ts';
import { hosts } from './hosts.ts';
import type { Parent } from './parent.ts';
import { services } from './services.ts';

const all: { readonly [provider: string]: readonly Parent[] } = { ...data, ...hosts, ...services };

/** Makes what a request to a provider names and its account lacks, as if somebody had made it in the console before. */
export async function prepare(name: string, simulation: Simulation, request: Request): Promise<void> {
  const parents = all[name] ?? [];
  if (parents.length === 0) return;
  const { pathname, searchParams } = new URL(request.url);
  const named = { method: request.method, path: pathname, query: searchParams, body: bodyOf(await request.clone().text()) };
  for (const parent of parents) parent.prepare(simulation, named);
}

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : {};
  } catch {
    return {};
  }
}
