/** Colours in a format that every SVG viewer supports: `#rrggbb`. */

export const white = '#ffffff';

/** Converts a hue in degrees of any size and sign, and saturation and lightness in percent. */
export function hsl(hue: number, saturation: number, lightness: number): string {
  const strength = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
  const turn = (((hue % 360) + 360) % 360) / 30;
  const channel = (offset: number) => {
    const position = (offset + turn) % 12;
    const value =
      lightness / 100 - strength * Math.max(-1, Math.min(position - 3, 9 - position, 1));
    return toHex(value * 255);
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** Mixes two colours; `share` of 0 is `from`, 1 is `to`. */
export function mix(from: string, to: string, share: number): string {
  const channel = (start: number) => {
    const low = Number.parseInt(from.slice(start, start + 2), 16);
    const high = Number.parseInt(to.slice(start, start + 2), 16);
    return toHex(low + (high - low) * share);
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

function toHex(value: number): string {
  return Math.round(Math.min(255, Math.max(0, value)))
    .toString(16)
    .padStart(2, '0');
}
