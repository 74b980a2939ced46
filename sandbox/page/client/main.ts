import type { Told } from '../../serve/told.ts';
import { byId } from './dom.ts';
import { draw, setProvider, setProviders, use } from './providers.ts';
import { addRequest, forgetRequests } from './requests.ts';
import { setPlaces, setSwitches } from './switches.ts';

const link = byId('link', HTMLParagraphElement);
const sum = byId('sum', HTMLParagraphElement);
const stream = new EventSource('/~/events');

const hear = <K extends keyof Told>(name: K, act: (told: Told[K]) => void): void => {
  stream.addEventListener(name, (event: MessageEvent<string>) => act(JSON.parse(event.data)));
};

hear('providers', (all) => {
  sum.textContent = `${all.length} providers, simulated on this machine. Nothing leaves it.`;
  forgetRequests();
  setPlaces(all.map(({ name }) => name));
  setProviders(all);
});
hear('provider', setProvider);
hear('request', (request) => {
  addRequest(request);
  use(request.provider);
  soon();
});
hear('switches', setSwitches);

/** Many requests come at once, and the list is drawn once for them. */
let isDue = false;
function soon(): void {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    draw();
  });
}

stream.addEventListener('open', () => {
  link.textContent = 'live';
  link.dataset.is = 'live';
});
stream.addEventListener('error', () => {
  link.textContent = 'the sandbox has ended; the page waits for the next start';
  link.dataset.is = 'lost';
});
