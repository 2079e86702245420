import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { arktypeShape } from './arktype-shape.ts'
import type { Place, Shape } from './place.ts'
import { valueShape } from './shapes.ts'
import { valibotShape } from './valibot-shape.ts'
import { zodShape } from './zod-shape.ts'

/** Returns the shape of a schema, and asks for the places of the schemas in it. */
type Walker = (schema: StandardSchema, placeOf: (part: StandardSchema) => Place) => Shape

const WALKERS: ReadonlyMap<string, Walker> = new Map([
  ['zod', zodShape],
  ['valibot', valibotShape],
  ['arktype', arktypeShape],
])

/** Of a schema of another library nothing is known: it checks values in both directions. */
const unknownShape: Walker = () => valueShape('unknown')

/**
 * Compiles a schema, once and whole, into the places that it consists of.
 *
 * @param schema - a schema of any library
 */
export function compileSchema(schema: StandardSchema): Place {
  const walk = WALKERS.get(schema['~standard'].vendor) ?? unknownShape
  const places = new Map<StandardSchema, Place>()
  const placeOf = (part: StandardSchema): Place => {
    const known = places.get(part)
    if (known !== undefined) return known
    // A schema may contain itself, so its place exists before its shape does.
    const place: { schema: StandardSchema; shape: Shape } = { schema: part, shape: UNFINISHED }
    places.set(part, place)
    place.shape = walk(part, placeOf)
    return place
  }
  return placeOf(schema)
}

const UNFINISHED: Shape = valueShape('unknown')
