import { type Call, json, route, type Shape } from '../kit/index.ts';
import { badRequest, error, notFound, projectOf, readBody, refuseWhileTransferring } from './errors.ts';
import { type Domain, type Maker, type Project, tick, type VercelState } from './state.ts';

const changeable: { readonly [name: string]: Shape } = {
  gitBranch: { nullable: 'string' },
  redirect: { nullable: 'string' },
  redirectStatusCode: { nullable: { oneOf: [301, 302, 307, 308] } },
};
const createShape: Shape = { required: ['name'], fields: { ...changeable, name: 'string', customEnvironmentId: 'string' } };
const onePath = '/v9/projects/{idOrName}/domains/{domain}';

type Changes = Partial<Pick<Domain, 'gitBranch' | 'redirect' | 'redirectStatusCode'>>;

/** Domains of a project: list, read, change and remove v9, add v10. */
export const domainRoutes = (make: Maker) => [
  route<VercelState, '/v9/projects/{idOrName}/domains'>('GET', '/v9/projects/{idOrName}/domains', (call) =>
    json(200, listAnswer(call, projectOf(call, call.params.idOrName))),
  ),

  route<VercelState, '/v10/projects/{idOrName}/domains'>('POST', '/v10/projects/{idOrName}/domains', (call) => {
    const project = projectOf(call, call.params.idOrName);
    refuseWhileTransferring(project);
    const body = readBody(call, createShape) as Changes & { readonly name: string };
    if (!/^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(body.name)) throw error(400, 'invalid_domain', `The domain "${body.name}" is not valid.`);
    checkBranch(project, body.gitBranch);
    // The status is the vendor's, its text is not confirmed (2026-11-21).
    if (call.state.projects.some(({ domains }) => domains.some(({ name }) => name === body.name))) {
      throw error(409, 'domain_already_in_use', `The domain ${body.name} is already assigned to a project.`);
    }
    const domain = make.domain(
      call.state,
      {
        name: body.name,
        gitBranch: body.gitBranch ?? null,
        redirect: body.redirect ?? null,
        redirectStatusCode: body.redirectStatusCode ?? null,
      },
      call.now,
    );
    project.domains.push(domain);
    const apex = apexOf(body.name);
    if (!call.state.teamDomains.includes(apex)) call.state.teamDomains.push(apex);
    return json(200, domainAnswer(project, domain));
  }),

  route<VercelState, typeof onePath>('GET', onePath, (call) => {
    const project = projectOf(call, call.params.idOrName);
    return json(200, domainAnswer(project, domainOf(project, call.params.domain)));
  }),

  route<VercelState, typeof onePath>('PATCH', onePath, (call) => {
    const project = projectOf(call, call.params.idOrName);
    refuseWhileTransferring(project);
    const domain = domainOf(project, call.params.domain);
    const body = readBody(call, { fields: changeable }) as Changes;
    checkBranch(project, body.gitBranch);
    Object.assign(domain, body, { updatedAt: tick(call.state, call.now) });
    return json(200, domainAnswer(project, domain));
  }),

  route<VercelState, typeof onePath>('DELETE', onePath, (call) => {
    const project = projectOf(call, call.params.idOrName);
    refuseWhileTransferring(project);
    const domain = domainOf(project, call.params.domain);
    // Reported, its text not confirmed (alchemy-run/alchemy, 2026-11-25).
    if (project.domains.some(({ redirect }) => redirect === domain.name)) {
      throw error(409, 'domain_is_redirect', `Another domain of the project redirects to ${domain.name}.`);
    }
    project.domains.splice(project.domains.indexOf(domain), 1);
    return json(200, {});
  }),
];

function domainOf(project: Project, name: string): Domain {
  const domain = project.domains.find((one) => one.name === name);
  if (!domain) throw notFound('Domain not found.');
  return domain;
}

function checkBranch({ repository }: Project, branch: string | null | undefined): void {
  if (branch === undefined || branch === null) return;
  if (!repository || !Object.hasOwn(repository.heads, branch))
    throw badRequest(`Branch "${branch}" not found in the connected Git repository.`);
}

const apexOf = (name: string): string => name.split('.').slice(-2).join('.');

function domainAnswer(project: Project, domain: Domain): Record<string, unknown> {
  const apexName = apexOf(domain.name);
  return {
    name: domain.name,
    apexName,
    projectId: project.id,
    gitBranch: domain.gitBranch,
    redirect: domain.redirect,
    redirectStatusCode: domain.redirectStatusCode,
    createdAt: domain.createdAt,
    updatedAt: domain.updatedAt,
    verified: domain.verified,
    ...(!domain.verified && {
      verification: [{ type: 'TXT', domain: `_vercel.${apexName}`, value: domain.challenge, reason: 'pending_domain_verification' }],
    }),
  };
}

function listAnswer({ query }: Call<VercelState, unknown>, project: Project): unknown {
  const limit = Number(query.get('limit') ?? '20');
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw badRequest('Invalid request: `limit` should be between 1 and 100.');
  const until = query.get('until');
  const all = project.domains
    .filter((one) => [null, one.gitBranch].includes(query.get('gitBranch')) && (until === null || one.createdAt < Number(until)))
    .toReversed();
  const page = all.slice(0, limit);
  return {
    domains: page.map((one) => domainAnswer(project, one)),
    pagination: {
      count: page.length,
      next: all.length > page.length ? (page.at(-1)?.createdAt ?? null) : null,
      prev: page[0]?.createdAt ?? null,
    },
  };
}
