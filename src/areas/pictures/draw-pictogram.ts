/** What a product looks like, in a few flat shapes, in a square of 200. */

import { element } from './svg.js';

export interface PictogramInks {
  readonly main: string;
  readonly dark: string;
  readonly light: string;
  readonly accent: string;
}

type Ink = keyof PictogramInks;
type Shape = (inks: PictogramInks) => string;

const fill =
  (ink: Ink, d: string): Shape =>
  (inks) =>
    element('path', { d, fill: inks[ink] });

const line =
  (ink: Ink, width: number, d: string): Shape =>
  (inks) =>
    element('path', {
      d,
      fill: 'none',
      stroke: inks[ink],
      'stroke-width': width,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    });

const disc =
  (ink: Ink, cx: number, cy: number, r: number): Shape =>
  (inks) =>
    element('circle', { cx, cy, r, fill: inks[ink] });

const box =
  (ink: Ink, x: number, y: number, width: number, height: number, rx = 0): Shape =>
  (inks) =>
    element('rect', { x, y, width, height, rx, fill: inks[ink] });

/** The first whose pattern is found in the title. */
const byTitle: readonly (readonly [RegExp, readonly Shape[]])[] = [
  [
    /headphones/i,
    [
      line('dark', 14, 'M42 120V104a58 58 0 0 1 116 0v16'),
      box('main', 28, 108, 34, 60, 14),
      box('main', 138, 108, 34, 60, 14),
      box('light', 36, 120, 8, 36, 4),
      box('light', 156, 120, 8, 36, 4),
    ],
  ],
  [
    /keyboard/i,
    [
      box('dark', 14, 62, 172, 84, 12),
      ...[0, 1, 2].flatMap((row) =>
        Array.from({ length: 9 }, (_, column) =>
          box(
            (row * 9 + column) % 7 === 3 ? 'accent' : 'light',
            23 + column * 17.4,
            71 + row * 17,
            14,
            13,
            3,
          ),
        ),
      ),
      box('light', 58, 124, 84, 13, 3),
      box('main', 23, 124, 31, 13, 3),
      box('main', 146, 124, 31, 13, 3),
    ],
  ],
  [
    /camera/i,
    [
      box('dark', 60, 44, 50, 24, 6),
      box('main', 26, 58, 148, 98, 16),
      disc('dark', 112, 107, 40),
      disc('light', 112, 107, 31),
      disc('dark', 112, 107, 20),
      disc('accent', 105, 100, 7),
      box('accent', 40, 72, 22, 12, 4),
      disc('light', 51, 132, 6),
    ],
  ],
  [
    /speaker/i,
    [
      box('main', 52, 22, 96, 156, 24),
      disc('dark', 100, 122, 36),
      disc('light', 100, 122, 22),
      disc('dark', 100, 122, 9),
      disc('dark', 100, 62, 17),
      disc('accent', 100, 62, 8),
    ],
  ],
  [
    /e-reader/i,
    [
      box('dark', 46, 20, 108, 160, 14),
      box('light', 57, 33, 86, 122, 3),
      ...[0, 1, 2, 3, 4, 5].map((row) =>
        box(
          row === 0 ? 'accent' : 'main',
          68,
          48 + row * 16,
          row === 5 ? 38 : row === 0 ? 44 : 64,
          5,
          2,
        ),
      ),
      disc('light', 100, 167, 5),
    ],
  ],
  [
    /skillet/i,
    [
      box('dark', 120, 93, 74, 17, 8),
      disc('dark', 82, 102, 66),
      disc('main', 82, 102, 54),
      disc('light', 78, 104, 26),
      disc('accent', 80, 101, 12),
      disc('light', 184, 101.5, 4),
    ],
  ],
  [
    /coffee/i,
    [
      fill('light', 'M46 30h108L118 92H82z'),
      fill('main', 'M56 40h88l-9 16H65z'),
      box('dark', 72, 88, 56, 9, 4),
      fill('main', 'M70 104h60l14 66a8 8 0 0 1-8 8H64a8 8 0 0 1-8-8z'),
      fill('dark', 'M63 138h74l7 32a8 8 0 0 1-8 8H64a8 8 0 0 1-8-8z'),
      line('dark', 9, 'M138 118h14a16 16 0 0 1 4 34'),
      disc('accent', 100, 100, 5),
    ],
  ],
  [
    /knife/i,
    [
      fill('light', 'M88 26C128 50 140 96 132 128H88z'),
      fill('main', 'M88 26C104 52 108 96 104 128H88z'),
      box('dark', 86, 128, 28, 52, 9),
      disc('accent', 100, 142, 4),
      disc('accent', 100, 164, 4),
    ],
  ],
  [
    /dinner set/i,
    [
      disc('dark', 100, 100, 64),
      disc('light', 100, 100, 58),
      disc('main', 100, 100, 40),
      disc('light', 100, 100, 34),
      line('dark', 6, 'M20 44v112M10 44v24a10 10 0 0 0 20 0V44'),
      fill('dark', 'M176 44c14 10 14 46 0 56z'),
      line('dark', 6, 'M176 44v112'),
    ],
  ],
  [
    /stockpot/i,
    [
      box('main', 40, 76, 120, 88, 14),
      box('dark', 32, 66, 136, 14, 7),
      fill('light', 'M46 64a54 30 0 0 1 108 0z'),
      disc('dark', 100, 32, 9),
      line('dark', 9, 'M38 100H20M162 100h18'),
      line('accent', 5, 'M58 100v40'),
    ],
  ],
  [
    /sweater/i,
    [
      fill('main', 'M70 34l30 12 30-12 46 40-20 34-16-12v76H60V96l-16 12-20-34z'),
      line(
        'light',
        7,
        'M64 112l12-10 12 10 12-10 12 10 12-10 12 10M64 132l12-10 12 10 12-10 12 10 12-10 12 10',
      ),
      fill('dark', 'M70 34l30 12 30-12-8 20a26 26 0 0 1-44 0z'),
      box('dark', 60, 162, 80, 10),
    ],
  ],
  [
    /jacket/i,
    [
      fill('dark', 'M74 44a26 30 0 0 1 52 0l6 12H68z'),
      fill('main', 'M66 46l34 14 34-14 38 36-18 92-22-4 2 10H66l2-10-22 4-18-92z'),
      line('dark', 5, 'M100 60v120'),
      line('dark', 5, 'M68 132h18M114 132h18'),
      ...[0, 1, 2].map((drop) =>
        fill('accent', `M${26 + drop * 66} ${20 + (drop % 2) * 6}q8 10 0 16q-8-6 0-16z`),
      ),
    ],
  ],
  [
    /linen.*shirt/i,
    [
      fill('light', 'M68 34l32 16 32-16 46 34-22 36-16-10v80H60V94l-16 10-22-36z'),
      fill('main', 'M68 34l32 16-18 22-22-28zM132 34l-32 16 18 22 22-28z'),
      line('main', 4, 'M100 52v122'),
      ...[78, 104, 130, 156].map((y) => disc('dark', 106, y, 4)),
      box('main', 118, 92, 22, 24, 3),
    ],
  ],
  [
    /t-shirt/i,
    [
      fill('main', 'M68 36q32 26 64 0l48 34-24 38-16-10v78H60V98l-16 10-24-38z'),
      line('dark', 6, 'M68 36q32 26 64 0'),
      disc('accent', 100, 114, 20),
      fill('light', 'M100 126q-20-12-8-28q18 4 8 28zM100 126q18-10 9-24q-12 6-9 24z'),
    ],
  ],
  [
    /beanie/i,
    [
      disc('accent', 100, 34, 16),
      fill('main', 'M38 138a62 92 0 0 1 124 0z'),
      line('light', 6, 'M68 132q-4-44 14-70M100 132V56M132 132q4-44-14-70'),
      box('dark', 30, 130, 140, 36, 14),
      ...[0, 1, 2, 3, 4, 5].map((index) => line('main', 4, `M${48 + index * 21} 138v20`)),
    ],
  ],
  [
    /tent/i,
    [
      fill('main', 'M100 36L190 164H10z'),
      fill('dark', 'M100 84l40 80H60z'),
      fill('light', 'M100 84l-40 80H78q18-30 22-80z'),
      line('dark', 5, 'M100 36l-8-14M100 36l8-14'),
      line('accent', 4, 'M10 164l-4 8M190 164l4 8'),
    ],
  ],
  [
    /bottle/i,
    [
      box('dark', 82, 16, 36, 24, 6),
      fill(
        'main',
        'M78 44h44q16 16 16 40v84a14 14 0 0 1-14 14H76a14 14 0 0 1-14-14V84q0-24 16-40z',
      ),
      box('light', 62, 104, 76, 34),
      line('accent', 5, 'M76 128l14-14 10 8 12-12 12 14'),
      box('light', 72, 72, 8, 22, 4),
    ],
  ],
  [
    /shoes/i,
    [
      fill('main', 'M24 70q18 22 46 4l52 40q42 4 54 28v12H24z'),
      box('light', 18, 148, 164, 18, 9),
      fill('dark', 'M24 70q18 22 46 4l10 8q-22 28-56 18z'),
      line('light', 6, 'M84 84l-12 18M100 96l-12 18M116 108l-12 18'),
      fill('accent', 'M24 116h52q26 4 38 26H24z'),
    ],
  ],
  [
    /headlamp/i,
    [
      line('dark', 18, 'M24 92a78 62 0 0 1 152 0'),
      box('main', 66, 54, 68, 74, 18),
      disc('dark', 100, 91, 26),
      disc('light', 100, 91, 19),
      disc('accent', 100, 91, 9),
      line('accent', 7, 'M100 146v30M66 140l-16 26M134 140l16 26'),
    ],
  ],
  [
    /hammock/i,
    [
      line('dark', 10, 'M26 30v148M174 30v148'),
      fill('main', 'M28 74q72 108 144 0l-8 46q-64 62-128 0z'),
      line('light', 5, 'M46 106q54 60 108 0M40 92q60 72 120 0'),
      line('dark', 4, 'M26 60l10 22M174 60l-10 22'),
    ],
  ],
  [
    /marble run/i,
    [
      line('dark', 9, 'M34 24v152M166 24v152'),
      line('main', 11, 'M34 50l112 24M166 94L54 118M34 138l112 24'),
      disc('accent', 62, 42, 11),
      disc('light', 124, 90, 11),
      disc('accent', 140, 148, 11),
    ],
  ],
  [
    /solar system/i,
    [
      box('dark', 24, 24, 152, 152, 14),
      line('main', 3, 'M100 52a48 48 0 1 0 .1 0M100 30a70 70 0 1 0 .1 0M100 74a26 26 0 1 0 .1 0'),
      disc('accent', 100, 100, 15),
      disc('light', 126, 100, 6),
      disc('main', 66, 66, 9),
      disc('light', 150, 148, 11),
      fill('accent', 'M24 76h14a11 11 0 1 1 0 22H24zM102 24v10a10 10 0 1 0 20 0V24z'),
    ],
  ],
  [
    /magnetic/i,
    [
      box('main', 30, 108, 64, 64, 6),
      box('accent', 106, 108, 64, 64, 6),
      fill('light', 'M62 42l34 58H28z'),
      fill('dark', 'M138 42l34 58h-68z'),
      box('light', 44, 122, 36, 36, 3),
      box('light', 120, 122, 36, 36, 3),
      fill('main', 'M138 64l16 28h-32z'),
      fill('accent', 'M62 64l16 28H46z'),
    ],
  ],
  [
    /board game/i,
    [
      fill('dark', 'M20 170l20-40h120l20 40z'),
      fill('light', 'M84 60h32l10 74H74z'),
      fill('main', 'M81 82h38l3 20H78zM75 124h50l1 10H74z'),
      box('dark', 82, 42, 36, 20, 3),
      disc('accent', 100, 50, 8),
      fill('main', 'M80 42l20-18 20 18z'),
      fill('accent', 'M120 46l56-14v30zM80 46L24 32v30z'),
    ],
  ],
  [
    /microscope/i,
    [
      fill('dark', 'M40 168h120v12H40z'),
      line('dark', 14, 'M112 62a54 54 0 0 1 6 104H76'),
      fill('main', 'M84 26l26 14-34 62-26-14z'),
      fill('accent', 'M92 14l26 14-6 12-26-14z'),
      fill('light', 'M54 92l18 10-8 16-18-10z'),
      box('main', 44, 130, 62, 12, 5),
      disc('accent', 116, 74, 9),
    ],
  ],
  [
    /notebook/i,
    [
      box('dark', 44, 22, 118, 156, 10),
      box('main', 38, 22, 116, 156, 10),
      box('light', 62, 46, 76, 108, 4),
      ...Array.from({ length: 30 }, (_, index) =>
        disc('main', 70 + (index % 5) * 15, 56 + Math.floor(index / 5) * 17, 2.4),
      ),
      line('accent', 7, 'M146 22v156'),
      ...[46, 82, 118, 154].map((y) => box('dark', 30, y - 4, 18, 8, 4)),
    ],
  ],
  [
    /fountain pen/i,
    [
      fill('main', 'M140 20l40 40-62 62-40-40z'),
      fill('dark', 'M78 82l40 40-12 12-40-40z'),
      fill('accent', 'M66 94l40 40-26 10-48 32-8-8 32-48z'),
      line('dark', 4, 'M28 172l42-42'),
      disc('dark', 74, 126, 6),
      line('light', 6, 'M140 36l24 24'),
      line('main', 5, 'M24 184q40-16 76-2'),
    ],
  ],
  [
    /watercolour/i,
    [
      box('dark', 18, 52, 164, 112, 12),
      ...Array.from({ length: 12 }, (_, index) =>
        disc(
          (['main', 'accent', 'light'] as const)[(index * 2 + Math.floor(index / 4)) % 3] ?? 'main',
          42 + (index % 4) * 27,
          78 + Math.floor(index / 4) * 28,
          11,
        ),
      ),
      line('main', 8, 'M158 34v84'),
      fill('accent', 'M152 116h12q2 22-6 34q-8-12-6-34z'),
    ],
  ],
  [
    /organiser/i,
    [
      box('main', 34, 96, 58, 78, 6),
      box('dark', 98, 66, 46, 108, 6),
      box('main', 150, 122, 28, 52, 6),
      line('accent', 8, 'M52 92V40M70 92V56'),
      line('light', 8, 'M114 62V26'),
      fill('accent', 'M124 62V34l14-8v36z'),
      box('light', 46, 118, 34, 6, 3),
      box('light', 46, 134, 22, 6, 3),
    ],
  ],
  [
    /sharpener/i,
    [
      fill('main', 'M36 84h100l28 22v18l-28 22H36z'),
      box('dark', 36, 100, 128, 30),
      line('light', 6, 'M58 94l62 10'),
      disc('accent', 92, 115, 10),
      line('dark', 4, 'M86 109l12 12'),
      fill('accent', 'M164 108l28 7-28 7z'),
      line('main', 6, 'M52 74q8-26 30-18q20 8 8 20q-14 6-14-10'),
    ],
  ],
];

const parcel: readonly Shape[] = [
  fill('main', 'M100 24l76 38v78l-76 38-76-38V62z'),
  fill('light', 'M100 24l76 38-76 38-76-38z'),
  fill('dark', 'M100 100l76-38v78l-76 38z'),
  fill('accent', 'M56 46l76 38v34l16-8V76L72 38z'),
];

/** The shapes for a product of this title; a parcel for what is not known. */
export function drawPictogram(title: string, inks: PictogramInks): string[] {
  const [, shapes] = byTitle.find(([pattern]) => pattern.test(title)) ?? [undefined, parcel];
  return shapes.map((shape) => shape(inks));
}
