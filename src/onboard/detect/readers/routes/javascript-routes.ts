import type { Route } from '../../facts.ts';
import { packageOf } from '../code/databases.ts';
import { importsIn } from '../code/javascript-imports.ts';
import type { Code } from '../code/source-code.ts';
import { type FileRoute, routeOfFile } from './file-routes.ts';
import { Routes, type Spot } from './routes.ts';

/** `app.post('/x'`, `router.route('/x').post(`, `fastify.post<T>('/x'`, `api.on('POST', '/x'`. */
const calling =
  /\b([\w$]+)\s*\.(get|post|put|patch|delete|all|any|openapi)\s*(?:<[^<>]{0,80}>)?\(\s*(?:\[\s*)?["'`](\/[^"'`\n]{0,200})["'`]/g;
const chaining = /\.route\(\s*["'`](\/[^"'`\n]{0,200})["'`]\s*\)\s*\.(get|post|put|patch|delete|all)\b/g;
const naming = /\bmethods?\s*:\s*\[?\s*["'`](\w+)["'`][^{}]{0,300}?\b(?:url|path)\s*:\s*["'`](\/[^"'`\n]{0,200})["'`]/g;
const namingAfter = /\b(?:url|path|pathPrefix)\s*:\s*["'`](\/[^"'`\n]{0,200})["'`][^{}]{0,300}?\bmethods?\s*:\s*\[?\s*["'`](\w+)["'`]/g;
/** `@Post('x')` of Nest, below `@Controller('y')`. */
const decorating =
  /@(Controller|Get|Post|Put|Patch|Delete|All)\(\s*(?:["'`]([^"'`\n]{0,200})["'`]|\{[^{}]{0,200}?path\s*:\s*["'`]([^"'`\n]{0,200})["'`][^{}]{0,200}\})?/g;
/** `createFileRoute('/api/x')`, `createServerFileRoute('/x')` of TanStack. */
const creating = /\bcreate(?:API|Server)?FileRoute\(\s*["'`](\/[^"'`\n]{0,200})["'`]/g;
/** `export const hook = onRequest(`, `functions.region('x').https.onRequest(` of Firebase. */
const exporting = /\bexport\s+const\s+([\w$]+)\s*=\s*(?:functions\b[\w.()'"`, -]{0,120}\.)?(?:onRequest|https\.onRequest)\(/g;

/** The routes of a file of JavaScript or TypeScript. */
export function routesOfJavascript(code: Code): readonly Route[] {
  const { path, text } = code;
  const file = routeOfFile(path);
  // Most files have none, and this is the cheapest way to tell.
  if (file === null && !/["'`]\/|@(?:Post|All|Controller)\(|onRequest\(/.test(text)) return [];
  const imports = importsIn(text);
  const packages = [...new Set([...imports.values()].map(packageOf))].slice(0, 60);
  const routes = new Routes(code, packages);
  const methods = file === null ? null : methodsOf(file, text);
  if (file && methods) routes.whole({ path: file.path, methods, ...(file.servedBy !== undefined && { servedBy: file.servedBy }) });
  const servedBy = imports.get('httpRouter') === 'convex/server' ? { servedBy: 'convex' } : {};
  routes.spots([...called(text, packages, servedBy), ...decorated(text), ...created(text, file)]);
  return routes.list();
}

function called(text: string, packages: readonly string[], servedBy: Pick<Spot, 'servedBy'>): readonly Spot[] {
  const found: Spot[] = [];
  for (const match of text.matchAll(calling)) {
    if (isRouter(match[1] ?? '')) found.push({ at: match.index, path: match[3] ?? '', methods: methodOf(match[2] ?? '') });
  }
  for (const match of text.matchAll(chaining)) found.push({ at: match.index, path: match[1] ?? '', methods: methodOf(match[2] ?? '') });
  for (const match of text.matchAll(naming))
    found.push({ at: match.index, path: match[2] ?? '', methods: methodOf(match[1] ?? ''), ...servedBy });
  for (const match of text.matchAll(namingAfter))
    found.push({ at: match.index, path: match[1] ?? '', methods: methodOf(match[2] ?? ''), ...servedBy });
  if (packages.includes('firebase-functions')) {
    for (const match of text.matchAll(exporting))
      found.push({ at: match.index, path: `/${match[1] ?? ''}`, methods: [], servedBy: 'firebase' });
  }
  return found;
}

/** Clients have such methods too: `axios.post('/x')`, `api.get('/x')` of a browser. */
const isRouter = (name: string): boolean =>
  /^(?:app|router|server|fastify|route|routes|hono|api|r|web|instance|http|webhooks?|\w*(?:Router|Routes|App|Server|Hono|Controller|Webhooks?|Route))$/.test(
    name,
  ) && !/[cC]lient|axios/.test(name);

const methodOf = (name: string): readonly string[] => (/^(?:all|any|use|on|openapi)$/i.test(name) ? [] : [name.toUpperCase()]);

function decorated(text: string): readonly Spot[] {
  const found: Spot[] = [];
  let prefix = '';
  for (const match of text.matchAll(decorating)) {
    const [own, name] = [match[2] ?? match[3] ?? '', match[1] ?? ''];
    if (name === 'Controller') prefix = own;
    else
      found.push({
        at: match.index,
        path: `/${[prefix, own].filter((part) => part !== '').join('/')}`.replace(/\/{2,}/g, '/'),
        methods: methodOf(name),
      });
  }
  return found;
}

function created(text: string, file: FileRoute | null): readonly Spot[] {
  if (file === null) return [];
  return [...text.matchAll(creating)].map((match) => ({
    at: match.index,
    path: (match[1] ?? '').replace(/\$(\w+)/g, ':$1'),
    methods: /\bPOST\b/.test(text) ? ['POST'] : ['GET'],
  }));
}

/** The methods that a file answers; `null` for a page, and for a module that only lies beside routes. */
function methodsOf({ methods }: FileRoute, text: string): readonly string[] | null {
  if (methods === 'any') return [];
  if (methods === 'action') return actionOf(text);
  if (methods !== 'exports') return methods;
  const exported = [...text.matchAll(exports)].flatMap((match) => match[0].match(verbs) ?? []);
  if (exported.some((one) => one === 'ALL' || one === 'onRequest' || one === 'fallback')) return [];
  return exported.length > 0 ? [...new Set(exported.map((one) => (one === 'onRequestPost' ? 'POST' : one)))] : null;
}

const verbs = /\b(?:GET|POST|PUT|PATCH|DELETE|ALL|onRequestPost|onRequest|fallback)\b/g;
/** `export const POST`, `export async function POST`, `export { handler as POST }`, `export const { GET, POST } = `. */
const exports = /\bexport\s+(?:const|let|(?:async\s+)?function\*?)\s+(?:\{([^{}]{0,300})\}|\w+)|\bexport\s*\{([^{}]{0,300})\}/g;

function actionOf(text: string): readonly string[] | null {
  const exported = [...text.matchAll(exports)].map(([whole]) => whole).join('\n');
  const methods = [...(/\baction\b/.test(exported) ? ['POST'] : []), ...(/\bloader\b/.test(exported) ? ['GET'] : [])];
  return methods.length > 0 ? methods : null;
}
