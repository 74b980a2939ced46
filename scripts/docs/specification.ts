import { sections } from '../../test/specification/sections.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

/** `docs/specification.md`: the specification of the adapters, sentence by sentence, each with the test that holds it. */
export function specificationPage(): string {
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return page(
    '# The adapters, sentence by sentence',
    generatedNote('test/specification'),
    `Each sentence is a test of the same name in [test/specification](../test/specification): ${count} in ${sections.length} sections. \`npx vitest run test/specification\` runs them. If the second column names a test of another suite, that test holds the sentence, and the test here checks that it exists.`,
    ...sections.flatMap(({ title, file, rows }) => [
      `## ${title}`,
      markdownTable(
        ['Sentence', 'Test'],
        rows.map(({ says, held }) => [
          says,
          held ? `[${held.file}](../test/${held.file}): ${held.test}` : `[${file}](../test/specification/${file})`,
        ]),
      ),
    ]),
  );
}
