import { rows as action } from './action.ts';
import { rows as authentication } from './authentication.ts';
import { rows as builtIn } from './built-in.ts';
import { rows as builtInErrors } from './built-in-errors.ts';
import { rows as limits } from './limits.ts';
import { rows as listItem } from './list-item.ts';
import { rows as listItemRules } from './list-item-rules.ts';
import { rows as pathVersions } from './path-versions.ts';
import { rows as providerBlock } from './provider-block.ts';
import { rows as readiness } from './readiness.ts';
import { rows as requests } from './requests.ts';
import { rows as resource } from './resource.ts';
import { rows as resourceRules } from './resource-rules.ts';
import type { Section } from './rows.ts';
import { rows as secretSources } from './secret-sources.ts';
import { rows as versioning } from './versioning.ts';

/** The specification's sections on the adapters, the generic one and those that are built in, each sentence with its test. */
export const sections: readonly Section[] = [
  { title: 'Provider block `providers.http.<api>`', file: 'provider-block.ts', rows: providerBlock },
  { title: 'Op `http.resource`: keys', file: 'resource.ts', rows: resource },
  { title: 'Op `http.resource`: rules', file: 'resource-rules.ts', rows: resourceRules },
  { title: 'Op `http.list_item`: keys', file: 'list-item.ts', rows: listItem },
  { title: 'Op `http.list_item`: rules', file: 'list-item-rules.ts', rows: listItemRules },
  { title: 'Op `http.action`', file: 'action.ts', rows: action },
  { title: 'Authentication', file: 'authentication.ts', rows: authentication },
  { title: 'Secret sources', file: 'secret-sources.ts', rows: secretSources },
  { title: 'Requests, retries and errors', file: 'requests.ts', rows: requests },
  { title: 'Versioning and identity', file: 'versioning.ts', rows: versioning },
  { title: 'Built-in adapters', file: 'built-in.ts', rows: builtIn },
  { title: 'Built-in adapters: errors', file: 'built-in-errors.ts', rows: builtInErrors },
  { title: 'Built-in adapters: deployments and other states that take time', file: 'readiness.ts', rows: readiness },
  { title: 'Limits', file: 'limits.ts', rows: limits },
  { title: 'Versions of providers', file: 'path-versions.ts', rows: pathVersions },
];
