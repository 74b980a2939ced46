import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { bundleAsync } from 'lightningcss';
import { partsPlace } from 'pilotfish-sandbox/page/page';
import { rolldown } from 'rolldown';
import { type PageFiles, pageFolder, pageName } from '../../src/report/trace/page/page-files.ts';
import { root } from '../tasks.ts';

const traceClient = join(root, 'src/report/trace/page/client');

/** Builds the script and the style of a page for a browser, by default of `trace.html`. The same sources give the same text on every machine. */
export async function pageFiles(client: string = traceClient): Promise<PageFiles> {
  const bundled = await rolldown({ input: join(client, 'main.ts'), platform: 'browser', transform: { target: 'es2023' } });
  try {
    const { output } = await bundled.generate({ format: 'iife', minify: true, sourcemap: false, comments: false });
    const [script, ...rest] = output;
    if (rest.length > 0) throw new Error('the script of the page is one file');
    return { script: inElement(script.code.trim(), 'script'), style: inElement(await styleOf(client), 'style') };
  } finally {
    await bundled.close();
  }
}

async function styleOf(client: string): Promise<string> {
  const { code } = await bundleAsync({ filename: join(client, 'page.css'), minify: true });
  return Buffer.from(code).toString('utf8').trim();
}

/** Checks a text for an element of that name: the text must not end its own element. */
function inElement(text: string, name: string): string {
  if (text.toLowerCase().includes(`</${name}`) || text.includes('<!--')) throw new Error(`the page's ${name} would end its own element`);
  return text;
}

/** Writes the files into a folder, in one step, because another process may be reading them. */
export async function writePageFiles(folder: string): Promise<void> {
  const packed = brotliCompressSync(JSON.stringify(await pageFiles()));
  await mkdir(folder, { recursive: true });
  const file = join(folder, pageName);
  if ((await readFile(file).catch(() => null))?.equals(packed)) return;
  await writeFile(`${file}.${process.pid}`, packed);
  await rename(`${file}.${process.pid}`, file);
}

/** The same for the page of the sandbox, as one file of JSON. */
export async function writeSandboxPage(folder: string): Promise<void> {
  const text = JSON.stringify(await pageFiles(join(root, 'sandbox/page/client')));
  const file = join(folder, 'page.json');
  await mkdir(folder, { recursive: true });
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return;
  await writeFile(`${file}.${process.pid}`, text);
  await rename(`${file}.${process.pid}`, file);
}

/** Writes the files beside the sources too, for sources that run without a build, such as tests. */
export async function setup(): Promise<void> {
  await Promise.all([writePageFiles(fileURLToPath(pageFolder)), writeSandboxPage(fileURLToPath(new URL('.', partsPlace)))]);
}

if (import.meta.main) await setup();
