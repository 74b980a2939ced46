/** A placeholder as the report of `init` tells it. */
export interface ToFill {
  readonly file: string;
  readonly line: number;
  /** Where in the plan: `changes[0].project_id`. */
  readonly path: string;
  readonly hint: string;
}

/** What the text of `init` says, read as a person reads it. */
export interface Report {
  readonly text: string;
  readonly sections: ReadonlyMap<string, readonly string[]>;
  readonly toFill: readonly ToFill[];
  /** Variables that are to be set. */
  readonly missing: readonly string[];
}

export function readReport(text: string): Report {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const title = /^([A-Z][\w ]*):$/.exec(line)?.[1];
    if (title !== undefined) {
      lines = [];
      sections.set(title, lines);
    } else if (line.startsWith('  ')) lines.push(line.trim());
  }
  const todo = sections.get('To fill in') ?? [];
  return {
    text,
    sections,
    toFill: todo.flatMap((line) => {
      const [, file, number, path, hint] = /^(\S+):(\d+) +(\S+) +(.+)$/.exec(line) ?? [];
      return file === undefined || path === undefined || hint === undefined ? [] : [{ file, line: Number(number), path, hint }];
    }),
    missing: todo.flatMap((line) => /^([A-Z][A-Z0-9_]+) +missing\b/.exec(line)?.[1] ?? []),
  };
}

/** As a person counts them: whatever stands between blanks. */
export const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
