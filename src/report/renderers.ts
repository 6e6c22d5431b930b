// The list of renderers. Order is that of `--help`.
import type { Findings } from '../findings/findings.ts';
import { csv } from './csv.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { ndjson } from './ndjson.ts';
import { inOrder } from './order.ts';
import { prometheus } from './prometheus.ts';
import { DEFAULT_OPTIONS, maybeFormatIn, type Renderer, type RenderOptions } from './renderer.ts';
import { svg } from './svg.ts';
import { text } from './text.ts';

export const renderers = { text, json, ndjson, csv, markdown, html, svg, prometheus, junit } as const satisfies Record<
  string,
  Renderer
>;

export type OutputFormat = keyof typeof renderers;

export const OUTPUT_FORMATS = Object.keys(renderers) as readonly OutputFormat[];

/** Returns the format that a file name asks for by its extension, if any does. */
export function maybeFormatOf(fileName: string): OutputFormat | undefined {
  return maybeFormatIn(renderers, fileName);
}

/** Returns the findings in a format. */
export async function render(format: OutputFormat, findings: Findings, options: Partial<RenderOptions> = {}): Promise<string> {
  return renderers[format].render(inOrder(findings), { ...DEFAULT_OPTIONS, ...options });
}
