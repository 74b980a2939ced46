import { type FaultName, faults, type Switches } from '../../serve/told.ts';
import { byId, el } from './dom.ts';
import { give } from './orders.ts';

const place = byId('place', HTMLSelectElement);
const group = byId('switches', HTMLDivElement);
const told = byId('armed', HTMLParagraphElement);

let now: Switches = { armed: {} };

const buttons = (Object.keys(faults) as FaultName[]).map((fault) => {
  const button = el('button', { type: 'button', 'aria-pressed': 'false' }, faults[fault]);
  button.addEventListener('click', () => void give({ do: 'fault', place: place.value, fault, on: !isOn(fault) }));
  group.append(button);
  return { fault, button };
});

/** The providers to choose from. */
export function setPlaces(names: readonly string[]): void {
  const chosen = place.value;
  place.replaceChildren(
    el('option', { value: '*' }, 'every provider'),
    ...names.toSorted().map((name) => el('option', { value: name }, name)),
  );
  place.value = names.includes(chosen) ? chosen : '*';
}

export function setSwitches(switches: Switches): void {
  now = switches;
  draw();
}

/** On at the chosen provider, or at every one. */
function isOn(fault: FaultName): boolean {
  if (place.value !== '*') return now.armed[place.value]?.includes(fault) === true;
  return place.options.length - 1 === Object.values(now.armed).filter((on) => on.includes(fault)).length;
}

function draw(): void {
  for (const { fault, button } of buttons) button.setAttribute('aria-pressed', String(isOn(fault)));
  const names = Object.keys(now.armed);
  const few = names.length > 4 ? `${names.length} providers` : names.join(', ');
  told.textContent = names.length === 0 ? 'No fault waits.' : `Trouble waits at ${few}.`;
}

place.addEventListener('change', draw);
