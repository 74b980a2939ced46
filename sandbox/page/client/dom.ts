type Child = Node | string;

/** An element with its attributes and children. A text is always text: what a provider holds is never markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | boolean | (() => void)>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The element of the document that has the id. */
export function byId<T extends HTMLElement>(id: string, of: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof of)) throw new Error(`the page has no ${id}`);
  return found;
}
