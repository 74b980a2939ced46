import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Body } from '../../http/types.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import type { Desired, Io, ObjectBound, Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { type Live, unreadable } from '../../remote/live-object.ts';
import { identityText, Kept, Pending, PendingValue, type Value } from '../../remote/value.ts';
import { type App, answeredApp, appPath, appsNamed, findByName, newestDeployment, readApp, readDeployment } from './api.ts';
import { standingOf } from './deployment.ts';
import { seenAs } from './spec-compare.ts';
import { mergeSpec, withHidden } from './spec-merge.ts';
import { type Parted, partSpec, type SpecValue, sentSpec, standsAt, webKinds } from './spec-parts.ts';

/** Seconds to wait: a build from source takes minutes. */
const patience = 900;
const namePattern = '^[a-z][a-z0-9-]{0,30}[a-z0-9]$';

/**
 * An app from a whole spec. The line waits until the app is deployed. Its name is its identity within the account. The declared part of
 * the spec is compared. An update sends the provider's spec with the declared part in it, and starts a deployment.
 */
export const app: Op = {
  kind: 'object',
  doc: 'An app of App Platform from a whole spec. The line waits until it is deployed. Values of secret variables are not compared with the live ones.',
  notes: [
    'An update replaces the spec and starts a deployment. Members that the line does not name stay as they are. A list that the line names loses the entries that it does not name.',
    'DigitalOcean makes up the address of an app when it deploys the app. Where a variable of the spec needs the address, as that of a webhook with its secret, give the app a domain of yours in `domains` of the spec, and use that domain.',
    'Values of secret variables come back encrypted, so a change in the console is not seen. A change in the plan is seen.',
  ],
  quota: {
    limit: 'An account holds a limited number of apps, which DigitalOcean raises on request.',
    // The description names neither status nor words (2026-11-21).
    answers: [400, 403, 422].map((status) => ({ method: 'POST', status, match: { '/message': { contains: 'limit' } } })),
  },
  subject: ['{name}', '{spec.name}'],
  console: { page: 'https://cloud.digitalocean.com/apps/{id}' },
  params: {
    name: {
      type: 'string',
      pattern: namePattern,
      doc: 'Name of the app, unique in the account: 2 to 32 lower-case letters, digits and dashes. The `name` of the spec when left out.',
      example: 'shop-${ctx.scope}',
    },
    spec: {
      type: 'map',
      required: true,
      templates: true,
      doc: 'The app spec as in `.do/app.yaml`. Members that it does not name stay as they are. Give secret variables `type: SECRET` and a `{ secret }` or `{ from }` as value.',
      example: {
        region: 'fra',
        services: [{ name: 'web', image: { registry_type: 'DOCR', repository: 'shop', tag: '${ctx.scope}' }, http_port: 8080 }],
      },
    },
    timeout: timeoutParam(patience),
  },
  outputs: {
    id: { doc: 'Id of the app.' },
    name: { doc: 'Name of the app.' },
    live_url: { doc: 'The address of the app; an app of workers only has none.' },
    default_ingress: { doc: 'Address of the app at DigitalOcean, beside domains of its own.' },
  },
  bind(params) {
    return new AppLine(nameOf(params.name, params.spec), params.spec, timeoutOf(params, patience));
  },
};

/** The data that `ready` needs again. */
interface Raw {
  readonly app: App;
  /** The deployment that the last write started, `null` where the answer names none. */
  readonly deployment: string | null;
}

class AppLine implements ObjectBound {
  readonly kind = 'object';
  /** Names are unique in the account. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly string[];
  readonly timeout: number;
  readonly #name: string;
  readonly #spec: SpecValue;
  readonly #parted: Parted;

  constructor(name: string, spec: Value | undefined, timeout: number) {
    this.#name = name;
    this.timeout = timeout;
    const { name: _, ...rest } = isSpec(spec) ? spec : {};
    this.#spec = rest;
    this.#parted = partSpec(rest);
    this.key = `/v2/apps[name=${name}]`;
    this.fields = {
      spec: spec instanceof Kept || spec instanceof Pending ? spec : this.#parted.shown,
      ...Object.fromEntries(this.#parted.hidden.map(({ place, value }) => [place, value])),
    };
    this.problems = [
      ...this.#parted.problems,
      ...(new RegExp(namePattern).test(name)
        ? []
        : [
            `The name ${JSON.stringify(name)} does not fit: 2 to 32 lower-case letters, digits and dashes, a letter first and no dash last.`,
          ]),
    ];
    this.reach = { kind: 'object', find: findByName(name), remove: { method: 'DELETE', path: '/v2/apps/{id}' } };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const found = await appsNamed(io, this.#name);
    return found.map((item) => this.#live(parseAnswer(answeredApp, { app: item }, `digitalocean lists the app ${this.#name}`).app));
  }

  async create(io: Io): Promise<Live> {
    return await this.#write(io, 'POST', '/v2/apps', sentSpec(this.#spec));
  }

  async update(io: Io, live: Live, _desired: Desired, changed: readonly string[]): Promise<Live> {
    // The look may be minutes old, and a write from it would undo newer changes of others.
    const now = await readApp(io, live.id);
    const planned = mergeSpec(now.spec, sentSpec(this.#spec));
    return await this.#write(io, 'PUT', appPath(live.id), io.leaves?.includes('spec') ? this.#beside(now, changed) : planned);
  }

  /** Gives the spec as others changed it, with new values in the places that nobody can read. */
  #beside({ spec }: App, changed: readonly string[]): { readonly [name: string]: Body } {
    const hidden = this.#parted.hidden.filter(({ place }) => changed.includes(place));
    const gone = hidden.find(({ path }) => !standsAt(spec, path));
    if (!gone) return withHidden(spec, hidden);
    throw new Failure('PARAM_INVALID', {
      detail: `Others took ${gone.place} out of the app ${this.#name}, which the line leaves (\`drift: report\`), and the plan gives it another value.`,
      fix: 'Give the line `drift: put-back`, or take the variable out of the plan.',
    });
  }

  /** Ready when the deployment of the last write is active, and the address of the app is known. */
  async ready(io: Io, live: Live): Promise<Readiness> {
    const own = isRaw(live.raw) ? live.raw.deployment : null;
    const started = own === null ? null : await readDeployment(io, live.id, own);
    // After somebody else's push the newest deployment will serve.
    const standing = started && standingOf(started, this.#name);
    const newest = standing === null || standing.state === 'superseded' ? await newestDeployment(io, live.id) : started;
    if (newest === null) return wait('waiting for its first deployment');
    const now = standingOf(newest, this.#name);
    if (now.state === 'wait' || now.state === 'failed') return now;
    if (now.state === 'superseded') return wait('waiting for a newer deployment');
    const app = await readApp(io, live.id);
    const known = this.#live(app);
    const hasAddress = webKinds.some((kind) => Array.isArray(app.spec[kind]) && app.spec[kind].length > 0);
    return hasAddress && known.outputs.live_url === undefined ? wait('waiting for its address') : { state: 'ready', live: known };
  }

  async #write(io: Io, method: 'POST' | 'PUT', path: string, spec: { readonly [name: string]: Body }): Promise<Live> {
    const request = { method, path, body: { spec: { ...spec, name: this.#name } } } as const;
    const options = { purpose: 'write', signal: io.signal, ...(method === 'POST' && { retry: 'none' as const }) } as const;
    try {
      const { app } = await ask(io.http, request, options, answeredApp);
      return this.#live(app);
    } catch (thrown) {
      throw explained(thrown, this.#name);
    }
  }

  #live(app: App): Live {
    const { shown, hidden } = this.#parted;
    const secrets = hidden.filter(({ path }) => standsAt(app.spec, path)).map(({ place }) => [place, unreadable] as const);
    const raw: Raw = { app, deployment: app.pending_deployment?.id ?? app.in_progress_deployment?.id ?? null };
    return {
      id: app.id,
      values: { spec: seenAs(shown, app.spec), ...Object.fromEntries(secrets) },
      outputs: {
        id: app.id,
        name: this.#name,
        ...(app.live_url && { live_url: app.live_url }),
        ...(app.default_ingress && { default_ingress: app.default_ingress }),
      },
      ...(app.created_at !== undefined && { createdAt: app.created_at }),
      raw,
    };
  }
}

const wait = (detail: string): Readiness => ({ state: 'wait', detail });
const isSpec = (value: Value | undefined): value is SpecValue => isMap(value);
const isRaw = (raw: unknown): raw is Raw => isMap(raw) && Object.hasOwn(raw, 'deployment');

function nameOf(name: Value | undefined, spec: Value | undefined): string {
  if (spec instanceof Pending && name === undefined) throw new PendingValue(spec);
  const within = isSpec(spec) ? spec.name : undefined;
  if (name === undefined && within === undefined) {
    throw new Failure('PARAM_INVALID', {
      detail: 'The line has neither `name` nor a name in `spec`, so nothing identifies its app.',
      fix: 'Add `name: <name>` to the line, with the scope in it.',
    });
  }
  const text = identityText(name ?? within, 'name');
  if (name !== undefined && within !== undefined && identityText(within, 'spec.name') !== text) {
    throw new Failure('PARAM_INVALID', {
      detail: `The line names the app ${text}, but its spec gives another name.`,
      fix: 'Remove one of the two names.',
    });
  }
  return text;
}

const said = z.object({ message: z.string() });

/** The error of a refused create or update, with the fix where the source of the app is the reason. */
export function explained(thrown: unknown, name: string): unknown {
  if (!(thrown instanceof HttpFailure) || thrown.unanswered || thrown.status === null) return thrown;
  const message = said.safeParse(thrown.body).data?.message ?? '';
  if ([400, 422].includes(thrown.status) && /\b(github|gitlab|bitbucket)\b/i.test(message)) {
    return new Failure('PROVIDER_INVALID', {
      detail: `The app ${name} takes its source from a repository that DigitalOcean cannot reach. ${thrown.detail}`,
      fix: 'Give DigitalOcean access to the repository at https://cloud.digitalocean.com/apps/github/install (or the page of your code host), or deploy an image.',
      cause: thrown,
      status: thrown.status,
    });
  }
  return thrown;
}
