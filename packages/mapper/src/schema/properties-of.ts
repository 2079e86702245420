import { isStandardSchema } from '../standard-schema/standard-schema.ts'
import { arktypeProperties } from './arktype-properties.ts'
import type { PropertySchema } from './property-schema.ts'
import { valibotProperties } from './valibot-properties.ts'
import { zodProperties } from './zod-properties.ts'

const READERS = [zodProperties, valibotProperties, arktypeProperties] as const

/**
 * Reads the properties of an object schema.
 *
 * @param schema - anything
 * @returns `undefined` when it is not an object schema of zod 4, valibot 1 or arktype 2
 */
export function propertiesOf(schema: unknown): ReadonlyMap<string, PropertySchema> | undefined {
  if (!isStandardSchema(schema)) return undefined
  for (const read of READERS) {
    const properties = read(schema)
    if (properties !== undefined) return properties
  }
  return undefined
}
