import { type EdmType, edmCodecs, InputError, inferEdmType } from '@rowkey/odata'
import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'
import { type StoredValue, widen } from './widen.ts'

/**
 * Writes one column of a whole entity as a further member of its JSON object; empty when there is no
 * value. A value that was not touched since it was read keeps the type it is stored as.
 */
export function writeColumn(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
): string {
  if (value === undefined || value === null) return ''
  const changed = writeIfChanged(column, value, stored)
  if (changed !== '' || stored === undefined) return changed
  return memberJson(column.member, stored.type, stored.value)
}

/**
 * Writes one column of a merge as a further member of its JSON object; empty when it is as it was read.
 *
 * @param initial - the member as it was after reading, when the property was not stored
 * @throws `InputError` (`InvalidPropertyValue`) when a stored property was set to `undefined` or `null`
 */
export function writeChange(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
  initial: string | undefined,
): string {
  if (value !== undefined && value !== null) {
    const text = writeIfChanged(column, value, stored)
    return stored === undefined && text === initial ? '' : text
  }
  if (stored === undefined) return ''
  throw new InputError({
    code: 'InvalidPropertyValue',
    details: { property: column.label, type: stored.type },
    message:
      `${column.label} is stored and is now ${value}: a merge cannot remove a property. Use ` +
      'replace or modify, or give it a value.',
  })
}

/**
 * Works as {@link writeChange} for a property in doubt: a value that is as it was read is written too,
 * with the type that it was stored as.
 */
export function writeDoubtful(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
  initial: string | undefined,
): string {
  const changed = writeChange(column, value, stored, initial)
  return stored === undefined ? changed : writeColumn(column, value, stored)
}

/** Writes one column unless it shows exactly what is stored; empty when it does. */
export function writeIfChanged(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
): string {
  const type = column.type ?? typeByValue(column, value, stored?.type)
  const before = stored && widen(stored, type)
  // What is stored may be a text that no request would be allowed to bring, such as half a surrogate pair.
  if (before !== undefined && typeof value === 'string' && value === before) return ''
  const accepted = edmCodecs[type].accept(value, column.label)
  const text = memberJson(column.member, type, accepted)
  // Texts are compared, not values: NaN equals itself there, 0 differs from -0, and bytes need no
  // loop.
  return before !== undefined && memberJson(column.member, type, before) === text ? '' : text
}

/**
 * Returns the type of a column that declares none: the value's own, but a number stored as a Double stays
 * a Double, and a text stored as a Guid stays a Guid, which a value alone does not show.
 */
function typeByValue(column: ColumnCodec, value: unknown, stored: EdmType | undefined): EdmType {
  if (stored === 'Double' && typeof value === 'number') return stored
  if (stored === 'Guid' && typeof value === 'string') return stored
  const type = inferEdmType(value)
  if (type !== undefined) return type
  throw new ModelError({
    className: column.className,
    property: column.property,
    problem:
      `It holds ${describeKind(value)}, and no Edm type stores that. Store it as text or bytes, ` +
      'or put @Ignore() on it.',
  })
}
