import {
  bearerOf,
  type Call,
  flawsOf,
  json,
  makeKit,
  Refusal,
  type Reply,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A channel as the service stores it. */
export interface FirebaseChannel {
  /** `projects/<number>/sites/<site>/channels/<id>`. */
  readonly name: string;
  readonly url: string;
  readonly createTime: string;
  updateTime: string;
  expireTime?: string;
  labels?: Record<string, string>;
  retainedReleaseCount: number;
}

export interface FirebaseSite {
  readonly project: string;
  channels: FirebaseChannel[];
}

export interface FirebaseState {
  /** `null` where the caller may see nothing. */
  sites: Record<string, FirebaseSite> | null;
  channelLimit: number;
}

export interface FirebaseWorld {
  readonly state: FirebaseState;
  addSite(project: string, site: string): void;
  addChannel(site: string, id: string, given?: Partial<FirebaseChannel>): FirebaseChannel;
  /** Live: changing one is a change from outside. */
  channels(site: string): readonly FirebaseChannel[];
  removeChannel(site: string, id: string): void;
}

const projectNumber = '481516234200';
const list = '/v1beta1/projects/{project}/sites/{site}/channels';
const one = `${list}/{channel}`;

/**
 * Preview channels of a site: https://firebase.google.com/docs/reference/hosting/rest/v1beta1/sites.channels (revision 20260920). The
 * limit is what users of the vendor's action report (FirebaseExtended/action-hosting-deploy 400, read 2026-11-21); its status is not
 * told anywhere, and is that of RESOURCE_EXHAUSTED.
 */
export function firebaseHosting(options: SimulationOptions = {}): Simulation<FirebaseWorld> {
  const kit = makeKit('firebase-hosting', options);
  const state: FirebaseState = { sites: {}, channelLimit: 50 };
  const made = (site: string, id: string, given: Partial<FirebaseChannel>): FirebaseChannel => {
    const now = new Date(kit.clock.now()).toISOString();
    return {
      name: `projects/${projectNumber}/sites/${site}/channels/${id}`,
      url: id === 'live' ? `https://${site}.web.app` : `https://${site}--${id.toLowerCase()}-a1b2c3d4.web.app`,
      createTime: now,
      updateTime: now,
      retainedReleaseCount: 10,
      ...given,
    };
  };

  return simulate<FirebaseState, FirebaseWorld>(kit, {
    name: 'firebase-hosting',
    origin: 'https://firebasehosting.googleapis.com',
    basePath: '/v1beta1',
    state,
    blind: () => ({ sites: null, channelLimit: 50 }),
    world: (live) => ({
      state: live,
      addSite: (project, site) => {
        live.sites = { ...live.sites, [site]: { project, channels: [made(site, 'live', {})] } };
      },
      addChannel: (site, id, given = {}) => {
        const channel = made(site, id, given);
        live.sites?.[site]?.channels.push(channel);
        return channel;
      },
      channels: (site) => live.sites?.[site]?.channels ?? [],
      removeChannel: (site, id) => {
        const found = live.sites?.[site];
        if (found) found.channels = found.channels.filter((channel) => idOf(channel) !== id);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only' ? denied() : failure(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
    routes: [
      route('GET', list, (call) => {
        const { channels } = siteOf(call);
        const size = Math.min(Number(call.query.get('pageSize') ?? 10), 100);
        const start = Number(call.query.get('pageToken') ?? 0);
        if (!Number.isInteger(size) || size < 0 || !Number.isInteger(start)) throw bad('Invalid page size or token.');
        const end = start + (size === 0 ? 10 : size);
        return json(200, { channels: channels.slice(start, end), ...(end < channels.length && { nextPageToken: String(end) }) });
      }),
      route('POST', list, (call) => {
        const site = siteOf(call);
        const id = call.query.get('channelId') ?? '';
        if (!/^[A-Za-z0-9-]{1,63}$/.test(id)) throw bad(`Invalid channel ID ${id}.`);
        const fields = fieldsOf(call);
        if (site.channels.some((channel) => idOf(channel) === id))
          throw new Refusal(failure(409, 'ALREADY_EXISTS', `Channel ${id} already exists.`));
        if (site.channels.length >= call.state.channelLimit)
          throw new Refusal(failure(429, 'RESOURCE_EXHAUSTED', `Couldn't create channel on ${call.params.site}: channel quota reached.`));
        const channel = made(call.params.site, id, fields);
        site.channels.push(channel);
        return json(200, channel);
      }),
      route('GET', one, (call) => json(200, channelOf(call))),
      route('PATCH', one, (call) => {
        const channel = channelOf(call);
        const fields = fieldsOf(call);
        const mask = (call.query.get('updateMask') ?? '').split(',').filter((name) => name !== '');
        if (mask.length === 0) throw bad('updateMask is required.');
        for (const name of mask) change(channel, name, fields);
        channel.updateTime = new Date(call.now).toISOString();
        return json(200, channel);
      }),
      route('DELETE', one, (call) => {
        const site = siteOf(call);
        const channel = channelOf(call);
        if (idOf(channel) === 'live') throw bad('The live channel cannot be deleted.');
        site.channels = site.channels.filter((other) => other !== channel);
        return json(200, {});
      }),
    ],
  });
}

type ChannelCall = Call<FirebaseState, { readonly project: string; readonly site: string; readonly channel?: string }>;
type Fields = Partial<Pick<FirebaseChannel, 'labels' | 'retainedReleaseCount' | 'expireTime'>>;

const idOf = ({ name }: FirebaseChannel): string => name.split('/').at(-1) ?? '';

const failure = (code: number, status: string, message: string): Reply => json(code, { error: { code, message, status } });
const bad = (message: string): Refusal => new Refusal(failure(400, 'INVALID_ARGUMENT', message));
const absent = (): Refusal => new Refusal(failure(404, 'NOT_FOUND', 'Requested entity was not found.'));
const denied = (): Reply => failure(403, 'PERMISSION_DENIED', 'The caller does not have permission');

function siteOf({ state, params }: ChannelCall): FirebaseSite {
  if (state.sites === null) throw new Refusal(denied());
  const site = state.sites[params.site];
  if (!site || ![site.project, '-', projectNumber].includes(params.project)) throw absent();
  return site;
}

function channelOf(call: ChannelCall): FirebaseChannel {
  const found = siteOf(call).channels.find((channel) => idOf(channel) === call.params.channel);
  if (!found) throw absent();
  return found;
}

/** What a body says; a duration becomes the moment that it ends. */
function fieldsOf(call: ChannelCall): Fields {
  const fields = {
    name: 'string',
    ttl: 'string',
    expireTime: 'string',
    labels: { values: 'string' },
    retainedReleaseCount: 'integer',
  } as const;
  const [flaw] = flawsOf(call.body, { fields });
  if (flaw || !isMap(call.body)) throw bad(`Invalid JSON payload received${flaw ? ` at ${flaw.at}` : ''}.`);
  const { ttl, expireTime, labels, retainedReleaseCount: count } = call.body;
  if (typeof count === 'number' && (count < 1 || count > 100)) throw bad('retainedReleaseCount must be between 1 and 100.');
  const seconds = typeof ttl === 'string' ? /^(\d+)(?:\.\d+)?s$/.exec(ttl)?.[1] : undefined;
  if (ttl !== undefined && seconds === undefined) throw bad('Invalid duration.');
  const end = seconds === undefined ? expireTime : new Date(call.now + Number(seconds) * 1000).toISOString();
  return {
    ...(typeof end === 'string' && { expireTime: end }),
    ...(isMap(labels) && { labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)])) }),
    ...(typeof count === 'number' && { retainedReleaseCount: count }),
  };
}

/** What the mask names and the body lacks is emptied. */
function change(channel: FirebaseChannel, name: string, { labels, retainedReleaseCount, expireTime }: Fields): void {
  if (name === 'labels') Object.assign(channel, { labels });
  else if (name === 'retainedReleaseCount') channel.retainedReleaseCount = retainedReleaseCount ?? 10;
  else if (name === 'ttl' || name === 'expireTime') Object.assign(channel, { expireTime });
  else throw bad(`Invalid field mask: ${name}.`);
}
