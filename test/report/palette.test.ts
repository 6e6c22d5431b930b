import { describe, expect, it } from 'vitest';
import { cssDarkCharts, KIND_COLOURS, SURFACES } from '../../src/report/palette.ts';
import { KINDS, type Kind } from '../../src/record.ts';

type Vector = readonly [number, number, number];
const SCHEMES = ['light', 'dark'] as const;
const NEUTRAL: ReadonlySet<Kind> = new Set(['ok', 'client_gone', 'ambiguous', 'noise']);

/** Machado, Oliveira and Fernandes 2009, full severity, on linear RGB. */
const SIGHTS: Readonly<Record<string, readonly [Vector, Vector, Vector]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const channel = (hex: string, at: number): number => {
  const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};
const linear = (hex: string): Vector => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];
const luminance = (hex: string): number => dot([0.2126, 0.7152, 0.0722], linear(hex));
const contrast = (a: string, b: string): number => {
  const [high, low] = luminance(a) > luminance(b) ? [a, b] : [b, a];
  return (luminance(high) + 0.05) / (luminance(low) + 0.05);
};

function oklab(hex: string, sight: readonly [Vector, Vector, Vector]): Vector {
  const rgb = linear(hex);
  const clamp = (row: Vector): number => Math.min(1, Math.max(0, dot(row, rgb)));
  const seen: Vector = [clamp(sight[0]), clamp(sight[1]), clamp(sight[2])];
  const lms: Vector = [
    Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], seen)),
    Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], seen)),
    Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], seen)),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], lms),
    dot([1.9779984951, -2.428592205, 0.4505937099], lms),
    dot([0.0259040371, 0.7827717662, -0.808675766], lms),
  ];
}

const distance = (a: string, b: string, sight: readonly [Vector, Vector, Vector]): number =>
  Math.hypot(...oklab(a, sight).map((v, i) => v - (oklab(b, sight)[i] ?? 0)));

describe.each(SCHEMES)('on %s ground', (scheme) => {
  const ground = SURFACES.ground[scheme];

  it.each(KINDS)('%s stands out', (kind) => expect(contrast(KIND_COLOURS[kind][scheme], ground)).toBeGreaterThanOrEqual(3));

  it.each(['ink', 'quiet', 'spared', 'link'] as const)('text in %s is legible, also on a wash', (surface) => {
    expect(contrast(SURFACES[surface][scheme], ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(SURFACES[surface][scheme], SURFACES.wash[scheme])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(Object.entries(SIGHTS))('kinds differ for %s sight', (_, sight) => {
    const pairs = KINDS.flatMap((a, i) => KINDS.slice(i + 1).map((b) => [a, b] as const));
    const close = pairs.filter(([a, b]) => {
      const least = NEUTRAL.has(a) && NEUTRAL.has(b) ? 0.03 : 0.06;
      return distance(KIND_COLOURS[a][scheme], KIND_COLOURS[b][scheme], sight) < least;
    });
    expect(close).toEqual([]);
  });
});

it('no two colours of the light scheme are the same, or one could not be turned dark', () => {
  const all = [...Object.values(KIND_COLOURS), ...Object.values(SURFACES)].map(({ light }) => light);
  expect(new Set(all).size).toBe(all.length);
  expect(cssDarkCharts()).toContain(`[fill="${KIND_COLOURS.semantic.light}"]{fill:${KIND_COLOURS.semantic.dark}}`);
});
