import { expect, it } from 'vitest';
import { readAll } from '../../../../test/support/readings.ts';
import { dotnet } from './code/dotnet.ts';
import { go } from './code/go.ts';
import { googleClients } from './google-clients.ts';

const factsIn = async (path: string, text: string): Promise<readonly string[]> => {
  const modules = ['google:youtube', 'golang.org/x/oauth2/github'];
  const readings = await readAll([googleClients, go, dotnet], path, text, { modules });
  return readings.flatMap(({ facts = [] }) => facts.map(({ kind, name }) => `${kind} ${name}`));
};

it.each<[string, string, readonly string[]]>([
  ['a.py', 'from googleapiclient.discovery import build\nclient = build("youtube", "v3")', ['module google:youtube']],
  ['a.py', 'from googleapiclient.discovery import build\nclient = build("tasks", "v1")', []],
  ['a.ts', "import { google } from 'googleapis';\nconst client = google.youtube({ version: 'v3' });", ['module google:youtube']],
  [
    'a.go',
    'package a\n\nimport (\n\t"golang.org/x/oauth2/github"\n\t"golang.org/x/oauth2/bitbucket"\n)',
    ['module golang.org/x/oauth2/github'],
  ],
  ['A.cs', 'var key = config.GetValue<string>(nameof(options.PayKey));', ['setting PayKey']],
  ['A.cs', 'var key = configuration["Pay:SecretKey"];', ['setting Pay:SecretKey']],
  ['A.cs', 'var id = reader.GetString("PayId");', []],
])('reads what code names in %s: %s', async (path, text, facts) => expect(await factsIn(path, text)).toEqual(facts));
