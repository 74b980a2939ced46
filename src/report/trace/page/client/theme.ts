import { el } from './dom.ts';
import { forgetPalette } from './palette.ts';
import type { Store } from './store.ts';

const schemes = ['system', 'light', 'dark'] as const;
type Scheme = (typeof schemes)[number];
const words: { readonly [scheme in Scheme]: string } = { system: 'auto', light: 'light', dark: 'dark' };
const key = 'pilotfish-trace-scheme';

/** The switch between light, dark and the scheme of the system. */
export function schemeSwitch(store: Store): HTMLButtonElement {
  let scheme = remembered();
  const button = el('button', { type: 'button', class: 'quiet', onclick: () => next() });
  const show = (): void => {
    if (scheme === 'system') delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = scheme;
    button.textContent = `Colours: ${words[scheme]}`;
    forgetPalette();
    store.set({ look: store.view.look + 1 });
  };
  const next = (): void => {
    scheme = schemes[(schemes.indexOf(scheme) + 1) % schemes.length] ?? 'system';
    remember(scheme);
    show();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  // Printing on paper needs the light scheme.
  addEventListener('beforeprint', () => {
    document.documentElement.dataset.scheme = 'light';
    forgetPalette();
  });
  addEventListener('afterprint', show);
  show();
  return button;
}

/** A page that was opened from a folder may have no storage. */
function remembered(): Scheme {
  try {
    return schemes.find((scheme) => scheme === localStorage.getItem(key)) ?? 'system';
  } catch {
    return 'system';
  }
}

function remember(scheme: Scheme): void {
  try {
    localStorage.setItem(key, scheme);
  } catch {
    // Without storage the choice holds for this page only.
  }
}
