import { el } from './dom.ts';

export interface Tip {
  readonly element: HTMLElement;
  show(lines: readonly string[] | null, at?: { readonly clientX: number; readonly clientY: number }): void;
}

/** What stands under the pointer, in words. All of it is in the panel, too: a pointer is never needed. */
export function tip(): Tip {
  const element = el('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  return {
    element,
    show: (lines, at) => {
      element.hidden = lines === null || lines.length === 0;
      if (element.hidden || !at || !lines) return;
      element.replaceChildren(...lines.map((line) => el('div', {}, line)));
      const { offsetWidth, offsetHeight } = element;
      const left = Math.min(at.clientX + 14, innerWidth - offsetWidth - 8);
      const top = at.clientY + 18 + offsetHeight > innerHeight ? at.clientY - offsetHeight - 10 : at.clientY + 18;
      element.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
    },
  };
}
