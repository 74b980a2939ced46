import type { FactReader, HostEvidence, Reading, SourceFile, Start } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { hostCommand } from './host-commands.ts';
import { dataReader, evidence, lineOf, listOf, mapOf, mapsOf, namesIn, pairsOf, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';
import { type Started, startedIn } from './shell.ts';
import { startOf } from './starts.ts';

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
const cloudBuild = dataReader('cloud-build', /(?:^|\/)cloudbuild[\w.-]*\.(?:ya?ml|json)$/, (root, file) => build(root, file));

/** The same under any other name: its steps run in images of Cloud Build. */
const otherBuild: FactReader = {
  ...dataReader('cloud-build-by-content', /\.ya?ml$/, (root, file) => build(root, file)),
  isCode: true,
  takes: (path) => /\.ya?ml$/.test(path) && !/(?:^|\/)cloudbuild[\w.-]*$|^\.github\//.test(path),
};
const buildByContent: FactReader = {
  ...otherBuild,
  read: (file, asked) =>
    /^steps:/m.test(file.text) && /gcr\.io\/(?:cloud-builders|google\.com\/cloudsdktool)/.test(file.text)
      ? otherBuild.read(file, asked)
      : {},
};

function build(root: Record<string, unknown>, file: SourceFile): Reading {
  const defaults = mapOf(root.substitutions);
  const fill = (word: string): string => word.replace(/\$\{?(_\w+)\}?/g, (whole, name: string) => textOf(defaults[name]) ?? whole);
  const starts: Start[] = [];
  const hosts = mapsOf(root.steps).flatMap((step): readonly HostEvidence[] => {
    const line = lineOf(file.text, textOf(listOf(step.args)[0]) ?? textOf(step.name) ?? '');
    const dir = textOf(step.dir);
    const all = startedBy(step, fill, line);
    for (const started of all)
      starts.push(...[startOf(started, { file: file.path, folder: dir ?? '', by: 'deploy', variables: [] })].flatMap((one) => one ?? []));
    return all.flatMap((started) => {
      const command = hostCommand(started);
      if (!command || command.isWeak) return [];
      const { isProduction, isWeak, folder, ...said } = command;
      return [evidence(file, { ...said, by: 'deploy', folder: dir ?? evidence(file, said).folder })];
    });
  });
  return { hosts, starts };
}

/** What a step starts: the program of its image or its entry point, or the script that it gives to a shell. */
function startedBy(step: Record<string, unknown>, fill: (word: string) => string, line: number): readonly Started[] {
  const image = textOf(step.name) ?? '';
  const words = listOf(step.args)
    .filter((word) => typeof word === 'string')
    .map(fill);
  const named = textOf(step.entrypoint) ?? image.slice(image.lastIndexOf('/') + 1).replace(/:.*$/, '');
  const program = named === 'cloud-sdk' ? 'gcloud' : named;
  const script = textOf(step.script) ?? (/^(?:ba|z)?sh$/.test(program) && /^-\w*c$/.test(words[0] ?? '') ? words[1] : undefined);
  if (script !== undefined) return startedIn(fill(script)).map((one) => ({ ...one, line }));
  return [{ program, command: program, words, line, folder: '', filter: null }];
}

/** App Engine for Java keeps its settings in the web application. */
const appEngineJava: FactReader = {
  name: 'app-engine-java',
  endings: ['xml'],
  takes: (path) => path.endsWith('WEB-INF/appengine-web.xml'),
  read: (file) => ({
    hosts: [
      evidence(file, {
        provider: 'app_engine',
        folder: folderOf(folderOf(file.path)).replace(/(?:^|\/)(?:src\/main\/webapp|war|web)$/, ''),
      }),
    ],
  }),
};

export const googleReaders: readonly FactReader[] = [appEngine, appEngineJava, cloudRun, cloudBuild, buildByContent];
