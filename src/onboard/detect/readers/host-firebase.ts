import type { FactReader, FoundParam, HostEvidence } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { dataReader, evidence, lineOf, listOf, mapOf, mapsOf, textOf, variablesIn } from './host-file.ts';
import { idsOf, paramOf } from './host-ids.ts';
import { joined } from './shell.ts';

/** Providers that have a project of Firebase as a param. */
const withProject = ['firebase_hosting', 'firebase_auth'];

/** The configuration of an emulator on the machine of a developer or of CI. */
const isLocal = /(?:^|\/)firebase[\w.-]*[.-](?:emulators?|compose|docker|local|dev|tests?|e2e|ci)(?:[.-][\w-]+)*\.json$/;

/** `firebase.json` in any folder: its sites, functions and app hosting are deployables of their own. */
const settings = dataReader('firebase', /(?:^|\/)firebase(?:[.-][\w-]+)*\.json$/, (root, file) => {
  if (isLocal.test(file.path)) return null;
  const base = folderOf(file.path);
  const sites = (Array.isArray(root.hosting) ? mapsOf(root.hosting) : 'hosting' in root ? [mapOf(root.hosting)] : []).map(
    (site): HostEvidence => {
      const source = textOf(site.source);
      const published = textOf(site.public);
      return evidence(file, {
        provider: 'firebase_hosting',
        product: 'hosting',
        line: lineOf(file.text, '"hosting"'),
        ids: idsOf({ site: site.site }),
        ...(source !== undefined && { folder: joined(base, source) ?? base }),
        ...(published?.includes('/') && { targets: [joined(base, published) ?? published] }),
      });
    },
  );
  const functions = (Array.isArray(root.functions) ? mapsOf(root.functions) : 'functions' in root ? [mapOf(root.functions)] : []).map(
    (one) =>
      evidence(file, {
        provider: 'firebase_functions',
        product: 'functions',
        line: lineOf(file.text, '"functions"'),
        folder: joined(base, textOf(one.source) ?? 'functions') ?? base,
      }),
  );
  const backends = (Array.isArray(root.apphosting) ? mapsOf(root.apphosting) : 'apphosting' in root ? [mapOf(root.apphosting)] : []).map(
    (one) =>
      evidence(file, {
        provider: 'firebase_app_hosting',
        line: lineOf(file.text, '"apphosting"'),
        folder: joined(base, textOf(one.rootDir) ?? '') ?? base,
        ids: idsOf({ application: one.backendId }),
      }),
  );
  return { hosts: [...sites, ...functions, ...backends] };
});

/** The project that `firebase use` chose: the default, or the only one. */
const projects = dataReader('firebaserc', /(?:^|\/)\.firebaserc$/, (root, file) => {
  const named = mapOf(root.projects);
  const all = [...new Set(Object.values(named))];
  const value = paramOf(named.default ?? (all.length === 1 ? all[0] : undefined));
  const line = value === null ? 0 : lineOf(file.text, value);
  const ids =
    value === null ? [] : withProject.map((provider): FoundParam => ({ provider, param: 'project', value, file: file.path, line }));
  const hosting = Object.values(mapOf(root.targets)).flatMap((target) => Object.values(mapOf(mapOf(target).hosting)));
  const sites = [...new Set(hosting.flatMap((list) => listOf(list)))].flatMap((site) => paramOf(site) ?? []);
  const [site, ...more] = sites;
  const found: FoundParam[] =
    site === undefined || more.length > 0
      ? []
      : [{ provider: 'firebase_hosting', param: 'site', value: site, file: file.path, line: lineOf(file.text, site) }];
  return { ids: [...ids, ...found] };
});

const appHosting = dataReader('firebase-apphosting', /(?:^|\/)apphosting(?:\.[\w-]+)?\.ya?ml$/, (root, file, asked) => {
  const variables = variablesIn(
    mapsOf(root.env).map(({ variable, value }) => [textOf(variable) ?? '', value] as const),
    file,
    asked,
  );
  return {
    hosts: [evidence(file, { provider: 'firebase_app_hosting', builds: 'host', variables: variables.map(({ name }) => name) })],
    variables,
  };
});

export const firebaseReaders: readonly FactReader[] = [settings, projects, appHosting];
