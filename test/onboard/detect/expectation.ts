import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';

const name = z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be a name as init says it: lower case, digits and _');
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable');
const folder = z
  .string()
  .regex(/^(?![./])(?!.*\/$)(?!.*\\)/, "must be a path from the root without a slash at its end; the root itself is ''");
const host = z.union([
  z.string().regex(/^[a-z][a-z0-9_|]*$/, 'must be a name as init says it, or several with | between them'),
  z.null(),
  z.array(name).min(1),
]);

const wired = z.strictObject({
  variable,
  deployable: folder,
  service: name,
  /** Right if init claims it, and not counted if it does not. */
  optional: z.boolean().default(false),
});

const expectation = z.strictObject({
  services: z.array(name).default([]),
  may: z.array(name).default([]),
  made_by_host: z.array(name).default([]),
  hosts: z.record(folder, host).default({}),
  wired: z.array(wired).default([]),
  unwired: z.array(variable).default([]),
  live: z.array(z.string()).optional(),
  comments: z.array(z.string()).optional(),
  library: z.boolean().default(false),
  template: z.boolean().default(false),
});

/**
 * A person's answer about a repository, written before `init` ran on it. A service in `services` must be claimed, one in `may` is not
 * counted, one in `made_by_host` must be listed as made by the host, and every other claim is wrong. `hosts` has every folder that is
 * deployed; its value is a list where one folder goes to several hosts, names with `|` between them where each is right, `null` where nobody can tell, and `any` where it is not counted. A variable in `wired` must get its value from the service, and one
 * in `unwired` from none; every other wired variable is wrong. `live` and `comments` name lines by id, operation or provider; an empty
 * `live` says that no line may be live.
 */
export type Expectation = z.output<typeof expectation>;

/** Reads an expectation. Throws with every fault and its line. */
export function readExpectation(text: string, file: string): Expectation {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const [broken] = document.errors;
  if (broken) throw new Error(`${at(broken.pos[0])}: is not YAML: ${broken.message.split('\n', 1)[0]}`);
  const placeOf = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0]);
    }
    return file;
  };
  const read = expectation.safeParse(document.toJS() ?? {});
  const faults = read.success
    ? twiceNamed(read.data).map(({ path, message }) => `${placeOf(path)}: ${wordsOf(path)}: ${message}`)
    : read.error.issues.flatMap(innermost).map(({ path, message }) => `${placeOf(path)}: ${wordsOf(path)}: ${message}`);
  if (!read.success || faults.length > 0) throw new Error(faults.join('\n'));
  return read.data;
}

/** The fault of a key stands within the fault of its map. */
const innermost = (issue: z.core.$ZodIssue): readonly Fault[] =>
  issue.code === 'invalid_key' ? issue.issues.map(({ message }) => ({ path: issue.path, message })) : [issue];

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A name that two lists hold would be judged twice, each time differently. */
function twiceNamed(one: Expectation): readonly Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, string>();
  for (const list of ['services', 'may', 'made_by_host'] as const)
    for (const [i, value] of one[list].entries()) {
      const before = seen.get(value);
      if (before !== undefined) faults.push({ path: [list, i], message: `${value} stands in ${before} already` });
      seen.set(value, list);
    }
  const given = new Set(one.wired.map((wire) => wire.variable));
  for (const [i, value] of one.unwired.entries())
    if (given.has(value)) faults.push({ path: ['unwired', i], message: `${value} stands in wired already` });
  return faults;
}

const wordsOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || 'the file';
