import type { FactReader, SourceFile } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf } from '../source.ts';
import { xmlTags } from '../xml-tags.ts';

/** A project of .NET, or properties for all projects below a folder. `Directory.Packages.props` only keeps versions. */
export const dotnetProject: FactReader = {
  name: 'projects of .NET',
  takes: (path) => /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.(?:Build|Packages)\.(?:props|targets)$/.test(path),
  endings: ['csproj', 'fsproj', 'vbproj', 'props', 'targets'],
  read: (file) => {
    const tags = xmlTags(file.text);
    const listing = new Listing(file, 'nuget');
    const isTrue = (name: string): boolean => tags.some((tag) => tag.name === name && /^true$/i.test(tag.text));
    const isTest =
      isTrue('IsTestProject') ||
      tags.some(({ attributes }) => /^(?:Microsoft\.NET\.Test\.Sdk|xunit|NUnit|MSTest)/i.test(attributes.Include ?? ''));
    for (const [i, { name, attributes, line, depth }] of tags.entries()) {
      const target = attributes.Include ?? attributes.Update ?? '';
      // The SDK says what a project is: `Microsoft.NET.Sdk.Web` answers requests.
      const sdk = sdkOf(name === 'Project' ? attributes.Sdk : name === 'Sdk' ? attributes.Name : undefined);
      if (sdk !== undefined) listing.package(sdk, isTest ? 'develop' : 'runtime', line);
      if (name === 'PackageReference' || name === 'GlobalPackageReference') {
        const next = tags[i + 1];
        const assets = attributes.PrivateAssets ?? (next && next.depth > depth && next.name === 'PrivateAssets' ? next.text : '');
        listing.package(target, isTest || /^all$/i.test(assets) ? 'develop' : 'runtime', line);
      }
      if (name === 'ProjectReference') listing.reference(folderAt(folderOf(file.path), folderOf(target.replaceAll('\\', '/'))));
    }
    const has = (wanted: string): boolean => tags.some(({ name }) => name === wanted);
    const isPackable = tags.findLast(({ name }) => name === 'IsPackable')?.text.toLowerCase();
    const isPackage = isTrue('GeneratePackageOnBuild') || has('PackageId');
    // An app is packed only where its project says twice that it is a package.
    const isApp = tags.some(
      ({ name, attributes: { Sdk = '' } }) => name === 'Project' && /\.Sdk\.(?:Web|Worker|BlazorWebAssembly)\b/.test(Sdk),
    );
    const isPublished =
      isPackable === 'false'
        ? false
        : isTrue('PackAsTool') || (isApp ? has('PackageId') && isTrue('GeneratePackageOnBuild') : isPackable === 'true' || isPackage)
          ? true
          : null;
    return listing.reading({ name: nameOf(file), isPublished, hasProgram: isTrue('PackAsTool') });
  },
};

/** The SDKs that say what a project is: `Microsoft.NET.Sdk.Web`, `Aspire.AppHost.Sdk/9.0.0`. */
const sdkOf = (text = ''): string | undefined => /^(?:Microsoft\.NET\.Sdk\.\w+|Aspire\.AppHost\.Sdk)/.exec(text)?.[0];

const nameOf = ({ path }: SourceFile): string | null => (/proj$/.test(path) ? baseOf(path).replace(/\.\w+$/, '') : null);

export const packagesConfig: FactReader = {
  name: 'packages.config of NuGet',
  takes: (path) => /^packages\.config$/i.test(baseOf(path)),
  endings: ['config'],
  read: (file) => {
    const listing = new Listing(file, 'nuget');
    for (const { name, attributes, line } of xmlTags(file.text)) {
      if (name === 'package')
        listing.package(attributes.id ?? '', attributes.developmentDependency === 'true' ? 'develop' : 'runtime', line);
    }
    return listing.reading();
  },
};

/** Lists of projects. Their folders are members. */
export const solution: FactReader = {
  name: 'solutions of .NET',
  takes: (path) => /\.slnx?$/.test(path),
  endings: ['sln', 'slnx'],
  read: (file) => {
    const listing = new Listing(file, 'nuget');
    const pattern =
      /^Project\("[^"\n]{0,100}"\)\s*=\s*"[^"\n]{0,300}",\s*"([^"\n]{1,300}proj)"|<Project\b[^>\n]{0,300}?\bPath="([^"\n]{1,300}proj)"/gm;
    for (const [, own, other] of file.text.matchAll(pattern)) {
      const folder = folderAt('', folderOf((own ?? other ?? '').replaceAll('\\', '/')));
      if (folder !== null) listing.member(folder === '' ? '.' : folder);
    }
    return listing.reading();
  },
};

/** Paket's list of one project, and its list of the whole repository. */
export const paket: FactReader = {
  name: 'lists of Paket',
  takes: (path) => /^paket\.(?:references|dependencies)$/.test(baseOf(path)),
  endings: ['references', 'dependencies'],
  read: (file) => {
    const listing = new Listing(file, 'nuget');
    const isWhole = file.path.endsWith('dependencies');
    for (const [i, line] of file.text.split('\n').entries()) {
      const [, name] =
        (isWhole ? /^\s*nuget\s+([\w.-]{1,200})/ : /^\s*([A-Za-z][\w.-]{0,200})\s*(?:$|\w+:)/).exec(line.slice(0, 1000)) ?? [];
      if (name !== undefined && name !== 'group') listing.package(name, 'runtime', i + 1);
    }
    return listing.reading();
  },
};
