import { isEdmType } from '@rowkey/odata'
import type { Converter } from './converter.ts'

/** Whether a value has what a {@link Converter} must have. */
export function isConverter(given: unknown): given is Converter {
  if (typeof given !== 'object' || given === null) return false
  const { type, comparable, toStored, fromStored, update }: Partial<Converter> = given
  if (update !== undefined && typeof update !== 'function') return false
  const isTyped = isEdmType(type) && (comparable === undefined || typeof comparable === 'boolean')
  return isTyped && typeof toStored === 'function' && typeof fromStored === 'function'
}
