import type { Renderer } from './renderer.ts';
export const html: Renderer = { title: 'one page with charts', extensions: ['html', 'htm'], hasCharts: true, render: () => '' };
