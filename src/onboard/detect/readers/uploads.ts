import { joined } from './shell.ts';

/** Folders into which builds write. What stands before the first of them is built. */
const output =
  /(?:^|\/)(?:dist|build|out|_site|_build|target|bin|obj|publish|\.(?:next|output|vitepress|vuepress|svelte-kit|vercel|netlify|docusaurus|nuxt))(?:\/.*)?$/;

/** A file that a build made of a folder: `server.zip`, `api/app.jar`. */
const archive = /(?:^|\/)[^/]*\.(?:zip|jar|war|ear|tgz|tar|gz)$/;

/** The folder whose build wrote the files of a path: `apps/docs` of `apps/docs/.vitepress/dist`. */
export const sourceOf = (path: string): string =>
  path
    .trim()
    .replace(/^(?:\$\{?[\w?]+\}?\/|\.?\/)+/, '')
    .replace(/\/+\*{0,2}$/, '')
    .replace(archive, '')
    .replace(output, '');

/** What tests, tools and generators of reference pages write. It shows an app's work to its developers and is no app. */
export const isReport = (path: string): boolean =>
  /(?:^|[/_.-])(?:reports?|allure(?:-\w+)?|coverage|htmlcov|lcov(?:-report)?|lighthouse(?:ci)?|storybook(?:-static)?|test-results|benchmarks?|javadoc|apidocs|dokka|typedoc|doxygen)(?:[/_.-]|$)|(?:^|\/)target\/doc(?:\/|$)/i.test(
    path,
  );

/** A path from the root; `null` where it names the root itself or nothing, so that the place of the build tells more. */
export const fromRoot = (path: string): string | null => joined('', path.replace(/^\/(?!\/)/, '')) || null;
