import { sections } from '../../test/specification/sections.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

/** `docs/specification.md`: what is specified of the adapters, sentence by sentence, each with the test that holds it. */
export function specificationPage(): string {
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return page(
    '# The adapters, sentence by sentence',
    generatedNote('test/specification'),
    `Each sentence is a test of the same name in [test/specification](../test/specification): ${count} in ${sections.length} sections. \`npx vitest run test/specification\` runs them. Where the second column names a test of another suite, that one holds the sentence, and the one here sees that it is there.`,
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
