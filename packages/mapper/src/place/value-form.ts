import type { EdmType } from '@rowkey/odata'
import { hasCodec, type InnerShape, type Kind, type Kinds, type Place } from './place.ts'

/** How the values of a place are stored. */
export interface ValueForm {
  /** The Edm type; `undefined` when no single type stores them all, or they could not be read back. */
  readonly type: EdmType | undefined
  /** Whether they are arrays or objects, which are stored as JSON text. */
  readonly isJson: boolean
}

/** Returns how the values of a place are stored. */
export function formOf({ shape }: Place): ValueForm {
  switch (shape.kind) {
    case 'value':
      return { type: shape.type, isJson: false }
    case 'object':
    case 'list':
      return JSON_FORM
    case 'choice':
      return commonForm(shape.options.filter((option) => !isAbsent(option)).map(formOf))
    case 'both':
      return commonForm(shape.sides.map(formOf))
    case 'inner':
      return formOf(isStoredAsFirst(shape) ? shape.first : shape.of)
    case 'codec':
      return formOf(shape.stored)
    case 'oneWay':
      return UNSTORED
  }
}

/** Whether a pipe has a codec in its first half, so that its values are stored as that half takes them in. */
export function isStoredAsFirst(shape: InnerShape): shape is InnerShape & { first: Place } {
  return shape.first !== undefined && hasCodec(shape.first)
}

const JSON_FORM: ValueForm = { type: undefined, isJson: true }
const UNSTORED: ValueForm = { type: undefined, isJson: false }

/** Whether a place has no other values than null and undefined, which are stored as absent. */
export function isAbsent(place: Place): boolean {
  const kinds = givenBy(place)
  return kinds !== 'any' && [...kinds].every(isAbsence)
}

/** Returns the form of values that have one of several forms; Int32 and Double become Double. */
export function commonForm(any: readonly ValueForm[]): ValueForm {
  const types = [...new Set(any.map(({ type }) => type))]
  const isNumber = types.every((type) => type === 'Int32' || type === 'Double')
  const common = isNumber ? 'Double' : undefined
  return {
    type: types.length > 1 ? common : types[0],
    isJson: any.length > 0 && any.every(({ isJson }) => isJson),
  }
}

/** Returns the kinds of values that a place gives out. */
export function givenBy({ shape }: Place): Kinds {
  switch (shape.kind) {
    case 'value':
      return shape.gives
    case 'object':
      return new Set(['object'])
    case 'list':
      return new Set(['array'])
    case 'choice':
      return joined(shape.options.map(givenBy))
    case 'both':
      return joined(shape.sides.map(givenBy))
    case 'inner':
      return joined([givenBy(shape.of), new Set(shape.absent)])
    case 'codec':
      return givenBy(shape.shown)
    case 'oneWay':
      return 'any'
  }
}

/** Returns the kinds of values that a place takes in. */
function takenBy({ shape }: Place): Kinds {
  switch (shape.kind) {
    case 'value':
      return shape.takes ?? shape.gives
    case 'object':
      return new Set(['object'])
    case 'list':
      return new Set(['array'])
    case 'choice':
      return joined(shape.options.map(takenBy))
    case 'both':
      return joined(shape.sides.map(takenBy))
    case 'inner':
      return shape.takes ?? joined([takenBy(shape.first ?? shape.of), new Set(shape.absent)])
    case 'codec':
      return takenBy(shape.stored)
    case 'oneWay':
      return 'any'
  }
}

function joined(all: readonly Kinds[]): Kinds {
  const kinds = new Set<Kind>()
  for (const each of all) {
    if (each === 'any') return each
    for (const kind of each) kinds.add(kind)
  }
  return kinds
}

/** Whether a place changes values in a way that cannot be undone. */
export function isOneWay({ shape }: Place): boolean {
  if (shape.kind === 'oneWay') return true
  if (shape.kind !== 'inner' || shape.first === undefined || isStoredAsFirst(shape)) return false
  // A stored value is what the second half gives out, and the first half reads it.
  const [taken, given] = [takenBy(shape.first), givenBy(shape.of)]
  if (taken === 'any' || hasCodec(shape.of)) return false
  return given === 'any' || [...given].some((kind) => !isAbsence(kind) && !taken.has(kind))
}

function isAbsence(kind: Kind): boolean {
  return kind === 'null' || kind === 'undefined'
}
