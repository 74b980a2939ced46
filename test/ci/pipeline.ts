import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../cli/program.ts';

type Variables = Readonly<Record<string, string>>;

const jobShape = z.object({
  extends: z.string().optional(),
  image: z.string().optional(),
  stage: z.string().optional(),
  interruptible: z.boolean().optional(),
  resource_group: z.string().optional(),
  needs: z.array(z.string()).optional(),
  variables: z.record(z.string(), z.string()).optional(),
  rules: z.array(z.object({ if: z.string(), when: z.enum(['manual']).optional(), allow_failure: z.boolean().optional() })).optional(),
  environment: z
    .object({ name: z.string(), url: z.string().optional(), on_stop: z.string().optional(), action: z.literal('stop').optional() })
    .optional(),
  script: z.array(z.string()).optional(),
});

/** A job of a pipeline, as GitLab makes it of the template. */
export interface PipelineJob {
  readonly name: string;
  readonly isManual: boolean;
  readonly stage: string;
  readonly image: string;
  readonly resourceGroup: string | null;
  readonly environment: {
    readonly name: string;
    readonly url: string | null;
    readonly onStop: string | null;
    readonly action: string;
  } | null;
  /** The script, and what it runs with: the pipeline's variables, the job's own, those of its environment. */
  readonly script: readonly string[];
  readonly variables: Variables;
}

/** Reads a template of GitLab CI, strictly: a key that this reader does not know fails. */
export async function readTemplate(file = 'examples/ci/gitlab/.gitlab-ci.yml') {
  const text = await readFile(join(root, file), 'utf8');
  const entries = z.record(z.string(), z.strictObject(jobShape.shape)).parse(parse(text));
  const whole = (name: string): z.infer<typeof jobShape> => {
    const job = entries[name];
    if (!job) throw new Error(`no job ${name}`);
    const base = job.extends === undefined ? {} : whole(job.extends);
    // `extends` merges maps and replaces lists: https://docs.gitlab.com/ci/yaml/yaml_optimization/#merge-details.
    return { ...base, ...job, variables: { ...base.variables, ...job.variables } };
  };
  const jobs = Object.keys(entries).filter((name) => !name.startsWith('.'));
  return {
    jobs,
    /** The jobs of a pipeline with these variables. None: GitLab makes no pipeline. */
    pipeline: (variables: Variables): readonly PipelineJob[] =>
      jobs.flatMap((name) => {
        const job = whole(name);
        const rule = job.rules?.find((one) => holds(one.if, variables));
        return rule ? [jobOf(name, job, rule.when === 'manual', variables)] : [];
      }),
  };
}

function jobOf(name: string, job: z.infer<typeof jobShape>, isManual: boolean, pipeline: Variables): PipelineJob {
  const { environment: given, stage = 'test', image = '', resource_group: group, script = [] } = job;
  const environment = given && {
    name: expanded(given.name, pipeline),
    url: given.url === undefined ? null : expanded(given.url, pipeline),
    onStop: given.on_stop ?? null,
    action: given.action ?? 'start',
  };
  const variables = {
    ...pipeline,
    ...job.variables,
    CI_JOB_NAME: name,
    ...(isManual && { CI_JOB_MANUAL: 'true' }),
    ...(environment && { CI_ENVIRONMENT_NAME: environment.name, CI_ENVIRONMENT_ACTION: environment.action }),
    ...(environment?.url && { CI_ENVIRONMENT_URL: environment.url }),
  };
  const resourceGroup = group === undefined ? null : expanded(group, pipeline);
  return { name, isManual, stage, image, resourceGroup, environment: environment ?? null, script, variables };
}

const expanded = (text: string, variables: Variables): string => text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '');

/** `$A == "text"` and `$A == $B`, joined by `&&`. A variable that is not set is null, and equals no text. */
export function holds(rule: string, variables: Variables): boolean {
  return rule.split('&&').every((part) => {
    const [, left = '', right = ''] = /^\s*\$(\w+) == (\$\w+|"[^"]*")\s*$/.exec(part) ?? [];
    if (left === '') throw new Error(`this reader does not know the rule ${part}`);
    const value = right.startsWith('$') ? variables[right.slice(1)] : right.slice(1, -1);
    return variables[left] === value;
  });
}
