// What travels inside a page: our style sheet and script, and the Vega runtime of the installed package, each with its hash.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cssDarkCharts, cssVariables, KIND_COLOURS } from '../palette.ts';

export interface Asset {
  text: string;
  /** As a Content-Security-Policy source. */
  hash: string;
}

function asset(text: string): Asset {
  return { text, hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` };
}

// The same two steps up from src/report/page and from dist/report/page.
function own(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../src/report/page/${name}`, import.meta.url)), 'utf8');
}

const require = createRequire(import.meta.url);

function vegaRuntime(): string {
  return readFileSync(join(dirname(require.resolve('vega')), 'vega.min.js'), 'utf8');
}

const IMPORT = /^import \{([^}]*)\} from 'vega-util';$/m;
const EXPORT = /^export \{ (\w+) as expressionInterpreter \};$/m;

// The interpreter ships as a module only; all that it imports is part of the runtime.
function vegaInterpreter(): string {
  const source = readFileSync(require.resolve('vega-interpreter'), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
  if (!IMPORT.test(source) || !EXPORT.test(source)) throw new Error('vega-interpreter has another shape than its version 2');
  const body = source.replace(IMPORT, 'const {$1} = vega;').replace(EXPORT, 'vega.expressionInterpreter = $1;');
  return `(() => {\n${body}\n})();`;
}

const EXPORTED = /^export (?=(?:function|const) (\w+))/gm;

// The module whose functions drew the page, as one value of the page's script.
function slicing(): string {
  const source = readFileSync(new URL('./slice.js', import.meta.url), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
  const names = Array.from(source.matchAll(EXPORTED), ([, name]) => name);
  return `const slicing = (() => {\n${source.replace(EXPORTED, '')}\nreturn { ${names.join(', ')} };\n})();`;
}

/** Returns the page's style sheet. */
export function styleSheet(): Asset {
  const swatches = Object.keys(KIND_COLOURS).map((kind) => `.kind-${kind}{background:var(--kind-${kind})}`);
  const palette = `:root{${cssVariables('light')}}@media screen and (prefers-color-scheme:dark){:root{${cssVariables('dark')}}${cssDarkCharts()}}`;
  return asset(`${palette}\n${swatches.join('')}\n${own('page.css')}`);
}

/** Returns the page's only script: the runtime that draws, the interpreter that spares it `eval`, and ours. */
export function script(): Asset {
  const text = [vegaRuntime(), vegaInterpreter(), slicing(), `(() => {\n${own('page.js')}\n})();`].join('\n');
  if (/<\/script|<!--/i.test(text)) throw new Error('a script that holds markup cannot travel in a page');
  return asset(text);
}
