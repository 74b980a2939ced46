import { rows as action } from './action.ts';
import { rows as listItem } from './list-item.ts';
import { rows as providerBlock } from './provider-block.ts';
import { rows as resource } from './resource.ts';
import type { Section } from './rows.ts';

/** The specification's sections on the generic adapter, each sentence with its test. */
export const sections: readonly Section[] = [
  { title: 'Provider block `providers.http.<api>`', file: 'provider-block.ts', rows: providerBlock },
  { title: 'Op `http.resource`', file: 'resource.ts', rows: resource },
  { title: 'Op `http.list_item`', file: 'list-item.ts', rows: listItem },
  { title: 'Op `http.action`', file: 'action.ts', rows: action },
];
