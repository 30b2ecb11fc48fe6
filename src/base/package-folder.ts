import { existsSync } from 'node:fs';

/** The folder of the package, where its data lie; ends with a slash. It is above `src` and above `dist`. */
export const packageFolder = findUpwards('package.json', new URL('./', import.meta.url));

function findUpwards(name: string, folder: URL): URL {
  return existsSync(new URL(name, folder)) ? folder : findUpwards(name, new URL('../', folder));
}
