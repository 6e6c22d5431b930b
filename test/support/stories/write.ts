// Writes the generated files of every story to samples/stories; what lies beside them is written by hand.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { STORIES } from './index.ts';

for (const [name, make] of Object.entries(STORIES)) {
  const folder = fileURLToPath(new URL(`../../../samples/stories/${name}/`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(make())) writeFileSync(`${folder}${file}`, text);
}
