import { existsSync, readFileSync } from 'node:fs';

/** The folder of the package, where its data are; ends with a slash. It is above `src` and above `dist`. */
export const packageFolder = findUpwards('package.json', new URL('./', import.meta.url));

function findUpwards(name: string, folder: URL): URL {
  return existsSync(new URL(name, folder)) ? folder : findUpwards(name, new URL('../', folder));
}

const packageFile = readFileSync(new URL('package.json', packageFolder), 'utf8');

const { version, repository } = JSON.parse(packageFile);

export const packageVersion: string = version;

/** The URL to clone from, once `repository` of `package.json` names a public place. */
export const repositoryUrl: string | undefined = repository?.url.replace(/^git\+/, '');
