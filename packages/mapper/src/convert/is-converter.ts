import { isEdmType } from '@rowkey/odata'
import type { Converter } from './converter.ts'

/** Whether a value has what a {@link Converter} must have. */
export function isConverter(given: unknown): given is Converter {
  if (typeof given !== 'object' || given === null) return false
  const { type, comparable, toStored, fromStored }: Partial<Converter> = given
  const isTyped = isEdmType(type) && (comparable === undefined || typeof comparable === 'boolean')
  return isTyped && typeof toStored === 'function' && typeof fromStored === 'function'
}
