import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bounds, inMb } from '../core/bounds.ts';

/** Called for a module after it was read and before any of it runs. When it throws, the module does not run. */
export type SeenModule = (url: string, bytes: Uint8Array) => void;

/** Module → the modules that it imports. */
const imports = new Map<string, Set<string>>();
/** Module → hash of its text. */
const texts = new Map<string, string>();
const watchers = new Set<SeenModule>();
let isWatching = false;

/**
 * Watches the modules that plugins load, even later and by `require`: like a plan, their code decides which requests are sent. A plugin that
 * is loaded a second time in this process runs the code that was read the first time. `seen` hears of every module from now on.
 */
export function watchModules(seen: SeenModule | null): void {
  if (!isWatching) begin();
  if (seen) watchers.add(seen);
}

function begin(): void {
  isWatching = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      if (context.parentURL !== undefined) linksOf(context.parentURL).add(found.url);
      return found;
    },
    load: (url, context, next) => {
      if (!isForeign(url)) return next(url, context);
      const loaded = next(url, context);
      // Node gives no text for a CommonJS module that it reads by itself.
      const text = loaded.source ?? readFileSync(fileURLToPath(url));
      const bytes = typeof text === 'string' ? Buffer.from(text) : ArrayBuffer.isView(text) ? bytesOf(text) : new Uint8Array(text);
      for (const seen of watchers) seen(url, bytes);
      texts.set(url, hash('sha256', bytes, 'hex'));
      return loaded;
    },
  });
}

/** Reads a plugin that is data. It is seen and identified like a module. */
export async function readSeen(url: string): Promise<Uint8Array> {
  const path = fileURLToPath(url);
  if ((await stat(path)).size > bounds.family) throw new Error(`it is larger than ${inMb(bounds.family)}`);
  const bytes = await readFile(path);
  for (const seen of watchers) seen(url, bytes);
  texts.set(url, hash('sha256', bytes, 'hex'));
  return bytes;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

function linksOf(url: string): Set<string> {
  const known = imports.get(url) ?? new Set();
  imports.set(url, known);
  return known;
}

/** The folder of pilotfish's own code. Its version identifies that code. */
const own = new URL('.', import.meta.url).href;
const isForeign = (url: string): boolean => url.startsWith('file:') && !url.startsWith(own);

/** One text for the code of these modules and of all that they have loaded so far. It names no folder, so that every checkout gives the same. */
export function codeOf(entries: readonly string[]): string {
  return hash(
    'sha256',
    entries
      .map((entry) =>
        [...reached(entry)]
          .flatMap((url) => texts.get(url) ?? [])
          .sort()
          .join(),
      )
      .join(';'),
    'hex',
  ).slice(0, 16);
}

function reached(entry: string): ReadonlySet<string> {
  const all = new Set<string>();
  const open = [entry];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (all.has(url) || !isForeign(url)) continue;
    all.add(url);
    open.push(...(imports.get(url) ?? []));
  }
  return all;
}
