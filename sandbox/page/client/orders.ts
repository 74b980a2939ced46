import type { Order } from '../../serve/told.ts';
import { byId } from './dom.ts';

const token = document.querySelector<HTMLMetaElement>('meta[name="sandbox-token"]')?.content ?? '';

/** Asks the sandbox for something, and tells the person where it refuses. */
export async function give(order: Order): Promise<void> {
  const status = byId('link', HTMLParagraphElement);
  try {
    const answer = await fetch('/~/control', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sandbox-token': token },
      body: JSON.stringify(order),
    });
    if (!answer.ok) status.textContent = (await answer.text()).trim();
  } catch {
    status.textContent = 'the sandbox does not answer';
  }
}
