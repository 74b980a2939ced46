import type { ServerResponse } from 'node:http';
import type { LogEntry } from '../kit/types.ts';
import { objectsIn } from './objects.ts';
import type { Provider } from './providers.ts';
import type { ProviderShown, RequestShown, Told } from './told.ts';

/** Requests that a page which opens now is told of. */
const remembered = 300;

/** What happens in the sandbox, for every page that is open. */
export class Feed {
  readonly #providers: readonly Provider[];
  readonly #requests: RequestShown[] = [];
  readonly #listeners = new Set<ServerResponse>();
  #count = 0;

  constructor(providers: readonly Provider[]) {
    this.#providers = providers;
  }

  /** Opens the stream of events of one page. It begins with all that there is. */
  open(response: ServerResponse, switches: Told['switches']): void {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
    send(response, 'providers', this.#providers.map(shownOf));
    send(response, 'switches', switches);
    for (const request of this.#requests) send(response, 'request', request);
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
  }

  /** Requests that a provider has answered, and what it holds now. */
  heard(
    provider: Provider,
    entries: readonly Pick<LogEntry, 'method' | 'path' | 'status' | 'write' | 'outcome'>[],
    isNotServed: boolean,
  ): void {
    for (const { method, path, status, write, outcome } of entries) {
      const told = isNotServed ? ('not served' as const) : outcome;
      this.#count += 1;
      const request = { number: this.#count, at: Date.now(), provider: provider.name, method, path, status, write, outcome: told };
      this.#requests.push(request);
      if (this.#requests.length > remembered) this.#requests.shift();
      this.#tell('request', request);
    }
    if (entries.some(({ write }) => write)) this.changed(provider);
  }

  changed(provider: Provider): void {
    if (this.#listeners.size > 0) this.#tell('provider', shownOf(provider));
  }

  switched(switches: Told['switches']): void {
    this.#tell('switches', switches);
  }

  close(): void {
    for (const listener of this.#listeners) listener.end();
  }

  #tell<K extends keyof Told>(event: K, data: Told[K]): void {
    for (const listener of this.#listeners) send(listener, event, data);
  }
}

function send<K extends keyof Told>(response: ServerResponse, event: K, data: Told[K]): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

const shownOf = ({ name, simulation, values }: Provider): ProviderShown => ({ name, objects: objectsIn(simulation.dump()), values });
