import type { FactReader } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { dataReader, evidence, lineOf, mapOf, textOf } from './host-file.ts';
import { joined } from './shell.ts';

const kinds: { readonly [host: string]: string } = {
  appservice: 'azure_app_service',
  containerapp: 'azure_container_apps',
  function: 'azure_functions',
  staticwebapp: 'azure_static_web_apps',
  aks: 'kubernetes',
  springapp: 'azure_app_service',
};

export const azureReaders: readonly FactReader[] = [
  dataReader('azure', /(?:^|\/)azure\.ya?ml$/, (root, file) => {
    const base = folderOf(file.path);
    const services = Object.entries(mapOf(root.services)).flatMap(([name, service]) => {
      const { host, project } = mapOf(service);
      const provider = kinds[textOf(host) ?? ''];
      return provider === undefined
        ? []
        : [evidence(file, { provider, folder: joined(base, textOf(project) ?? '') ?? base, line: lineOf(file.text, `${name}:`) })];
    });
    return { hosts: services.length > 0 ? services : root.name === undefined ? [] : [evidence(file, { provider: 'azure', by: 'word' })] };
  }),
  dataReader('static-web-apps', /(?:^|\/)staticwebapp\.config\.json$/, (_, file) => {
    // The file lies where the build copies it from, so the app is above a folder for public files.
    const folder = folderOf(file.path).replace(/(?:^|\/)(?:public|static|src|assets|www|wwwroot)$/, '');
    return { hosts: [evidence(file, { provider: 'azure_static_web_apps', folder, builds: 'ci' })] };
  }),
  dataReader('static-web-apps-program', /(?:^|\/)swa-cli\.config\.json$/, (root, file) => {
    const [first] = Object.values(mapOf(root.configurations)).map(mapOf);
    const base = folderOf(file.path);
    return {
      hosts: [
        evidence(file, { provider: 'azure_static_web_apps', by: 'script', folder: joined(base, textOf(first?.appLocation) ?? '') ?? base }),
      ],
    };
  }),
  dataReader('azure-functions', /(?:^|\/)host\.json$/, (root, file) =>
    /^2/.test(String(root.version)) ? { hosts: [evidence(file, { provider: 'azure_functions' })] } : null,
  ),
];
