import { statSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pageTexts } from '../docs/page-paths.ts';
import { readPage } from '../docs/read-page.ts';
import { root } from '../tasks.ts';
import { configText, styleText, themeText } from './config.ts';
import { type Repository, type SitePage, sitePage } from './page.ts';
import { filePlace, placeOf } from './places.ts';
import { sidebarsOf } from './sidebar.ts';

/** Every page of the site, and the titles that its sidebar shows, by their paths in the repository. */
export async function sitePages(): Promise<{ readonly pages: readonly SitePage[]; readonly titles: ReadonlyMap<string, string> }> {
  const texts = await pageTexts();
  const repository: Repository = {
    isPage: (path) => texts.has(path) && placeOf(path) !== null,
    isFile: (path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true,
    isFolder: (path) => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true,
  };
  const pages: SitePage[] = [];
  const titles = new Map<string, string>();
  for (const [path, text] of texts) {
    const place = placeOf(path);
    if (place === null) continue;
    titles.set(path, readPage(text).headings[0]?.text ?? path);
    pages.push(sitePage(path, place, text, repository));
  }
  return { pages, titles };
}

/** Writes all sources of the site into `folder`, and removes the old content of the folder. */
export async function stage(folder: string): Promise<{ readonly pages: number; readonly pictures: number }> {
  const { pages, titles } = await sitePages();
  await rm(folder, { recursive: true, force: true });
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (const { place, text, pictures } of pages) {
    await write(place, text);
    for (const { name, light, dark } of pictures) {
      await write(`public/pictures/${name}.svg`, light);
      await write(`public/pictures/${name}-dark.svg`, dark);
    }
  }
  for (const path of new Set(pages.flatMap(({ files }) => files))) {
    const target = join(folder, 'public', filePlace(path));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(root, path), target);
  }
  await write('.vitepress/config.ts', configText(sidebarsOf(titles)));
  await write('.vitepress/theme/index.ts', themeText);
  await write('.vitepress/theme/style.css', styleText);
  return { pages: pages.length, pictures: pages.flatMap(({ pictures }) => pictures).length };
}
