import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gitlabPipelineText, type PipelineFacts } from './gitlab-pipeline.ts';

const release = { repository: 'acme-tools/pilotfish', commit: '0123456789abcdef0123456789abcdef01234567', tag: 'v9.8.7' };
const facts: PipelineFacts = { release, needs: { environments: ['preview', 'production'], name: null }, plan: null };
const jobs = (change: Partial<PipelineFacts> = {}): Record<string, Record<string, unknown>> =>
  parse(gitlabPipelineText({ ...facts, ...change }));

/** The arguments that the program gets from the last line of a script. */
function argumentsOf(script: unknown): readonly string[] {
  const line = Array.isArray(script) ? String(script.at(-1)) : '';
  const env = { PATH: process.env.PATH ?? '', CI_ENVIRONMENT_NAME: 'preview/12', GITLAB_USER_LOGIN: 'ann' };
  return execFileSync('sh', ['-c', `npx() { printf '%s\\n' "$@"; }\n${line}`], { env, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

describe('the pipeline for GitLab', () => {
  it('is the template of the examples, pinned to its release', () => {
    const example = readFileSync(join(import.meta.dirname, '../../../examples/ci/gitlab/.gitlab-ci.yml'), 'utf8');
    const template = parse(example.replaceAll('pilotfish@0.1 ', 'pilotfish@9.8.7 '));
    delete template.pilotfish_preview.environment.url;
    expect(jobs()).toEqual(template);
  });

  it('gives the program the facts of the job', () => {
    const { pilotfish_preview, pilotfish_stop, pilotfish_sweep, pilotfish_production } = jobs();
    const ours = ['--yes', 'pilotfish@9.8.7', 'apply'];
    expect(argumentsOf(pilotfish_preview?.script)).toEqual([...ours, '--comment']);
    expect(argumentsOf(pilotfish_stop?.script)).toEqual([...ours, '--destroy', '--pr', '12', '--comment']);
    expect(argumentsOf(pilotfish_sweep?.script)).toEqual([...ours, '--destroy', '--closed', '--expired']);
    expect(argumentsOf(pilotfish_production?.script)).toEqual([...ours, '--env', 'production', '--approved-by', 'ann']);
  });

  it('names the environments of the plan if they have other names', () => {
    const { pilotfish_preview, pilotfish_stop, pilotfish_sweep, pilotfish_production } = jobs({
      needs: { environments: ['staging', 'production-eu'], name: null },
    });
    for (const job of [pilotfish_preview, pilotfish_stop, pilotfish_sweep])
      expect(argumentsOf(job?.script).join(' ')).toContain('--env staging');
    expect(pilotfish_preview?.environment).toMatchObject({ name: 'staging/$CI_MERGE_REQUEST_IID' });
    expect(pilotfish_stop?.environment).toMatchObject({ name: 'staging/$CI_MERGE_REQUEST_IID' });
    expect(argumentsOf(pilotfish_production?.script)).toContain('production-eu');
    expect(pilotfish_production?.environment).toEqual({ name: 'production-eu' });
  });

  it('has no job for production if the plan has none', () => {
    expect(Object.keys(jobs({ needs: { environments: ['preview'], name: null } }))).toEqual([
      '.pilotfish',
      'pilotfish_preview',
      'pilotfish_stop',
      'pilotfish_sweep',
    ]);
  });

  it.each(['apps/web/release.plan.yaml', "a b's: 1 #x/release.plan.yaml", 'ü"$HOME`x`.yaml'])('names the plan %s', (plan) => {
    const { pilotfish_preview, pilotfish_stop, pilotfish_sweep, pilotfish_production } = jobs({ plan });
    for (const job of [pilotfish_preview, pilotfish_sweep, pilotfish_production])
      expect(argumentsOf(job?.script).join('\n')).toContain(`--plan\n${plan}`);
    expect(pilotfish_stop?.variables).toEqual({ GIT_STRATEGY: 'none' });
  });

  it('reads a named plan when it destroys, because another plan may have the same scope', () => {
    const { pilotfish_stop } = jobs({ plan: 'apps/web/release.plan.yaml', needs: { ...facts.needs, name: 'web' } });
    expect(pilotfish_stop?.variables).toBeUndefined();
    expect(pilotfish_stop?.script).toHaveLength(1);
    expect(argumentsOf(pilotfish_stop?.script)).toEqual([
      '--yes',
      'pilotfish@9.8.7',
      'apply',
      '--destroy',
      '--plan',
      'apps/web/release.plan.yaml',
      '--pr',
      '12',
      '--comment',
    ]);
  });
});
