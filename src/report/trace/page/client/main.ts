import type { PageData } from '../data.ts';
import { traceOf } from '../model.ts';
import { el } from './dom.ts';
import { type GraphView, graph } from './graph.ts';
import { header } from './header.ts';
import { listenToKeys, type Shortcut, shortcutHelp } from './keys.ts';
import { panel } from './panel.ts';
import { printTable } from './print.ts';
import { search } from './search.ts';
import { Store } from './store.ts';
import { schemeSwitch } from './theme.ts';
import { type Timeline, timeline } from './timeline.ts';
import { tip } from './tip.ts';
import { type Transport, transport } from './transport.ts';

/** Builds the page from the data in it. */
function main(): void {
  const data: PageData = JSON.parse(document.getElementById('data')?.textContent ?? 'null');
  const trace = traceOf(data.events, data.charts);
  const store = new Store(trace);
  const hint = tip();
  const find = search(store);
  const clock = transport(store);
  const picture = graph(store, hint);
  const rows = timeline(store, hint);
  const { shown, partners } = shortcutsOf({ store, find, clock, picture, rows, showHelp: () => help.open() });
  const help = shortcutHelp(shown);
  listenToKeys([...shown, ...partners], () => {
    if (Object.values(store.view.filter).some((value) => value !== '')) find.clear();
    else store.set({ chosen: null });
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
  });

  const page = document.getElementById('page');
  page?.replaceWith(
    header(data.about, trace, help.button, schemeSwitch(store)),
    el('main', {}, find.element, picture.element, rows.element, panel(store, data)),
    el('footer', {}, clock.element),
    printTable(store),
    help.dialog,
    hint.element,
  );
}

interface Parts {
  readonly store: Store;
  readonly find: ReturnType<typeof search>;
  readonly clock: Transport;
  readonly picture: GraphView;
  readonly rows: Timeline;
  readonly showHelp: () => void;
}

/** The keys of the page. The list shows both keys of a pair beside the first one. */
function shortcutsOf({ store, find, clock, picture, rows, showHelp }: Parts): {
  readonly shown: readonly Shortcut[];
  readonly partners: readonly Shortcut[];
} {
  const { ms } = store.trace;
  const tenth = (by: number): void => clock.leap((store.view.at + (by * ms) / 20) / Math.max(1, ms));
  const showAll = (): void => {
    picture.showAll();
    rows.showAll();
  };
  return {
    shown: [
      key('/', 'Search', () => find.focus()),
      key('Space', 'Play or pause', () => clock.toggle(), is(' ')),
      key('← →', 'To the moment before, or after', () => clock.step(-1), is('ArrowLeft')),
      key('Shift+← Shift+→', 'A twentieth of the run back, or on', () => tenth(-1), is('ArrowLeft', true)),
      key('Home End', 'To the beginning, or the end', () => clock.leap(0), is('Home')),
      key('↑ ↓', 'To the line above, or below', () => rows.move(-1), is('ArrowUp')),
      key(
        '+ −',
        'Less time in the timeline, or more',
        () => rows.zoom(1.6),
        ({ key: pressed }) => pressed === '+' || pressed === '=',
      ),
      key('f', 'Show all of the graph and the timeline', showAll),
      key('?', 'Show these keys', showHelp),
    ],
    partners: [
      key('→', '', () => clock.step(1), is('ArrowRight')),
      key('Shift+→', '', () => tenth(1), is('ArrowRight', true)),
      key('End', '', () => clock.leap(1), is('End')),
      key('↓', '', () => rows.move(1), is('ArrowDown')),
      key('-', '', () => rows.zoom(1 / 1.6)),
    ],
  };
}

const key = (keys: string, what: string, act: () => void, matches = (event: KeyboardEvent): boolean => event.key === keys): Shortcut => ({
  keys,
  what,
  matches,
  act,
});

const is =
  (name: string, shift = false) =>
  (event: KeyboardEvent): boolean =>
    event.key === name && event.shiftKey === shift;

main();
