import type { Problems } from './problems.ts';
import type { Tree } from './tree.ts';

export interface YamlFile {
  readonly root: Tree;
  /** Mistakes that leave the file readable: a key given twice, a tag, `.nan`. */
  readonly problems: Problems;
  /** The hint of a `# TODO` comment on or above a value; `null` where there is none. */
  todoOf(tree: Tree): string | null;
  /** `root` once more, from the text, for who let go of it. */
  readonly readAgain: () => Tree;
}
