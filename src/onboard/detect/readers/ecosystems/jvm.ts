import type { FactReader } from '../../facts.ts';
import { jvm } from '../code/jvm.ts';
import { buildGradle, settingsGradle } from '../packages/gradle.ts';
import { clojure, sbt } from '../packages/jvm-text.ts';
import { pomXml } from '../packages/maven.ts';

export const readers: readonly FactReader[] = [buildGradle, settingsGradle, pomXml, sbt, clojure, jvm];
