import type { FactReader } from '../../facts.ts';
import { dotnet } from './dotnet.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { jvm } from './jvm.ts';
import { dart, swift } from './mobile.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

/** The readers of code, one a language. */
export const codeReaders: readonly FactReader[] = [javascript, python, ruby, go, rust, php, jvm, dotnet, elixir, dart, swift];
