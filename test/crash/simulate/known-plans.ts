import { createRequire } from 'node:module';

/**
 * Imported before everything else: a plan file is parsed once, however many runs of a seed read it. The document is only read, and
 * parsing it takes longer than most of what a run does then.
 */
const yaml = createRequire(import.meta.url)('yaml') as { parseDocument: typeof import('yaml').parseDocument };
const { parseDocument } = yaml;
const known = new Map<string, { readonly document: ReturnType<typeof parseDocument>; readonly lineStarts: readonly number[] }>();
const enough = 50;

Reflect.set(yaml, 'parseDocument', (text: string, options: Parameters<typeof parseDocument>[1]) => {
  const before = known.get(text);
  if (before) {
    options?.lineCounter?.lineStarts.push(...before.lineStarts);
    return before.document;
  }
  const document = parseDocument(text, options);
  if (known.size === enough) known.clear();
  known.set(text, { document, lineStarts: [...(options?.lineCounter?.lineStarts ?? [])] });
  return document;
});
