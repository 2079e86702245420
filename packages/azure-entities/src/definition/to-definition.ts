import type { BaseType, PropertyType } from '../types/base-type.ts'
import { checkConfiguration } from './check-configuration.ts'
import type { ConfigureOptions } from './configure-options.ts'
import type { Definition } from './definition.ts'

/**
 * Makes a version of a class from the options of `configure`.
 *
 * @param options - the options
 * @param previous - the version that the class already has
 * @throws InputError (`InvalidConfiguration` or `InvalidKey`)
 */
export function toDefinition(
  options: ConfigureOptions,
  previous: Definition | undefined,
): Definition {
  checkConfiguration(options, previous)
  const { version, properties, signEntities, context = [], migrate } = options
  const mapping: Record<string, BaseType> = Object.create(null)
  for (const [name, type] of Object.entries(properties)) {
    mapping[name] = new (type as PropertyType)(name)
  }
  const partitionKeyDefinition = previous?.partitionKeyDefinition ?? options.partitionKey!
  const rowKeyDefinition = previous?.rowKeyDefinition ?? options.rowKey!
  const encrypts = Object.values(mapping).some((type) => type.isEncrypted)
  return {
    version,
    mapping,
    partitionKeyDefinition,
    rowKeyDefinition,
    partitionKey: partitionKeyDefinition.bind(mapping),
    rowKey: rowKeyDefinition.bind(mapping),
    signs: signEntities === true,
    mustSaySigning: signEntities === true || previous?.mustSaySigning === true,
    needsSigningKey: signEntities === true || previous?.needsSigningKey === true,
    needsCryptoKey: encrypts || previous?.needsCryptoKey === true,
    context,
    migrate,
    previous,
  }
}
