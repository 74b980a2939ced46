import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Release } from '../../src/onboard/setup/release.ts';
import { copiedAction, workflowText } from '../../src/onboard/setup/workflow.ts';
import { root } from '../cli/program.ts';
import { withoutSigns } from '../support/without-signs.ts';
import { action } from './job-env.ts';

/** A text that people are given to copy, or that is written for them. */
interface Shown {
  readonly where: string;
  readonly text: string;
}

const permissionsSchema = z.record(z.string(), z.string());
const stepSchema = z.looseObject({ uses: z.string().optional(), with: z.record(z.string(), z.unknown()).optional() });
const workflowSchema = z.looseObject({
  on: z.record(z.string(), z.unknown()).optional(),
  permissions: permissionsSchema.optional(),
  jobs: z
    .record(
      z.string(),
      z.looseObject({
        if: z.string().optional(),
        permissions: permissionsSchema.optional(),
        environment: z.string().optional(),
        steps: z.array(stepSchema),
      }),
    )
    .optional(),
});
type Workflow = z.infer<typeof workflowSchema>;

/** A workflow, or only its steps. */
const shownSchema = z.union([workflowSchema, z.array(stepSchema).transform((steps): Workflow => ({ jobs: { shown: { steps } } }))]);

const release = { repository: 'acme-tools/pilotfish', commit: '0123456789abcdef0123456789abcdef01234567', tag: 'v9.8.7' };
const written = (environments: readonly string[], of: Release | null = release): string =>
  workflowText({
    release: of,
    plan: 'apps/web/release.plan.yaml',
    repository: 'acme/shop',
    defaultBranch: 'main',
    needs: { environments, apis: [], secrets: [], keyed: [] },
  });
const texts: readonly Shown[] = [
  { where: 'what init writes', text: written(['preview', 'production']) },
  { where: 'what init writes without a release', text: written(['preview', 'production'], null) },
  { where: 'what init writes for other environments', text: written(['staging', 'production-eu']) },
  {
    where: 'what init writes, without the comment signs',
    text: withoutSigns(
      written(['preview', 'production']),
      '  # production:',
      '          # trace:',
      '      # - uses: actions/upload-artifact',
    ),
  },
  ...(await shownInPages()),
];
const workflows = texts.map(({ where, text }) => ({ where, text, workflow: shownSchema.parse(parse(text)) }));

it('the pages show workflows', () => {
  const pages = new Set(texts.map(({ where }) => where.split(':')[0]));
  expect([...pages]).toEqual(expect.arrayContaining(['docs/ci.md']));
});

describe.each(workflows)('the workflow of $where', ({ text, workflow }) => {
  it('gives the action nothing but inputs of action.yml, and no command that it does not know', () => {
    for (const step of stepsWithAction(workflow)) {
      expect(Object.keys(step.with ?? {}).filter((name) => !(name in action.inputs))).toEqual([]);
      const command = String(step.with?.command ?? 'apply');
      // What an expression comes to is tried beside the text that holds it.
      if (!command.startsWith('${{')) expect(['apply', 'plan', 'destroy']).toContain(command);
    }
  });

  it('grants each job exactly what the action needs there', () => {
    for (const [name, job] of Object.entries(workflow.jobs ?? {})) {
      if (name === 'shown') continue;
      expect({ name, ...(job.permissions ?? workflow.permissions) }).toEqual({ name, ...needed(job) });
    }
  });

  it('checks out no code of a pull request in a job that `pull_request_target` starts', () => {
    for (const job of Object.values(workflow.jobs ?? {})) {
      if (!job.if?.includes('pull_request_target')) continue;
      const [checkout, ...others] = job.steps;
      expect(checkout?.with?.ref).toBe('${{ github.event.repository.default_branch }}');
      expect(others.filter((step) => !isAction(step))).toEqual([]);
      expect(JSON.stringify(job)).not.toMatch(/event\.pull_request|head|github\.ref|"run":/);
    }
  });

  it('does not begin with a push of receipts', () => {
    if (workflow.on === undefined || !('push' in workflow.on)) return;
    expect([{ branches: ['main'] }, { 'branches-ignore': ['pilotfish-receipts/**', 'pilotfish-locks/**'] }]).toContainEqual(
      workflow.on.push,
    );
  });

  it('uses actions of others by their commit, with the version beside it', () => {
    const isOurs = (line: string): boolean => /pilotfish\/action@/.test(line) || line.endsWith(`uses: ${copiedAction}`);
    const others = text.split('\n').filter((line) => /\buses:\s*\S/.test(line) && !isOurs(line));
    expect(others.filter((line) => !/uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
});

it('the page names every input and output of action.yml, and no other', async () => {
  const page = await readFile(join(root, 'docs/ci.md'), 'utf8');
  const named = (heading: string): readonly string[] => {
    const table = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
    const cells = table.split('\n').filter((row) => row.startsWith('| `'));
    return cells.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)).sort();
  };
  expect(named('Inputs')).toEqual(Object.keys(action.inputs).sort());
  expect(named('Outputs')).toEqual(Object.keys(action.outputs).sort());
});

type Job = NonNullable<Workflow['jobs']>[string];

/** An apply reads deployments and reports a status, and a job of production reads who approved it. A sweep writes no comment. */
function needed(job: Job): Readonly<Record<string, string>> {
  const inputs = job.steps.find(isAction)?.with ?? {};
  const common = { contents: 'write', 'pull-requests': 'write' };
  if (inputs.command === 'destroy') return common;
  return { ...common, deployments: 'read', ...(job.environment === undefined ? { statuses: 'write' } : { actions: 'read' }) };
}

const isAction = ({ uses = '' }: z.infer<typeof stepSchema>): boolean => uses.includes('pilotfish/action@') || uses === copiedAction;

const stepsWithAction = ({ jobs = {} }: Workflow): readonly z.infer<typeof stepSchema>[] =>
  Object.values(jobs).flatMap(({ steps }) => steps.filter(isAction));

/** Blocks of YAML that use an action, each with its page and line. */
async function shownInPages(): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for await (const file of glob(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root })) {
    const page = await readFile(join(root, file), 'utf8');
    for (const { index, 1: text = '' } of page.matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)) {
      if (/\buses:|^jobs:/m.test(text)) shown.push({ where: `${file}:${page.slice(0, index).split('\n').length}`, text });
    }
  }
  return shown;
}
