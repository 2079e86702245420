import { type EdmType, isEdmType } from '@rowkey/odata'
import type { DynamicEntity, EntityProperty } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { COLUMN_TYPES, readCell } from '../rows/read-csv.ts'

/** `name=value` or `name:Type=value`. */
const ASSIGNMENT = /^([^=]+?)(?::(?:Edm\.)?([A-Za-z0-9]+))?=([\s\S]*)$/

/**
 * Reads assignments of the command line: `age=30`, `points:Int64=100`. A value without a type has the type of the stored property; a new
 * property becomes a Boolean, an Int32, a Double or a String, whichever keeps the text first: `01234` stays a String.
 *
 * @param texts - the arguments
 * @param stored - the stored row, if it exists
 * @throws InputError with the code `InvalidArgument` for other texts, for a value that does not fit its type, and for a property with two values
 */
export function readAssignments(
  texts: readonly string[],
  stored: DynamicEntity | undefined,
): ReadonlyMap<string, EntityProperty> {
  const read = new Map(
    texts.map((text) => {
      const [, name, suffix, value = ''] = ASSIGNMENT.exec(text) ?? []
      // As `az storage entity insert` has it.
      const [, typed, type] = /^(.+)@odata\.type=(?:Edm\.)?(\w+)$/.exec(text) ?? []
      if (typed !== undefined) {
        throw cliInputError(
          'InvalidArgument',
          `In place of '${text}', write ${typed}:${type}=value.`,
        )
      }
      if (name === undefined || (suffix !== undefined && !isEdmType(suffix))) {
        const reason = `'${text}' is not name=value or name:Type=value. Types are ${COLUMN_TYPES.join(', ')}.`
        throw cliInputError('InvalidArgument', reason)
      }
      const known = (suffix as EdmType | undefined) ?? stored?.get(name)?.type ?? guessedType(value)
      try {
        return [name, readCell(known, value, name)] as const
      } catch (cause) {
        throw cliInputError('InvalidArgument', `${text}: ${(cause as Error).message}`, cause)
      }
    }),
  )
  if (read.size === texts.length) return read
  throw cliInputError('InvalidArgument', 'A property has two values. Give each once.')
}

function guessedType(value: string): EdmType {
  if (/^(?:true|false)$/i.test(value)) return 'Boolean'
  const number = Number(value)
  if (String(number | 0) === value) return 'Int32'
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) return 'String'
  const isKept = Number.isFinite(number) && (/[.eE]/.test(value) || Number.isSafeInteger(number))
  return isKept ? 'Double' : 'String'
}
