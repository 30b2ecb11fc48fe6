/** Draws products as a few flat shapes, in a square of 200: the files of `data/pictograms/`. */

import { lazily } from '#base/lazily.js';
import { namesInPackage, readPackageFile } from '#base/package/package-files.js';

/** Variables of the files (`var(--main)`), which have default colours for direct viewing. */
type Inks = Readonly<Record<'main' | 'dark' | 'light' | 'accent', string>>;

const folder = 'data/pictograms/';

/** The longest first, so that a T-shirt does not match a shirt. */
const names = lazily(() =>
  namesInPackage(folder)
    .map((file) => file.replace('.svg', ''))
    .sort((a, b) => b.length - a.length),
);

/** Returns the shapes for a product title that contains the name of a file; a parcel for others. */
export function drawPictogram(title: string, inks: Inks): string[] {
  const words = title.toLowerCase().replaceAll(' ', '-');
  const name = names().find((each) => words.includes(each)) ?? 'parcel';
  const file = String(readPackageFile(`${folder}${name}.svg`));
  // One shape per line, between the first and last line of the file.
  const shapes = file.trim().split('\n').slice(1, -1);
  return shapes.map((shape) =>
    shape.replace(/var\(--(\w+)\)/, (_all, ink: keyof Inks) => inks[ink]),
  );
}
