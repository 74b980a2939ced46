import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withoutSigns } from '../../../test/support/without-signs.ts';
import type { ApiNeed } from './needs.ts';
import { minuteOf, type WorkflowFacts, workflowText } from './workflow.ts';

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
  repository: 'acme/shop',
  defaultBranch: 'trunk',
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
  it('starts for a pull request, for each close, for a deployment, each hour, after a push to the default branch, and by hand', () => {
    expect(workflow.on).toEqual({
      pull_request: { types: ['opened', 'synchronize', 'reopened'] },
      pull_request_target: { types: ['closed'] },
      deployment_status: null,
      push: { branches: ['trunk'] },
      schedule: [{ cron: `${minuteOf('acme/shop')} * * * *` }],
      workflow_dispatch: null,
    });
  });

  it('sweeps at an odd minute that follows from the repository, and not all repositories at the same one', () => {
    const minutes = Array.from({ length: 500 }, (_, i) => minuteOf(`acme/shop-${i}`));
    expect(minutes.filter((minute) => minute % 2 === 0 || minute < 5 || minute > 59)).toEqual([]);
    expect(new Set(minutes).size).toBe(28);
    expect(minuteOf('Acme/Shop')).toBe(minuteOf('acme/shop'));
  });

  it('gives each job no more than it needs', () => {
    expect(workflow.permissions).toEqual({});
    const { preview, close, sweep } = workflow.jobs;
    expect([preview.permissions, close.permissions, sweep.permissions]).toEqual([
      { contents: 'write', 'pull-requests': 'write', deployments: 'read', statuses: 'write' },
      { contents: 'write', 'pull-requests': 'write' },
      { contents: 'write', 'pull-requests': 'write' },
    ]);
  });

  it('checks out the default branch wherever it has secrets for the pull requests of everybody', () => {
    const branch = '${{ github.event.repository.default_branch }}';
    for (const name of ['close', 'sweep']) {
      expect(workflow.jobs[name].steps[0].with).toEqual({ ref: branch, 'fetch-depth': 1 });
      expect(JSON.stringify(workflow.jobs[name])).not.toMatch(/head|github\.sha|run":/);
    }
  });

  it('has no concurrency group, which would drop a waiting destroy', () => {
    expect([workflow.concurrency, ...Object.values(workflow.jobs).map((job) => (job as { concurrency?: unknown }).concurrency)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  const event = (name: string, payload: object = {}): object => ({ event_name: name, sha: 'head', event: payload });
  const deployment = (state: string, environment: string): object =>
    event('deployment_status', { deployment_status: { state, environment }, deployment: { sha: 'deployed' } });

  it.each([
    [event('pull_request', { action: 'opened' }), ['preview']],
    [event('pull_request_target', { action: 'closed' }), ['close']],
    [deployment('success', 'Preview'), ['preview']],
    [deployment('pending', 'Preview'), []],
    [deployment('failure', 'Preview'), []],
    [deployment('success', 'production'), []],
    [deployment('success', 'Production'), []],
    [deployment('success', 'PRODUCTION'), []],
    [event('schedule'), ['sweep']],
    [event('push'), ['sweep']],
    [event('workflow_dispatch'), ['sweep']],
  ])('runs for %j the jobs %j', (github, runs) => {
    expect(Object.keys(workflow.jobs).filter((name) => evaluate(workflow.jobs[name].if, github) === true)).toEqual(runs);
  });

  it('checks out the commit of the deployment, or else of the event, and no other branch', () => {
    const [checkout] = workflow.jobs.preview.steps;
    expect(checkout.uses).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
    expect(checkout.with['fetch-depth']).toBe(1);
    expect(evaluate(checkout.with.ref, deployment('success', 'Preview'))).toBe('deployed');
    expect(evaluate(checkout.with.ref, event('pull_request', { action: 'opened' }))).toBe('head');
  });

  it('uses the action of the release, by commit', () => {
    const steps = Object.values<{ steps: { uses: string }[] }>(workflow.jobs).map((job) => job.steps[1]?.uses);
    expect(new Set(steps)).toEqual(new Set([`acme-tools/pilotfish/action@${release.commit}`]));
    expect(text).toContain(`@${release.commit} # v9.8.7`);
  });

  it('applies for a pull request and prunes what left its plan, destroys at its close, and sweeps the scopes of closed ones', () => {
    const { preview, close, sweep } = workflow.jobs;
    expect([preview, close, sweep].map(({ steps }) => steps[1].with)).toEqual([
      { command: 'apply', prune: true },
      { command: 'destroy' },
      { command: 'destroy', closed: true, expired: true },
    ]);
  });

  it('gives each job the variables of its environment from the secrets, under names that GitHub allows', () => {
    const secret = (name: string): string => `\${{ secrets.${name} }}`;
    const expected = {
      NEON_API_KEY: secret('NEON_API_KEY'),
      GITHUB_TOKEN: secret('PILOTFISH_GITHUB_TOKEN'),
      STRIPE_KEY: secret('STRIPE_KEY'),
    };
    const { preview, close, sweep } = workflow.jobs;
    expect([preview.env, close.env, sweep.env]).toEqual([expected, expected, expected]);
  });

  it('has production as a comment, which becomes a job without the comment signs', () => {
    expect(Object.keys(workflow.jobs)).toEqual(['preview', 'close', 'sweep']);
    const whole = parse(withoutSigns(text, '  # production:'));
    expect(whole.on).toEqual(workflow.on);
    expect(evaluate(whole.jobs.production.if, event('push'))).toBe(true);
    expect(Object.keys(whole.jobs)).toEqual(['preview', 'close', 'sweep', 'production']);
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
    const other = workflowText({ ...facts, needs: { environments, apis, secrets: [], keyed: [] } });
    const { jobs } = parse(withoutSigns(other, '  # production:'));
    expect([jobs.preview, jobs.close, jobs.sweep, jobs.production].map(({ env }) => Object.keys(env))).toEqual([
      ['KEY_OF_staging'],
      ['KEY_OF_staging'],
      ['KEY_OF_staging'],
      ['KEY_OF_production-eu'],
    ]);
    expect([jobs.preview, jobs.close, jobs.sweep, jobs.production].map(({ steps }) => steps[1].with.env)).toEqual([
      'staging',
      'staging',
      'staging',
      'production-eu',
    ]);
    expect(jobs.production.environment).toBe('production-eu');
  });

  it('does not mention production if the plan has none', () => {
    const other = workflowText({ ...facts, needs: { environments: ['preview'], apis: [], secrets: [], keyed: [] } });
    expect(other).not.toMatch(/# production:/);
    expect(Object.keys(parse(other).jobs)).toEqual(['preview', 'close', 'sweep']);
    expect(other.endsWith('expired: true\n')).toBe(true);
  });

  it('names a plan outside the root, and leaves out `env` if no variable is needed', () => {
    const other = parse(
      workflowText({ ...facts, plan: 'apps/web/release.plan.yaml', needs: { environments: both, apis: [], secrets: [], keyed: [] } }),
    );
    for (const name of ['preview', 'close', 'sweep']) expect(other.jobs[name].steps[1].with.plan).toBe('apps/web/release.plan.yaml');
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
