/** Colour palettes for covers and posters. */

/** The background is lightest at the top. */
export type Palette = Readonly<Record<'top' | 'middle' | 'bottom' | 'light' | 'accent', string>>;

const palettes: readonly [Palette, ...Palette[]] = [
  { top: '#2b4a7f', middle: '#1b2b52', bottom: '#0b1020', light: '#f6e7c8', accent: '#e8a33d' },
  { top: '#8f2d38', middle: '#5a1a28', bottom: '#170a10', light: '#f7e3d4', accent: '#ef7350' },
  { top: '#2a7f86', middle: '#15494f', bottom: '#071c20', light: '#f4efe1', accent: '#ff8360' },
  { top: '#5a3472', middle: '#3b2352', bottom: '#120b1c', light: '#f5e6d3', accent: '#f2b84b' },
  { top: '#3e6b4f', middle: '#22452f', bottom: '#0b1711', light: '#f2ecd4', accent: '#dd9645' },
  { top: '#4b5563', middle: '#2d3440', bottom: '#0d0f14', light: '#eeeae3', accent: '#e05252' },
  { top: '#d9734e', middle: '#8a3b4a', bottom: '#1f1024', light: '#ffe9c9', accent: '#f4b860' },
  { top: '#2f78b0', middle: '#1a4471', bottom: '#0a1830', light: '#e9f4f6', accent: '#7fd1c7' },
  { top: '#b98a5a', middle: '#6e4a33', bottom: '#20140e', light: '#fbf0dc', accent: '#5fb3af' },
  { top: '#6d4aa3', middle: '#3f2e70', bottom: '#130e28', light: '#f6e4f2', accent: '#f27ba5' },
  { top: '#77794a', middle: '#4a4c2c', bottom: '#16170c', light: '#f5efd6', accent: '#dd7644' },
  { top: '#b05a7a', middle: '#62304f', bottom: '#180d1c', light: '#fde8e4', accent: '#86b8ea' },
];

/** Neighbouring ids get very different palettes. */
export function paletteOf(id: number): Palette {
  return palettes[(id * 5) % palettes.length] ?? palettes[0];
}
