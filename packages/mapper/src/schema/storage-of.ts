import type { EdmType, EdmValue, EntityKey } from '@rowkey/odata'
import type { Converter, SchemaConverter } from '../convert/converter.ts'
import { type JsonForm, jsonConverter, keepSource, parseJson } from '../convert/json-text.ts'
import { hasCodec, hasSteps, type Place } from '../place/place.ts'
import { encode, show } from '../place/run-place.ts'
import { isSameValue } from '../place/same-value.ts'
import { formOf } from '../place/value-form.ts'

/** How a property of a schema is stored; empty where its values are stored as they are. */
export interface Storage {
  /** The converter of its values. */
  readonly converter?: Converter | undefined
  /** Present when the schema only changes some values: a stored one stays as it is while the property is unchanged. */
  readonly steps?: Converter | undefined
}

/**
 * Returns how a property of a schema is stored: with a converter for JSON, codecs and changed values. A stored value that the
 * schema would change stays as it is while its property is unchanged.
 *
 * @param place - the place of the property
 * @param type - the type that a decorator gives it; by default that of the schema
 * @param own - the converter of the caller, if any
 */
export function storageOf(
  place: Place,
  type: EdmType | undefined,
  own: Converter | undefined,
): Storage {
  const form = formOf(place)
  if (own !== undefined) return { converter: hasSteps(place) ? overOwn(place, own) : own }
  const json: JsonForm = {
    encode: (value) => encode(place, value),
    decode: (stored) => shownOr(place, stored),
  }
  if (form.isJson && type === undefined) {
    return {
      converter: Object.freeze({ ...jsonConverter(json), input: readJson }) as SchemaConverter,
    }
  }
  const stored = type ?? form.type
  if (stored === undefined || !hasSteps(place)) return {}
  const converter = Object.freeze({
    type: stored,
    comparable: true,
    toStored: json.encode,
    fromStored: json.decode,
    input: (value: EdmValue) => value,
  }) as SchemaConverter
  return hasCodec(place) ? { converter } : { steps: converter }
}

function readJson(stored: string): unknown {
  const value = parseJson(stored)
  keepSource(value, stored)
  return value
}

/** The converter of the caller, which stores what the schema shows. */
function overOwn(place: Place, own: Converter): Converter {
  const fromStored = (stored: EdmValue, key: EntityKey) =>
    shownOr(place, encode(place, own.fromStored(stored, key)))
  const { update } = own
  return Object.freeze({
    ...own,
    toStored: (value: unknown, key: EntityKey) => own.toStored(value, key),
    fromStored,
    ...(update && {
      update(stored: EdmValue, value: unknown, key: EntityKey) {
        const isUnchanged = isSameValue(fromStored(stored, key), value)
        return isUnchanged ? stored : update.call(own, stored, value, key)
      },
    }),
  }) as Converter
}

/** Returns what a schema shows, or a stored value that it rejects as it is. */
function shownOr(place: Place, stored: unknown): unknown {
  const outcome = show(place, stored)
  return 'value' in outcome ? outcome.value : stored
}
