import type { $ZodType } from 'zod/v4/core'
import { defOf } from './edm-type-of-schema.ts'

/**
 * What a property is before anything is read into it: its default; `null` where it may be that and must
 * be something; else `undefined`. What is not stored stays so.
 */
export function initialValue(schema: $ZodType): unknown {
  const def = defOf(schema)
  if (def.type === 'default') return 'defaultValue' in def ? def.defaultValue : undefined
  if (def.type === 'optional') return undefined
  if (def.type === 'nullable') return null
  return def.innerType === undefined ? undefined : initialValue(def.innerType)
}
