import type { FactReader, HostEvidence } from '../facts.ts';
import { hostCommand } from './host-commands.ts';
import { dataReader, evidence, lineOf, listOf, mapOf, mapsOf, namesIn, pairsOf, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';

/** App Engine: a runtime at the top, and no kind of Kubernetes. */
const appEngine = dataReader('app-engine', /(?:^|\/)(?:app|[\w-]+\.app|app[.-][\w-]+)\.ya?ml$/, (root, file, asked) => {
  if (typeof root.runtime !== 'string' || root.kind !== undefined || /(?:^|\/)\.do\//.test(file.path)) return null;
  const variables = variablesIn(pairsOf(root.env_variables), file, asked);
  const said = evidence(file, { provider: 'app_engine', builds: 'host', ids: idsOf({ application: root.service }), ...namesIn(variables) });
  return { hosts: [said], variables };
});

/** Cloud Run: a service in the form of Knative. A service of Kubernetes holds no containers. */
const cloudRun = dataReader('cloud-run', /(?:^|\/)(?:[\w-]*service|[\w-]*run|knative)[\w.-]*\.ya?ml$/i, (root, file, asked) => {
  const containers = mapsOf(mapOf(mapOf(mapOf(root.spec).template).spec).containers);
  if (containers.length === 0 || root.kind !== 'Service') return null;
  const metadata = mapOf(root.metadata);
  const variables = variablesIn(
    containers.flatMap(({ env }) => mapsOf(env).map(({ name, value }) => [textOf(name) ?? '', value] as const)),
    file,
    asked,
  );
  const ids = idsOf({ service: metadata.name, location: mapOf(metadata.labels)['cloud.googleapis.com/location'] });
  return { hosts: [evidence(file, { provider: 'cloud_run', ids, ...namesIn(variables) })], variables };
});

/** Cloud Build runs commands on a push. `_NAME` is a substitution, whose default the file holds. */
const cloudBuild = dataReader('cloud-build', /(?:^|\/)cloudbuild[\w.-]*\.(?:ya?ml|json)$/, (root, file) => {
  const defaults = mapOf(root.substitutions);
  const fill = (word: string): string => word.replace(/\$\{?(_\w+)\}?/g, (whole, name: string) => textOf(defaults[name]) ?? whole);
  const hosts = mapsOf(root.steps).flatMap((step): readonly HostEvidence[] => {
    const image = textOf(step.name) ?? '';
    const words = listOf(step.args)
      .filter((word) => typeof word === 'string')
      .map(fill);
    const program = textOf(step.entrypoint) ?? image.slice(image.lastIndexOf('/') + 1).replace(/:.*$/, '');
    const started = {
      program: program === 'cloud-sdk' ? 'gcloud' : program,
      words,
      line: lineOf(file.text, words[0] ?? image),
      folder: '',
      filter: null,
    };
    const command = hostCommand(started);
    if (!command || command.isWeak) return [];
    const { isProduction, isWeak, folder, ...said } = command;
    return [evidence(file, { ...said, by: 'deploy', folder: textOf(step.dir) ?? evidence(file, said).folder })];
  });
  return { hosts };
});

export const googleReaders: readonly FactReader[] = [appEngine, cloudRun, cloudBuild];
