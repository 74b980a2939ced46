type Child = Node | string | null | false;
type Props = { readonly [name: string]: string | number | boolean | ((event: Event) => void) | undefined };

/** Makes an element with attributes, listeners (`onclick`) and children. Text becomes text nodes, so a browser never reads it as markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), props, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
}

function filled<E extends Element>(element: E, props: Props, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/** The head of a part of the page, with the buttons that go with it. */
export const titledBar = (
  id: string,
  title: string,
  buttons: readonly (readonly [text: string, name: string, act: () => void])[],
): HTMLElement =>
  el(
    'div',
    { class: 'bar' },
    el('h2', { id }, title),
    ...buttons.map(([text, name, act]) => el('button', { type: 'button', class: 'quiet', 'aria-label': name, onclick: act }, text)),
  );

/** Writes an attribute only if it changes, because each write makes the browser compute styles again. */
export function setOnce(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Sizes a canvas to its element, sharp on every screen. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser cannot draw on a canvas');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Cuts `text` at its end to a width. The result is empty if not even a few letters fit. */
export function cutEnd(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  for (let keep = text.length - 1; keep > 2; keep -= 1) {
    const shown = `${text.slice(0, keep).trimEnd()}…`;
    if (context.measureText(shown).width <= width) return shown;
  }
  return '';
}
