import { type Kind, type Place, placesIn } from './place.ts'
import { givenBy, isOneWay } from './value-form.ts'

/** Why a schema cannot be stored, and where. */
export interface Refusal {
  /** The place, such as `lines.*.at`; empty for the whole. */
  readonly path: string
  /** The rule and the fix, as sentences. */
  readonly problem: string
}

/**
 * Finds the first place whose values could not be read back as they were written.
 *
 * @param place - the place of a property
 * @param isJson - whether its values are stored as JSON
 */
export function refusalOf(place: Place, isJson: boolean): Refusal | undefined {
  return refusalIn(place, { isJson, path: '', seen: new Set() })
}

interface Search {
  readonly isJson: boolean
  readonly path: string
  readonly seen: Set<Place>
}

function refusalIn(place: Place, { isJson, path, seen }: Search): Refusal | undefined {
  if (seen.has(place)) return undefined
  seen.add(place)
  if (isOneWay(place)) return { path, problem: oneWay(place) }
  const { shape } = place
  if (isJson && shape.kind === 'value') {
    const kinds = givenBy(place)
    const kind = kinds === 'any' ? undefined : [...kinds].find((each) => UNFIT.has(each))
    if (kind !== undefined) return { path, problem: notJson(place, kind) }
  }
  for (const [name, each] of placesIn(place)) {
    // What a codec shows is not what JSON holds.
    const isShown = shape.kind === 'codec' && each === shape.shown
    const inner = [path, name].filter(Boolean).join('.')
    const found = refusalIn(each, { isJson: isJson && !isShown, path: inner, seen })
    if (found !== undefined) return found
  }
  return undefined
}

/** The kinds of values that JSON does not hold, and what they are called. */
const UNFIT: ReadonlyMap<Kind, string> = new Map([
  ['date', 'Dates'],
  ['bigint', 'bigints'],
  ['bytes', 'bytes'],
  ['nan', 'NaN'],
  ['other', 'values of this kind'],
])

const DATE_CODEC =
  'z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })'

/** The codecs of zod for kinds of values. */
const CODECS: ReadonlyMap<Kind, string> = new Map([
  ['date', DATE_CODEC],
  ['bigint', 'z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })'],
  ['bytes', 'z.codec(z.base64(), z.instanceof(Uint8Array), { decode: …, encode: … })'],
])

function oneWay({ schema, shape }: Place): string {
  const problem = 'It changes its values in a way that cannot be undone when they are read.'
  const { vendor } = schema['~standard']
  if (vendor !== 'zod') {
    return `${problem} Declare the values as they are stored, and convert them by converted() in columns, or in your program.`
  }
  const kinds = shape.kind === 'inner' ? givenBy(shape.of) : 'any'
  const [kind] = kinds === 'any' ? [] : kinds
  const codec = (kind && CODECS.get(kind)) ?? 'z.codec(stored, shown, { decode: …, encode: … })'
  return `${problem} Use a codec, which can: ${codec}.`
}

function notJson({ schema }: Place, kind: Kind): string {
  const problem = `It is stored as JSON, which does not hold ${UNFIT.get(kind)}.`
  const codec = CODECS.get(kind) ?? 'z.codec(stored, shown, { decode: …, encode: … })'
  return schema['~standard'].vendor === 'zod'
    ? `${problem} Use a codec: ${codec}.`
    : `${problem} Declare text or numbers there, and convert them in your program, or use converted() in columns.`
}
