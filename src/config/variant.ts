/** Variants of the service, each with another API description. */

import type { SettingTable } from './setting.js';

/** Returns the settings of the description that differ from their defaults, such as `accounts-required`. */
export function variantOf(settings: SettingTable, config: object): string {
  const values = config as Readonly<Record<string, unknown>>;
  const differing = Object.entries(settings).flatMap(([name, setting]) => {
    const value = values[name];
    return setting.isDescribed && value !== setting.default ? `${name}-${value}` : [];
  });
  return differing.join('_') || 'default';
}
