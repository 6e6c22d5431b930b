// Vega-Lite to Vega to SVG, when the report is written. The heavy libraries load here, and only when a chart is drawn.
import type { Spec } from 'vega';
import type { LoggerInterface } from 'vega-util';
import type { Chart } from './chart.ts';

export interface Drawn {
  chart: Chart;
  /** The compiled chart, for the live view. */
  vega: Spec;
  /** The chart as it reads without script: same input, same bytes. */
  svg: string;
}

function loggerTo(warn: (message: string) => void): LoggerInterface {
  const logger: LoggerInterface = {
    level: ((level?: number) => (level === undefined ? 0 : logger)) as LoggerInterface['level'],
    error: (...messages) => (warn(messages.join(' ')), logger),
    warn: (...messages) => (warn(messages.join(' ')), logger),
    info: () => logger,
    debug: () => logger,
  };
  return logger;
}

// Hundredths of a pixel are enough, and a third of the size.
function rounded(svg: string): string {
  return svg.replace(/ (?:d|transform)="[^"]*"/g, (attribute) =>
    attribute.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2)))),
  );
}

/** Returns the charts drawn, in order. `warn` hears what the compiler has to say; there should be nothing. */
export async function drawCharts(charts: readonly Chart[], warn: (message: string) => void = () => {}): Promise<Drawn[]> {
  if (charts.length === 0) return [];
  const [{ compile }, { parse, View, ...vega }, { expressionInterpreter }] = await Promise.all([
    import('vega-lite'),
    import('vega'),
    import('vega-interpreter'),
  ]);
  // A canvas package that happens to be installed would measure text, and the drawing would differ from host to host.
  (vega as unknown as { textMetrics: { canvas(isUsed: boolean): void } }).textMetrics.canvas(false);
  const logger = loggerTo(warn);
  return Promise.all(
    charts.map(async (chart) => {
      const spec = compile(chart.spec, { logger }).spec;
      const view = new View(parse(spec, undefined, { ast: true }), { renderer: 'none', expr: expressionInterpreter, logger });
      const svg = rounded(await view.toSVG());
      view.finalize();
      return { chart, vega: spec, svg };
    }),
  );
}
