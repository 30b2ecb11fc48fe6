/** The licenses of bundled packages, which their authors require to be shipped. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * @param {readonly string[]} modules Paths of files
 * @returns {string} With nothing that ends a comment of JavaScript
 */
export function licensesOf(modules) {
  const folders = modules.flatMap((module) => {
    const [, folder] =
      /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(module) ?? [];
    return folder ?? [];
  });
  const texts = [...new Set(folders)].sort().map(licenseOf);
  return ['What this is made of:', ...texts].join('\n\n').replaceAll('*/', '* /');
}

/** @param {string} folder */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const found = files.filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = found.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
