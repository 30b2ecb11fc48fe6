import { existsSync, readFileSync } from 'node:fs';

/**
 * URL of the package folder, where its data is; ends with a slash. It is above `src` and above
 * `dist`.
 */
export const packageFolder = findUpwards('package.json', new URL('./', import.meta.url));

function findUpwards(name: string, folder: URL): URL {
  return existsSync(new URL(name, folder)) ? folder : findUpwards(name, new URL('../', folder));
}

const packageFile = readFileSync(new URL('package.json', packageFolder), 'utf8');

export const packageVersion: string = JSON.parse(packageFile).version;
