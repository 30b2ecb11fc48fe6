/** Products in a few flat shapes, in a square of 200: the files of `data/pictograms/`. */

import { lazily } from '../../base/lazily.js';
import { namesInPackage, readPackageFile } from '../../base/package/package-files.js';

/** Each is a variable of the files (`var(--main)`), which have colours of their own for those who open one. */
type Inks = Readonly<Record<'main' | 'dark' | 'light' | 'accent', string>>;

const folder = 'data/pictograms/';

/** The longest first, so that a T-shirt is no shirt. */
const names = lazily(() =>
  namesInPackage(folder)
    .map((file) => file.replace('.svg', ''))
    .sort((a, b) => b.length - a.length),
);

/** The shapes for a product of this title, which has the name of a file in it; a parcel for others. */
export function drawPictogram(title: string, inks: Inks): string[] {
  const words = title.toLowerCase().replaceAll(' ', '-');
  const name = names().find((each) => words.includes(each)) ?? 'parcel';
  const file = String(readPackageFile(`${folder}${name}.svg`));
  // A shape a line, between the lines that begin and end the file.
  const shapes = file.trim().split('\n').slice(1, -1);
  return shapes.map((shape) =>
    shape.replace(/var\(--(\w+)\)/, (_all, ink: keyof Inks) => inks[ink]),
  );
}
