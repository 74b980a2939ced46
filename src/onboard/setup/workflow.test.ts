import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withoutSigns } from '../../../test/support/without-signs.ts';
import type { ApiNeed } from './needs.ts';
import { type WorkflowFacts, workflowText } from './workflow.ts';

const release = { repository: 'acme-tools/pilotfish', commit: '0123456789abcdef0123456789abcdef01234567', tag: 'v9.8.7' };
const api = (name: string, environments: readonly string[]): ApiNeed => ({
  provider: name,
  title: name,
  block: null,
  setup: null,
  check: null,
  variables: [{ name, isSecret: true }],
  isUnfinished: false,
  command: null,
  byPlan: null,
  environments,
});
const both = ['preview', 'production'];
const facts: WorkflowFacts = {
  release,
  plan: null,
  needs: {
    environments: both,
    apis: [api('NEON_API_KEY', both), api('LIVE_KEY', ['production']), api('GITHUB_TOKEN', ['preview'])],
    secrets: [{ variable: 'STRIPE_KEY', lines: ['a'], environments: ['preview'] }],
    keyed: [],
  },
};
const text = workflowText(facts);
const workflow = parse(text);

describe('the workflow', () => {
  it('starts when a pull request is opened, changed, reopened or closed, on a deployment, and every night', () => {
    expect(workflow.on).toEqual({
      pull_request: { types: ['opened', 'synchronize', 'reopened', 'closed'] },
      deployment_status: null,
      schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }],
    });
  });

  it('may write contents and pull requests and read deployments, and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'write', 'pull-requests': 'write', deployments: 'read', statuses: 'write' });
  });

  it('has no concurrency group, which would drop a waiting destroy', () => {
    expect([workflow.concurrency, ...Object.values(workflow.jobs).map((job) => (job as { concurrency?: unknown }).concurrency)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  const event = (name: string, payload: object = {}): object => ({ event_name: name, sha: 'head', event: payload });
  const deployment = (state: string, environment: string): object =>
    event('deployment_status', { deployment_status: { state, environment }, deployment: { sha: 'deployed' } });

  it.each([
    [event('pull_request', { action: 'opened' }), true],
    [event('pull_request', { action: 'closed' }), true],
    [deployment('success', 'Preview'), true],
    [deployment('pending', 'Preview'), false],
    [deployment('failure', 'Preview'), false],
    [deployment('success', 'production'), false],
    [deployment('success', 'Production'), false],
    [deployment('success', 'PRODUCTION'), false],
    [event('schedule'), false],
    [event('push'), false],
  ])('runs a preview for %j: %s', (github, runs) => {
    expect(evaluate(workflow.jobs.preview.if, github)).toBe(runs);
  });

  it.each([
    ['pull_request', true, false],
    ['schedule', false, true],
  ])('on %s, runs the preview: %s, the sweep: %s', (name, preview, sweep) => {
    const github = event(name, { action: 'opened' });
    expect([evaluate(workflow.jobs.preview.if, github), evaluate(workflow.jobs.sweep.if, github)]).toEqual([preview, sweep]);
  });

  it('checks out the commit of the deployment, or else of the event, with the whole history', () => {
    const [checkout] = workflow.jobs.preview.steps;
    expect(checkout.uses).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
    expect(checkout.with['fetch-depth']).toBe(0);
    expect(evaluate(checkout.with.ref, deployment('success', 'Preview'))).toBe('deployed');
    expect(evaluate(checkout.with.ref, event('pull_request', { action: 'opened' }))).toBe('head');
  });

  it('uses the action of the release, by commit, and destroys when a pull request is closed', () => {
    const [, action] = workflow.jobs.preview.steps;
    expect(action.uses).toBe(`acme-tools/pilotfish/action@${release.commit}`);
    expect(text).toContain(`@${release.commit} # v9.8.7`);
    const commandFor = (github: object): unknown => evaluate(action.with.command, github);
    expect(commandFor(event('pull_request', { action: 'closed' }))).toBe('destroy');
    expect(commandFor(event('pull_request', { action: 'reopened' }))).toBe('apply');
    expect(commandFor(deployment('success', 'Preview'))).toBe('apply');
    expect(Object.keys(action.with)).toEqual(['command']);
  });

  it('sweeps the scopes of closed pull requests', () => {
    const [checkout, action] = workflow.jobs.sweep.steps;
    expect(checkout.with).toEqual({ 'fetch-depth': 0 });
    expect(action.with).toEqual({ command: 'destroy', closed: true });
  });

  it('gives each job the variables of its environment from the secrets, under names that GitHub allows', () => {
    const secret = (name: string): string => `\${{ secrets.${name} }}`;
    const expected = {
      NEON_API_KEY: secret('NEON_API_KEY'),
      GITHUB_TOKEN: secret('PILOTFISH_GITHUB_TOKEN'),
      STRIPE_KEY: secret('STRIPE_KEY'),
    };
    expect([workflow.jobs.preview.env, workflow.jobs.sweep.env]).toEqual([expected, expected]);
  });

  it('has production as a comment, which becomes a job without the comment signs', () => {
    expect(Object.keys(workflow.jobs)).toEqual(['preview', 'sweep']);
    const whole = parse(withoutSigns(text, '  # push:', '  # production:'));
    expect(whole.on).toEqual({ ...workflow.on, push: { branches: ['main'] } });
    expect(evaluate(whole.jobs.production.if, event('push'))).toBe(true);
    expect(Object.keys(whole.jobs)).toEqual(['preview', 'sweep', 'production']);
    expect(whole.jobs.production).toMatchObject({
      if: "github.event_name == 'push'",
      environment: 'production',
      env: { NEON_API_KEY: '${{ secrets.NEON_API_KEY }}', LIVE_KEY: '${{ secrets.LIVE_KEY }}' },
      permissions: { contents: 'write', 'pull-requests': 'write', deployments: 'read', actions: 'read' },
    });
    expect(whole.jobs.production.steps[1].with).toEqual({ command: 'apply', env: 'production' });
  });

  it('has the upload of the trace as a comment, which also works for a failed run without the comment signs', () => {
    expect(text.match(/trace/g)?.length).toBeGreaterThan(0);
    expect(JSON.stringify(workflow)).not.toContain('trace');
    const { steps } = parse(withoutSigns(text, '          # trace:', '      # - uses: actions/upload-artifact')).jobs.preview;
    expect(steps).toHaveLength(3);
    expect(steps[1].with.trace).toBe('pilotfish-trace');
    expect(steps[2]).toEqual({
      uses: expect.stringMatching(/^actions\/upload-artifact@[0-9a-f]{40}$/),
      if: 'always()',
      with: { name: 'pilotfish-trace-${{ github.run_attempt }}', path: steps[1].with.trace, 'if-no-files-found': 'ignore' },
    });
  });

  it('names the environments of the plan if they have other names, and gives each job its own variables', () => {
    const environments = ['staging', 'load-test', 'production-eu'];
    const apis = environments.map((name) => api(`KEY_OF_${name}`, [name]));
    const other = workflowText({ release, plan: null, needs: { environments, apis, secrets: [], keyed: [] } });
    const { jobs } = parse(withoutSigns(other, '  # push:', '  # production:'));
    expect([jobs.preview, jobs.sweep, jobs.production].map(({ env }) => Object.keys(env))).toEqual([
      ['KEY_OF_staging'],
      ['KEY_OF_staging'],
      ['KEY_OF_production-eu'],
    ]);
    expect([jobs.preview, jobs.sweep, jobs.production].map(({ steps }) => steps[1].with.env)).toEqual([
      'staging',
      'staging',
      'production-eu',
    ]);
    expect(jobs.production.environment).toBe('production-eu');
  });

  it('does not mention production if the plan has none', () => {
    const other = workflowText({ release, plan: null, needs: { environments: ['preview'], apis: [], secrets: [], keyed: [] } });
    expect(other).not.toMatch(/# production:|push:/);
    expect(Object.keys(parse(other).jobs)).toEqual(['preview', 'sweep']);
    expect(other.endsWith('closed: true\n')).toBe(true);
  });

  it('names a plan outside the root, and leaves out `env` if no variable is needed', () => {
    const other = parse(
      workflowText({ release, plan: 'apps/web/release.plan.yaml', needs: { environments: both, apis: [], secrets: [], keyed: [] } }),
    );
    expect(other.jobs.preview.steps[1].with.plan).toBe('apps/web/release.plan.yaml');
    expect(other.jobs.sweep.steps[1].with.plan).toBe('apps/web/release.plan.yaml');
    expect('env' in other.jobs.preview).toBe(false);
  });
});

/** Evaluates an expression like GitHub: `==` ignores the case of texts, `&&` and `||` give an operand, and `a.b` of nothing is nothing. */
function evaluate(expression: string, github: object): unknown {
  const words = expression.replace(/^\$\{\{|\}\}$/g, '').match(/'[^']*'|[\w.]+|==|!=|&&|\|\||[()]/g) ?? [];
  let at = 0;
  const found = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], { github });
  const one = (): unknown => {
    const word = words[at++] ?? '';
    if (word !== '(') return word.startsWith("'") ? word.slice(1, -1) : found(word);
    const inside = or();
    at += 1;
    return inside;
  };
  const fold = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
  const equal = (): unknown => {
    const left = one();
    if (words[at] !== '==' && words[at] !== '!=') return left;
    const isSame = words[at++] === '==';
    return (fold(left) === fold(one())) === isSame;
  };
  const and = (): unknown => {
    let left = equal();
    while (words[at] === '&&') {
      at += 1;
      const right = equal();
      left = left ? right : left;
    }
    return left;
  };
  const or = (): unknown => {
    let left = and();
    while (words[at] === '||') {
      at += 1;
      const right = and();
      left = left ? left : right;
    }
    return left;
  };
  return or();
}
