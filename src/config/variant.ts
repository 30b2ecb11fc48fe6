/** Variants of the service: services of one variant describe themselves alike. */

import type { SettingTable } from './setting.js';

/** The name of the variant with default settings. */
export const defaultVariant = 'default';

/** Names the settings that change the description and differ from their defaults, such as `accounts-required`. */
export function variantOf(settings: SettingTable, config: object, defaults: object): string {
  const differing = Object.entries(settings).flatMap(([name, { isDescribed }]) => {
    const value = (config as Readonly<Record<string, unknown>>)[name];
    const usual = (defaults as Readonly<Record<string, unknown>>)[name];
    return isDescribed && value !== usual ? `${name}-${value}` : [];
  });
  return differing.join('_') || defaultVariant;
}
