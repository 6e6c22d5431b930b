// One palette for terminal, charts and page. Colours of kinds were searched for distance in OKLab under normal, protan, deutan and
// tritan sight, with at least 3:1 against their ground; a test holds both. Neutral kinds are grey so that refusals stand out.
import type { Kind } from '../record.ts';

export interface Colour {
  /** On white. */
  light: string;
  /** On the dark ground. */
  dark: string;
  /** SGR parameter of the nearest of the terminal's own sixteen colours, which the user's theme makes legible. */
  sgr: number;
}

export const KIND_COLOURS: Readonly<Record<Kind, Colour>> = {
  ok: { light: '#8b95a1', dark: '#88929e', sgr: 37 },
  protocol_not_supported: { light: '#a3123f', dark: '#d22f6b', sgr: 31 },
  interface_not_declared: { light: '#d47816', dark: '#e77143', sgr: 91 },
  policy_refused: { light: '#3d2a06', dark: '#ffe0a1', sgr: 31 },
  semantic: { light: '#622679', dark: '#8f67b5', sgr: 35 },
  corrective: { light: '#866a0a', dark: '#7c6200', sgr: 33 },
  auth: { light: '#cc3cb6', dark: '#fe8de8', sgr: 95 },
  throttled: { light: '#5786f1', dark: '#5880fd', sgr: 34 },
  transient: { light: '#367487', dark: '#90fdfd', sgr: 36 },
  client_gone: { light: '#618265', dark: '#9bbb97', sgr: 32 },
  ambiguous: { light: '#4d5560', dark: '#a3a3a3', sgr: 90 },
  noise: { light: '#8f897c', dark: '#d0c7b2', sgr: 90 },
};

/** Colours of everything that is not a kind. */
export const SURFACES = {
  ground: { light: '#ffffff', dark: '#14171a' },
  ink: { light: '#16191d', dark: '#e8eaed' },
  quiet: { light: '#59616b', dark: '#a2abb5' },
  line: { light: '#dcdfe3', dark: '#32383f' },
  wash: { light: '#f5f6f8', dark: '#1d2125' },
  spared: { light: '#b9400f', dark: '#ff8a4c' },
  link: { light: '#1d4fae', dark: '#8ab4ff' },
} as const satisfies Record<string, Omit<Colour, 'sgr'>>;

export type Surface = keyof typeof SURFACES;

/** SGR parameters of the terminal report's own parts. */
export const SGR = { strong: 1, quiet: 2, spared: 91, bad: 31 } as const;

/** Returns the CSS custom properties of the palette for one scheme: `--ink`, `--kind-ok`. */
export function cssVariables(scheme: 'light' | 'dark'): string {
  const surfaces = Object.entries(SURFACES).map(([name, colour]) => `--${name}:${colour[scheme]}`);
  const kinds = Object.entries(KIND_COLOURS).map(([kind, colour]) => `--kind-${kind}:${colour[scheme]}`);
  return [...surfaces, ...kinds].join(';');
}

/** Returns the rules that turn charts drawn in light colours dark: attribute selectors reach drawn and live SVG alike. */
export function cssDarkCharts(): string {
  return [...Object.values(SURFACES), ...Object.values(KIND_COLOURS)]
    .flatMap(({ light, dark }) => [
      `figure svg [fill="${light}"]{fill:${dark}}`,
      `figure svg [stroke="${light}"]{stroke:${dark}}`,
    ])
    .join('');
}
