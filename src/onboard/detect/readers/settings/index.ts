import type { FactReader } from '../../facts.ts';
import { docsSites } from './docs-sites.ts';
import { appSettings } from './dotnet.ts';
import { chosenDrivers } from './drivers.ts';
import { elixirSettings } from './elixir.ts';
import { javascriptSettings } from './javascript.ts';
import { hocon, jvmSettings } from './jvm.ts';
import { modules } from './modules.ts';
import { railsEnvironments, railsYaml } from './rails.ts';
import { symfony } from './symfony.ts';
import { wpConfig } from './wordpress.ts';

/** Readers of the settings of frameworks. */
export const settingsReaders: readonly FactReader[] = [
  jvmSettings,
  hocon,
  railsYaml,
  railsEnvironments,
  symfony,
  chosenDrivers,
  appSettings,
  modules,
  wpConfig,
  docsSites,
  elixirSettings,
  javascriptSettings,
];
