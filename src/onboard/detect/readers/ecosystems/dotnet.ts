import type { FactReader } from '../../facts.ts';
import { dotnet } from '../code/dotnet.ts';
import { dotnetProject, packagesConfig, paket, solution } from '../packages/dotnet.ts';
import { appSettings } from '../settings/dotnet.ts';

export const readers: readonly FactReader[] = [dotnetProject, packagesConfig, solution, paket, appSettings, dotnet];
