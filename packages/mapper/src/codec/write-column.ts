import { type EdmType, edmCodecs, InputError, inferEdmType } from '@rowkey/odata'
import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'
import { type StoredValue, widen } from './widen.ts'

/**
 * Writes one column of a whole entity as a further member of its JSON object; empty without a value. A
 * value that is unchanged since it was read keeps its stored type.
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
 * Writes one column of a merge as a further member of its JSON object; empty when it is unchanged.
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
      `${column.label} is stored but is now ${value}: a merge cannot remove a property. Use ` +
      'replace or modify, or give it a value.',
  })
}

/**
 * Works as {@link writeChange} for a property in doubt: an unchanged value is written, too, with its
 * stored type.
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

/** Writes one column; empty when it shows exactly the stored value. */
export function writeIfChanged(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
): string {
  const type = column.type ?? typeByValue(column, value, stored?.type)
  const before = stored && widen(stored, type)
  // Stored text may be invalid in a request, such as half a surrogate pair.
  if (before !== undefined && typeof value === 'string' && value === before) return ''
  const accepted = edmCodecs[type].accept(value, column.label)
  const text = memberJson(column.member, type, accepted)
  // Texts are compared, not values: NaN equals itself there, 0 differs from -0, and bytes need no
  // loop.
  return before !== undefined && memberJson(column.member, type, before) === text ? '' : text
}

/**
 * Returns the type of a column without a declared type: the type of the value. A number that is stored as
 * a Double stays a Double, and text that is stored as a Guid stays a Guid.
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
      `No Edm type stores ${describeKind(value)}. Store it as text or bytes, ` +
      'or put @Ignore() on it.',
  })
}
