import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readXml } from '../../src/http/encodings/xml-read.ts';
import { root } from './program.ts';

const documents = [
  '<?xml version="1.0" encoding="UTF-8"?><a xmlns="http://x/y"><b>1</b><b>007 &amp; &lt;&#65;</b><c d="e&quot;f"/><![CDATA[x<y]]></a>',
  '<?xml version="1.1"?><p:a xmlns:p="u"><p:b>é&#xe9;</p:b></p:a>',
  '<a b="1" c="&gt;">  1e3  </a>',
  '<a>0x1F<!-- c --><b/></a>',
  '<a>&nbsp;</a>',
  '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  '<a><b></a>',
];

const outcome = (read: (text: string) => unknown, text: string): unknown => {
  try {
    return read(text);
  } catch (thrown) {
    return String(thrown);
  }
};

it('the bundle, which leaves out parts of its XML parser, reads what the sources read', async () => {
  const file = (await readdir(join(root, 'dist'))).find((name) => name.startsWith('xml-read-'));
  const chunk: { readonly [name: string]: unknown } = await import(join(root, 'dist', file ?? 'missing'));
  const bundled = Object.values(chunk).find((one) => typeof one === 'function' && !/^class/.test(String(one)));
  for (const text of documents) expect(outcome(bundled as typeof readXml, text), text).toEqual(outcome(readXml, text));
});
