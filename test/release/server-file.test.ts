import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { addressOf } from '../../scripts/release/address.ts';
import { serverFile } from '../../scripts/release/server-file.ts';
import { parseArgv } from '../../src/cli/parse.ts';
import { Redactor } from '../../src/core/redact.ts';
import { maskEnvironment } from '../../src/engine/prepare/secret-variables.ts';
import { root } from '../cli/program.ts';

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const address = addressOf('https://github.com/Acme-Tools/pilotfish');

const text = (maxLength: number, more: object = {}): object => ({ type: 'string', minLength: 1, maxLength, ...more });
const closed = (required: readonly string[], properties: object): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const version = text(255, { pattern: '^\\d+\\.\\d+\\.\\d+$' });

/** What the published form of 2025-12-11 asks of each member that the file has. It takes no other member, so a slip in a name shows. */
const form = closed(['$schema', 'name', 'description', 'version', 'packages'], {
  $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
  name: text(200, { minLength: 3, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
  title: text(100),
  description: text(100),
  version,
  repository: closed(['url', 'source'], { url: text(255, { pattern: '^https://' }), source: { const: 'github' } }),
  packages: {
    type: 'array',
    minItems: 1,
    items: closed(['registryType', 'identifier', 'version', 'transport'], {
      registryType: { const: 'npm' },
      identifier: text(214),
      version,
      // The form asks for it only beside arguments of the runtime.
      runtimeHint: { const: 'npx' },
      packageArguments: { type: 'array', items: closed(['type', 'value'], { type: { const: 'positional' }, value: text(255) }) },
      transport: closed(['type'], { type: { const: 'stdio' } }),
      environmentVariables: {
        type: 'array',
        items: closed(['name', 'description'], {
          name: text(255, { pattern: '^[A-Z][A-Z0-9_]*$' }),
          description: text(1024),
          isSecret: { type: 'boolean' },
        }),
      },
    }),
  },
});
const validate = new Ajv().compile(form);

// biome-ignore lint/suspicious/noExplicitAny: the file is JSON
const filled: any = serverFile(manifest, address);

it('server.json of a release has the form of the registry, and the name that the package has there', () => {
  expect(validate(filled), JSON.stringify(validate.errors)).toBe(true);
  expect(filled.name).toBe('io.github.Acme-Tools/pilotfish');
  expect(filled.repository.url).toBe('https://github.com/Acme-Tools/pilotfish');
  expect(filled.packages[0]).toMatchObject({ identifier: manifest.name, version: manifest.version });
});

it('without an owner at GitHub it names none, and the registry would refuse it', async () => {
  const committed = JSON.parse(await readFile(join(root, 'server.json'), 'utf8'));
  for (const file of [committed, serverFile(manifest, addressOf('https://gitlab.com/acme/pilotfish'))]) {
    expect(validate(file)).toBe(false);
    expect(validate.errors?.map(({ message }) => message)).toEqual(["must have required property 'name'"]);
    expect(JSON.stringify(file)).not.toMatch(/github\.com|gitlab\.com|acme/);
  }
});

it('its arguments start the tool server, as the first program of the package takes them', () => {
  expect(Object.keys(manifest.bin)[0]).toBe(manifest.name);
  const words = filled.packages[0].packageArguments.map(({ value }: { readonly value: string }) => value);
  expect(parseArgv(words)).toMatchObject({ kind: 'run', command: 'mcp' });
});

it('the program reads each of its variables, and those that it masks are secret', async () => {
  const files = await readdir(join(root, 'src'), { recursive: true });
  const sources = await Promise.all(
    files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => readFile(join(root, 'src', file), 'utf8')),
  );
  const all = sources.join('\n');
  const variables: readonly { readonly name: string; readonly isSecret?: boolean }[] = filled.packages[0].environmentVariables;
  expect(variables.filter(({ name }) => !new RegExp(`env\\.${name}\\b|'${name}'`).test(all))).toEqual([]);
  for (const { name, isSecret = false } of variables) {
    const redactor = new Redactor();
    const value = name === 'PILOTFISH_RECEIPTS' ? 'postgres://user:a-long-password@db.example/x' : 'a-long-password';
    maskEnvironment(redactor, { [name]: value });
    expect(redactor.text(value).includes('a-long-password'), name).toBe(!isSecret);
  }
});
