/** Variants of the service: services of one variant describe themselves alike. */

import type { SettingTable } from './setting.js';

/** Names the settings that change the description and differ from their defaults, such as `accounts-required`. */
export function variantOf(settings: SettingTable, config: object): string {
  const values = config as Readonly<Record<string, unknown>>;
  const differing = Object.entries(settings).flatMap(([name, setting]) => {
    const value = values[name];
    return setting.isDescribed && value !== setting.default ? `${name}-${value}` : [];
  });
  return differing.join('_') || 'default';
}
