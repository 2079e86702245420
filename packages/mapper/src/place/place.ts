import type { EdmType } from '@rowkey/odata'
import type { StandardResult, StandardSchema } from '../standard-schema/standard-schema.ts'

/** The kinds of JavaScript values that schemas tell apart. */
export type Kind =
  | 'string'
  | 'number'
  | 'nan'
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'bytes'
  | 'object'
  | 'array'
  | 'null'
  | 'undefined'
  | 'other'

/** Some kinds of values; `'any'` for all of them. */
export type Kinds = ReadonlySet<Kind> | 'any'

/**
 * One place of a schema: what it takes in and what it gives out. The places of a schema form a tree, or a ring where the
 * schema contains itself. A walker of each library makes it; everything else is independent of the library.
 */
export interface Place {
  /** Checks the values of the place: from what is stored to what is shown. */
  readonly schema: StandardSchema
  /** What it consists of. */
  readonly shape: Shape
}

/** What a place consists of. */
export type Shape =
  | ValueShape
  | ObjectShape
  | ListShape
  | { readonly kind: 'choice'; readonly options: readonly Place[] }
  | { readonly kind: 'both'; readonly sides: readonly Place[] }
  | InnerShape
  | CodecShape
  | { readonly kind: 'oneWay' }

/** Values without parts. */
export interface ValueShape {
  readonly kind: 'value'
  /** The Edm type of its values; `undefined` when no single type stores them all. */
  readonly type?: EdmType | undefined
  /** The kinds of its values. */
  readonly gives: Kinds
  /** Present where it converts values of other kinds, and its own stay as they are. */
  readonly takes?: Kinds | undefined
  /** Whether it changes values that are not in their normal form, such as by trimming. */
  readonly isNormal?: boolean | undefined
  /** Whether only a second run tells that a changed value is in its normal form. */
  readonly isOpaque?: boolean | undefined
}

/** Plain objects: declared members, and others under any name. */
export interface ObjectShape {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, Place>
  /** The values of other members; absent when these are left out or rejected. */
  readonly rest?: Place | undefined
  /** The names of these members. */
  readonly names?: Place | undefined
}

/** Arrays and tuples. */
export interface ListShape {
  readonly kind: 'list'
  /** The elements at the first positions. */
  readonly items: readonly Place[]
  /** All further elements. */
  readonly rest?: Place | undefined
}

/** The values of another place, which may also be absent, or be changed without changing their kind. */
export interface InnerShape {
  readonly kind: 'inner'
  readonly of: Place
  /** What the values pass first, in a pipe. */
  readonly first?: Place | undefined
  /** Runs a pipe backwards; absent where the library cannot. */
  readonly encode?: CodecShape['encode'] | undefined
  /** The further kinds of values. */
  readonly absent?: readonly ('null' | 'undefined')[]
  /** Present where it takes any value. */
  readonly takes?: 'any' | undefined
  readonly isNormal?: boolean | undefined
  readonly isOpaque?: boolean | undefined
  /** Returns the default; absent without one. */
  readonly initial?: (() => unknown) | undefined
  /** Tells whether a missing value gets another value each time; absent without a default. */
  readonly invents?: (() => boolean) | undefined
}

/** Values that are stored in another form, and can be converted in both directions. */
export interface CodecShape {
  readonly kind: 'codec'
  readonly stored: Place
  readonly shown: Place
  /** Converts a shown value to the stored form. */
  readonly encode: (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>
}

/** Lists the places in a place, each with its name in paths; of a codec also those that are not stored. */
export function* placesIn({ shape }: Place): Iterable<readonly [name: string, place: Place]> {
  switch (shape.kind) {
    case 'object':
      yield* shape.members
      if (shape.names !== undefined) yield ['*', shape.names]
      if (shape.rest !== undefined) yield ['*', shape.rest]
      return
    case 'list':
      for (const [at, item] of shape.items.entries()) yield [String(at), item]
      if (shape.rest !== undefined) yield ['*', shape.rest]
      return
    case 'choice':
      for (const option of shape.options) yield ['', option]
      return
    case 'both':
      for (const side of shape.sides) yield ['', side]
      return
    case 'inner':
      if (shape.first !== undefined) yield ['', shape.first]
      yield ['', shape.of]
      return
    case 'codec':
      yield ['', shape.stored]
      yield ['', shape.shown]
  }
}

/** Returns a function that tells whether a place, or one in it, passes a test; each place is searched once. */
function reaching(test: (shape: Shape) => boolean): (place: Place) => boolean {
  const known = new WeakMap<Place, boolean>()
  return (root) => {
    const answer = known.get(root)
    if (answer !== undefined) return answer
    const found = new Set([root])
    let isFound = false
    // A set also visits what is added meanwhile.
    for (const place of found) {
      if (test(place.shape)) isFound = true
      for (const [, each] of placesIn(place)) found.add(each)
    }
    known.set(root, isFound)
    return isFound
  }
}

/** Whether some of the values are stored in another form than they are shown. */
export const hasCodec: (place: Place) => boolean = reaching(({ kind }) => kind === 'codec')

/** Whether the schema changes some values that it accepts. */
export const hasSteps: (place: Place) => boolean = reaching(
  (shape) => shape.kind === 'codec' || ('isNormal' in shape && shape.isNormal === true),
)

/** Whether it takes any value for some of its own. */
export const isForgiving: (place: Place) => boolean = reaching(
  (shape) => 'takes' in shape && shape.takes !== undefined,
)

/** Whether only a second run tells that changed values are in their normal form. */
export const isOpaque: (place: Place) => boolean = reaching(
  (shape) => 'isOpaque' in shape && shape.isOpaque === true,
)

/** Whether a missing value gets another one. */
export const hasDefault: (place: Place) => boolean = reaching(
  (shape) => shape.kind === 'inner' && shape.invents !== undefined,
)

/** Whether a missing value gets an object or an array, which may lack what its own schema fills in. */
export const hasPartialDefault: (place: Place) => boolean = reaching(
  (shape) => shape.kind === 'inner' && shape.invents !== undefined && isMade(shape.of),
)

/** Whether a place has defaults in an object or an array. */
function isMade(place: Place): boolean {
  return ['object', 'list'].some((kind) => reachesKind(place, kind)) && hasDefault(place)
}

function reachesKind({ shape }: Place, kind: string): boolean {
  return shape.kind === kind || (shape.kind === 'inner' && reachesKind(shape.of, kind))
}
