import { circlesOfFiles } from './house/circles.ts';
import { readSources } from './house/sources.ts';
import { optionsOf } from './options.ts';

/** `npm run house` fails above these limits, and on a circle of imports. It prints the numbers of lines and files. */
const most = { linesOfFile: 350, linesOfFunction: 60 };
/** A file of at most this many lines may belong into another one. */
const small = 30;

/** Measures `src` without its tests, and fails on circles of files, long files and long functions. */
async function main(): Promise<number> {
  optionsOf('npm run house', {});
  const sources = await readSources();
  const circles = circlesOfFiles(sources);
  const files = [...sources].sort((a, b) => b.lines - a.lines);
  const functions = sources.flatMap((source) => source.functions).sort((a, b) => b.lines - a.lines);
  const longFiles = files.filter(({ lines }) => lines > most.linesOfFile);
  const longFunctions = functions.filter(({ lines }) => lines > most.linesOfFunction);

  console.log(`lines            ${sources.reduce((sum, { lines }) => sum + lines, 0)}`);
  console.log(`files            ${sources.length}`);
  console.log(`small files      ${sources.filter(({ lines }) => lines <= small).length} of ${small} lines and fewer`);
  console.log(`circles          ${circles.length}`);
  console.log(`longest file     ${files[0]?.lines} ${files[0]?.file}`);
  console.log(`longest function ${functions[0]?.lines} ${functions[0]?.file}:${functions[0]?.line} ${functions[0]?.name}`);

  const wrong = [
    ...circles.map((circle) => `a circle: ${circle.join(', ')}`),
    ...longFiles.map(({ file, lines }) => `a file of ${lines} lines, at most ${most.linesOfFile}: ${file}`),
    ...longFunctions.map(
      ({ file, line, name, lines }) => `a function of ${lines} lines, at most ${most.linesOfFunction}: ${file}:${line} ${name}`,
    ),
  ];
  if (wrong.length > 0) console.log(`\n${wrong.join('\n')}`);
  return wrong.length === 0 ? 0 : 1;
}

process.exitCode = await main();
