import type { Simulation } from '../kit/types.ts';
import type { Body } from './body.ts';

/** A request on its way to the provider. */
export interface Heard {
  readonly method: string;
  readonly url: URL;
  readonly body: Body;
}

/** An answer on its way back. */
export interface Told {
  readonly status: number;
  readonly body: Body;
}

/** What an answer belongs to. */
export interface Asked {
  /** As the provider took it. */
  readonly request: Heard;
  readonly isWrite: boolean;
}

/** What stands between a client and a provider, and speaks for the provider. */
export interface Wire {
  /** The request as the provider takes it; an answer in its place is the provider's refusal. */
  hear?(request: Heard): Heard | Told;
  tell?(answer: Told, asked: Asked): Told;
}

export interface Tapped {
  /** Messages that the wire changed: answers, and requests where it changes no answers. */
  times: number;
}

/** The simulation stays as it is, and speaks through the wire. */
export function tap(simulation: Simulation, wire: Wire): Tapped {
  const { handle } = simulation;
  const tapped: Tapped = { times: 0 };
  const answerIn = async (request: Request, signed?: Request): Promise<Response> => {
    const sent = await heardOf(request);
    const taken = wire.hear?.(sent) ?? sent;
    if ('status' in taken) {
      tapped.times += 1;
      return responseOf(taken, new Headers());
    }
    if (taken !== sent && wire.tell === undefined) tapped.times += 1;
    const answer = await handle(taken === sent ? requestOf(sent, request) : requestOf(taken, request), signed ?? requestOf(sent, request));
    const told: Told = { status: answer.status, body: { type: answer.headers.get('content-type') ?? '', text: await answer.text() } };
    const other = wire.tell?.(told, { request: taken, isWrite: simulation.log.at(-1)?.write === true }) ?? told;
    if (other !== told && (other.status !== told.status || other.body.text !== told.body.text)) tapped.times += 1;
    return responseOf(other, answer.headers);
  };
  Object.assign(simulation, { handle: answerIn });
  return tapped;
}

async function heardOf(request: Request): Promise<Heard> {
  const body = { type: request.headers.get('content-type') ?? '', text: await request.clone().text() };
  return { method: request.method, url: new URL(request.url), body };
}

function requestOf({ method, url, body }: Heard, { headers, signal }: Request): Request {
  return new Request(url, { method, headers, signal, ...(body.text !== '' && { body: body.text }) });
}

function responseOf({ status, body }: Told, headers: Headers): Response {
  const own = new Headers(headers);
  if (body.type !== '') own.set('content-type', body.type);
  return new Response(body.text === '' ? null : body.text, { status, headers: own });
}
