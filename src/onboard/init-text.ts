import { relative } from 'node:path';
import type { InitDoc } from '../report/document.ts';
import type { Styles } from '../report/styles.ts';
import { columns, oneLine } from '../report/text.ts';

/** The report of `init` for people; paths are relative to where it was run. */
export function initText(document: InitDoc, cwd: string, styles: Styles): string {
  const show = (path: string): string => oneLine(relative(cwd, path) || path);
  const { plan, gitignore, detected, credentials, next } = document;
  const files = [
    plan.written ? `${show(plan.path)} was written.` : `${show(plan.path)} is there already and was left as it is.`,
    ...(gitignore.changed ? [`${show(gitignore.path)} now ignores .pilotfish/.`] : []),
  ];
  const found = [
    ...detected.found.map((finding) => `${finding.name} (${finding.evidence.map(show).join(', ')})`),
    ...detected.unsupported.map((finding) => `${finding.name}: not supported yet. ${finding.why}`),
    ...(detected.assumed ? ['nothing; the plan starts from the template for Vercel and Neon'] : []),
  ];
  const todo = [
    ...detected.todo.map(({ path, hint, file, line }) => [`${show(file)}:${line}`, path, oneLine(hint)]),
    ...credentials.map(({ variable, provider, status }) => [variable, status, `credential of ${provider}, in the environment`]),
  ];
  return [
    ...files,
    ...section('Detected:', found, styles),
    ...section('To fill in:', columns(todo), styles),
    ...section('Next:', next.command === null ? [next.why] : [next.command, next.why], styles),
    '',
  ].join('\n');
}

const section = (title: string, lines: readonly string[], styles: Styles): string[] => [
  '',
  styles.paint('strong', title),
  ...(lines.length === 0 ? ['  nothing'] : lines.map((line) => `  ${line}`)),
];
