import type { HostEvidence } from '../facts.ts';
import type { Started } from './shell.ts';

const generators = /^(?:mkdocs|zensical|mike|sphinx-build|sphinx-multiversion|mdbook|doxygen|typedoc|antora|jupyter-book|pdoc|javadoc)$/;
/** Programs that build whatever their first word names. */
const runners = new Set(['make', 'tox', 'nox', 'npm', 'pnpm', 'yarn', 'just', 'cargo']);
const named = /(?:^|[\s:_-])(?:docs?|documentation|apidocs|mkdocs|sphinx)(?:$|[\s:_/-])/;

/** Tells whether a command builds pages about the code: `mkdocs build`, `make -C docs html`, `tox -e docs`. */
export const buildsDocs = ({ program, words }: Started): boolean =>
  generators.test(program) || (runners.has(program) && named.test(words.join(' ').slice(0, 200)));

/** Where pages about the code of an app often are, while the app itself is elsewhere. */
const showsPages = new Set(['github_pages', 'netlify', 'cloudflare', 'vercel', 'firebase_hosting', 'surge', 'aws_s3_website']);

/** The root, or a folder into which a generator writes by itself. A unit of its own keeps its host. */
const written = /^(?:site|book|html|public)?$/;

/** The host of pages about an app, where the evidence names no folder of their own. It is not the host of the app. */
export const ofDocs = (one: HostEvidence): HostEvidence =>
  written.test(one.folder) && showsPages.has(one.provider) && (one.by === 'deploy' || one.by === 'preview')
    ? { ...one, folder: '', by: 'script', isOfDocs: true }
    : one;
