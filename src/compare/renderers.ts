// The list of renderers of a comparison. Order is that of `--help`.
import type { Renderers } from '../report/renderer.ts';
import type { Comparison } from './comparison.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { text } from './text.ts';

export const renderers = { text, json, markdown, html } as const satisfies Renderers<Comparison>;
