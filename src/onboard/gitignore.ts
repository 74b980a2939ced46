const spellings = new Set(['.pilotfish', '.pilotfish/', '/.pilotfish', '/.pilotfish/', '**/.pilotfish', '**/.pilotfish/']);

/** The text of `.gitignore` with `.pilotfish/` in it, in the file's own line endings; `null` when it stands there already. */
export function withIgnored(text: string): string | null {
  if (text.split(/\r?\n/).some((line) => spellings.has(line.trim()))) return null;
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  return `${text}${gap}.pilotfish/${end}`;
}
