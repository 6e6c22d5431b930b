// The public report, schema `stormgate.report/1`: the findings as they are.
import { toJson } from './escape.ts';
import type { Renderer } from './renderer.ts';

export const json: Renderer = {
  title: 'the whole report, schema stormgate.report/1',
  extensions: ['json'],
  hasCharts: false,
  render: (findings) => `${toJson(findings, 2)}\n`,
};
