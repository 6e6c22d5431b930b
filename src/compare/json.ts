// The comparison as it is, schema `stormgate.compare/1`.
import { toJson } from '../report/escape.ts';
import type { Renderer } from '../report/renderer.ts';
import type { Comparison } from './comparison.ts';

export const json: Renderer<Comparison> = {
  title: 'the whole comparison, schema stormgate.compare/1',
  extensions: ['json'],
  hasCharts: false,
  render: (comparison) => `${toJson(comparison, 2)}\n`,
};
