import { relative } from 'node:path';
import type { Styles } from '../../report/styles.ts';
import { columns, oneLine } from '../../report/text.ts';
import type { SetupDoc } from './document.ts';
import { kept } from './store.ts';

/** The report of `init --setup` for people. Paths are relative to the folder in which it ran. */
export function setupText(document: SetupDoc, cwd: string, styles: Styles): string {
  const show = (path: string): string => oneLine(relative(cwd, path) || path);
  const { plan, credentials, sources, secrets, ledger, workflow, next } = document;
  const rows = credentials.map(({ variable, provider, status, problem }) => [
    variable ?? provider,
    words[status],
    variable === null ? '' : provider,
    status === 'works' || status === 'missing' ? '' : oneLine(problem ?? ''),
  ]);
  const stored = [
    ...secrets.stored.map((name) => `${name} is stored.`),
    ...secrets.kept.map((name) => `${name} ${kept}`),
    ...secrets.failed.map(({ name, problem }) => `${name} is not stored. ${oneLine(problem)}`),
    ...(secrets.left.length > 0 && secrets.why !== null ? [secrets.why] : []),
    ...secrets.left.map(({ name, command }) => `  ${command ?? name}`),
  ];
  return [
    ...(plan.written ? [`${show(plan.path)} was written.`] : []),
    ...section('Credentials:', columns(rows), styles),
    ...(sources.length > 0
      ? ['', `Secrets are also read from ${sources.map((name) => `${name}://`).join(', ')}: CI needs its own sign-in there.`]
      : []),
    ...section(`CI secrets${secrets.repository === null ? '' : ` of ${secrets.repository}`}:`, stored, styles),
    ...section('Ledger:', ledgerText(ledger), styles),
    ...section('Workflow:', [`${show(workflow.path)}: ${workflow.why ?? workflow.status}`], styles),
    ...section('Next:', [...(next.command === null ? [] : [next.command]), document.ok ? next.why : styles.paint('bad', next.why)], styles),
    '',
  ].join('\n');
}

function ledgerText({ location, status, problem, key }: SetupDoc['ledger']): readonly string[] {
  const told = key.why === null ? [] : [key.why];
  if (status === 'works') return [`${location ?? 'The remote'} accepts it.`, ...told];
  if (problem === null) return ['The plan keeps it elsewhere.', ...told];
  return [`${status === 'refused' ? 'Refused.' : 'Not tried.'} ${oneLine(problem)}`, ...told];
}

const words = {
  missing: 'missing',
  works: 'works',
  uncheckable: 'not checked',
  waiting: 'waits',
  unauthorized: 'unauthorized',
  refused: 'refused',
  unchecked: 'not checked',
} as const;

const section = (title: string, lines: readonly string[], styles: Styles): string[] => [
  '',
  styles.paint('strong', title),
  ...(lines.length === 0 ? ['  nothing'] : lines.map((line) => `  ${line}`)),
];
