// One chart as a picture, for slides and tickets.
import { CHARTS } from './charts/index.ts';
import { drawCharts } from './charts/draw.ts';
import { escapeXml } from './escape.ts';
import type { Renderer } from './renderer.ts';

const NOTHING = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 1 1">';

export const svg: Renderer = {
  title: 'one chart: requests over time, or what --chart names',
  extensions: ['svg'],
  hasCharts: true,
  async render(findings, { series, chart: name }) {
    const chart = series === null ? undefined : CHARTS[name](findings, series);
    if (chart === undefined) return `${NOTHING}<title>${escapeXml(`nothing to draw: ${name}`)}</title></svg>\n`;
    const [drawn] = await drawCharts([chart]);
    const words = `<title>${escapeXml(chart.title)}</title><desc>${escapeXml(chart.description)}</desc>`;
    return `${drawn?.svg.replace(/^<svg [^>]*>/, (open) => `${open}${words}`) ?? NOTHING}\n`;
  },
};
