import { type EdmType, edmCodecs, isEdmType } from '@rowkey/odata'
import { ServiceFault } from '../fault/service-fault.ts'
import type { StoredProperty } from './stored-entity.ts'

const PREFIX = 'Edm.'
const MIN_INT32 = -(2 ** 31)
const MAX_INT32 = 2 ** 31 - 1

/**
 * One property from a request body.
 *
 * @param name - the property's name
 * @param json - its parsed value, not null
 * @param annotation - what stands at `<name>@odata.type`
 */
export function decodeProperty(name: string, json: unknown, annotation: unknown): StoredProperty {
  const type = annotation === undefined ? inferType(name, json) : readType(annotation)
  // JSON has no infinity: this one was written as a number, and is too large for one.
  if (json === Number.POSITIVE_INFINITY || json === Number.NEGATIVE_INFINITY) {
    throw new ServiceFault('InvalidInput', { text: `The number '${name}' is beyond a Double.` })
  }
  try {
    // The codec is that of the type; the compiler cannot follow two lookups by one name.
    return { type, value: edmCodecs[type].readJson(json, name) } as StoredProperty
  } catch (cause) {
    const isFarOff = type === 'DateTime' && typeof json === 'string' && ANY_DATE.test(json)
    throw new ServiceFault(isFarOff ? 'OutOfRangeInput' : 'InvalidInput', { cause })
  }
}

/** What looks like a date and was refused lies before 1601, after 9999 or on no day of a calendar. */
const ANY_DATE = /^-?\d{4,}-\d\d-\d\d(?:T|$)/

function readType(annotation: unknown): EdmType {
  if (typeof annotation === 'string' && annotation.startsWith(PREFIX)) {
    const type = annotation.slice(PREFIX.length)
    if (isEdmType(type)) return type
  }
  throw new ServiceFault('InvalidValueType')
}

/** The type of a value that stands alone: a whole number beyond 32 bits is a Double. */
function inferType(name: string, json: unknown): EdmType {
  switch (typeof json) {
    case 'string':
      return 'String'
    case 'boolean':
      return 'Boolean'
    case 'number':
      return isInt32(json) ? 'Int32' : 'Double'
    default:
      throw new ServiceFault('InvalidInput', {
        text: `The property '${name}' is neither a string, a number nor a Boolean.`,
      })
  }
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= MIN_INT32 && value <= MAX_INT32
}
