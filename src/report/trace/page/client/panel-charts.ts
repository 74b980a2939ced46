import { stateWords } from '../../../verdicts.ts';
import type { Chart } from '../charts.ts';
import type { Actor, RunTrace } from '../model.ts';
import { countUntil } from '../moment.ts';
import { chartPicture } from './chart.ts';
import { el } from './dom.ts';
import { type Part, section } from './panel-parts.ts';

export interface Pictured {
  readonly title: string;
  readonly chart: Chart;
  /** `null` shows the machine without any actor. */
  readonly actor: Actor | null;
}

/** Shows pictures of machines, one at a time. The words below tell the way that the actor took until now. */
export function chartsPart(pictured: readonly Pictured[]): Part {
  let chosen = 0;
  let moment = 0;
  let shown = '';
  const holder = el('div', { class: 'charts' });
  const way = el('p', { class: 'way' });
  const what = el('p', { class: 'muted' });
  const tabs = pictured.map(({ title }, i) =>
    el('button', { type: 'button', class: 'tab', 'aria-pressed': String(i === 0), onclick: () => choose(i) }, title),
  );
  const update = (at: number): void => {
    moment = at;
    const one = pictured[chosen];
    if (!one) return;
    // The picture is drawn anew only when the machine moved.
    const signature = `${chosen} ${one.actor ? countUntil(one.actor.steps, at) : ''}`;
    if (signature === shown) return;
    shown = signature;
    holder.replaceChildren(chartPicture(one.chart, one.actor, at));
    what.textContent = one.chart.what;
    way.textContent = one.actor ? `So far: ${wayText(one.actor, at)}` : 'Choose a line or a shared object to see the way that it took.';
  };
  const choose = (i: number): void => {
    chosen = i;
    for (const [j, tab] of tabs.entries()) tab.setAttribute('aria-pressed', String(i === j));
    update(moment);
  };
  const hint = el(
    'p',
    { class: 'muted small' },
    'Numbers give the order of the visits. Nearly every state has exits to failed and interrupted and back to observing; an exit is drawn only where the line took it.',
  );
  return {
    element: section('Machines', el('div', { class: 'tabs', role: 'group', 'aria-label': 'Machine' }, ...tabs), what, holder, way, hint),
    update,
  };
}

function wayText(actor: Actor, at: number): string {
  const names = [actor.initial, ...actor.steps.slice(0, countUntil(actor.steps, at)).map(({ to }) => to)].map(stateWords);
  const most = 24;
  return names.length > most
    ? `${names.slice(0, 4).join(' → ')} → … (${names.length - most + 4} states) … → ${names.slice(-(most - 8)).join(' → ')}`
    : names.join(' → ');
}

/** Finds the coordinator of a line. In a destroy of several scopes each name begins with its scope. */
export function coordinatorOf({ coordinators }: RunTrace, line: string): Actor | null {
  const scopeOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(': ')));
  return coordinators.find(({ name }) => scopeOf(name) === scopeOf(line)) ?? coordinators[0] ?? null;
}

export function chartNamed(charts: readonly Chart[], name: string): readonly Chart[] {
  return charts.filter((chart) => chart.name === name);
}
