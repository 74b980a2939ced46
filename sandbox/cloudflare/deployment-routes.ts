import { type Kit, route } from '../kit/index.ts';
import { type PagesDeployment, shownDeployment } from './deployments.ts';
import { refusal, success } from './envelope.ts';
import { type ProjectCall, projectOf } from './pages.ts';

const path = '/client/v4/accounts/{account}/pages/projects/{project}/deployments';

/** Deployments of a project, newest first: https://developers.cloudflare.com/api/resources/pages/subresources/projects/subresources/deployments/. */
export const deploymentRoutes = ({ faults }: Kit) => [
  route('GET', path, (call: ProjectCall) => {
    const project = projectOf(call);
    const { query } = call;
    const size = Number(query.get('per_page') ?? 25);
    const page = Number(query.get('page') ?? 1);
    if (size > 25) throw refusal(400, 8000024, 'Invalid list options provided. Review the `page` or `per_page` parameter.');
    const env = query.get('env');
    const all = project.deployments.filter(({ environment }) => env === null || environment === env).toReversed();
    const shown = all.slice((page - 1) * size, page * size);
    for (const one of shown) moveOn(one, faults.pollsUntilReady);
    return success(
      shown.map((one) => shownDeployment(project, one)),
      { result_info: { page, per_page: size, count: shown.length, total_count: all.length, total_pages: Math.ceil(all.length / size) } },
    );
  }),
];

/** Queued and built for a read each, or for as many as the test says. */
function moveOn(one: PagesDeployment, polls: number): void {
  if (one.isHeld || one.status === 'success' || one.status === 'failure' || one.status === 'canceled') return;
  one.polls += 1;
  const isLive = one.polls > polls;
  Object.assign(one, isLive ? { stage: 'deploy', status: 'success' } : { stage: 'build', status: 'active' });
}
