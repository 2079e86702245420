import { isEdmType } from '@rowkey/odata'
import type { EdmTypes } from './table-entity.ts'

/** A value that names its own type. */
export interface GivenEdm {
  readonly type: EdmTypes
  readonly value: unknown
}

/** Tells whether a value names its own type. */
export function isEdmValue(value: unknown): value is GivenEdm {
  if (typeof value !== 'object' || value === null) return false
  const { type, value: inner }: { type?: unknown; value?: unknown } = value
  return inner !== undefined && isEdmType(type)
}
