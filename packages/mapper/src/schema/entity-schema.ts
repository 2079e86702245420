import { ModelError } from '../errors/model-error.ts'
import type { SchemaIssue } from '../errors/schema-error.ts'
import { compileSchema } from '../place/compile-schema.ts'
import {
  hasCodec,
  hasDefault,
  hasSteps,
  isForgiving,
  isOpaque,
  type Place,
} from '../place/place.ts'
import {
  AsynchronousSchema,
  encode,
  type Outcome,
  show,
  THREW,
  validate,
  withoutInvented,
} from '../place/run-place.ts'
import { isSameValue } from '../place/same-value.ts'
import { formOf } from '../place/value-form.ts'
import { isStandardSchema, type StandardSchema } from '../standard-schema/standard-schema.ts'

/** Values by property. */
export type Members = Readonly<Record<string, unknown>>

/** The values that a schema gives out, by property, and its issues with the others. */
export interface SchemaOutcome {
  /** The output; without the properties that have an issue. */
  readonly values: Members
  /** The issues, each with its property; empty for valid values. */
  readonly issues: readonly SchemaIssue[]
}

/** The schema of a model: the places of its properties, and what it makes of their values. */
export class EntitySchema {
  /** The name of the model in messages. */
  readonly title: string
  /**
   * The places of the properties by name, in the order of the schema.
   *
   * @internal
   */
  readonly properties: ReadonlyMap<string, Place>
  readonly #whole: Place
  readonly #encoded: readonly string[]
  readonly #opaque: readonly string[]
  /** Of each property, what it takes in for a value that is not stored. */
  readonly #absent: ReadonlyMap<string, null>

  /**
   * @param title - the name of the model in messages
   * @param schema - an object schema of zod 4 or zod mini, valibot 1 or arktype 2
   * @throws {@link ModelError} for anything else
   */
  constructor(title: string, schema: StandardSchema) {
    const whole = isStandardSchema(schema) ? compileSchema(schema) : undefined
    const properties = whole && propertiesOf(whole)
    if (whole === undefined || properties === undefined) {
      throw new ModelError({
        className: title,
        problem:
          'The schema must be an object schema of zod 4, valibot 1 or arktype 2, such as z.object({ … }), without ' +
          'a transformation of the whole object.',
      })
    }
    if (properties === 'loose') {
      throw new ModelError({
        className: title,
        problem:
          'The schema accepts members that it does not name, which would not be stored. Declare them, or store them ' +
          'in one property, such as more: z.record(z.string(), z.unknown()).',
      })
    }
    this.title = title
    this.#whole = whole
    this.properties = properties
    const names = [...properties.keys()]
    const having = (test: (place: Place) => boolean) =>
      names.filter((name) => test(this.#placeOf(name)))
    this.#encoded = having(hasCodec)
    this.#opaque = having(isOpaque)
    this.#absent = new Map(having((place) => needsNull(place)).map((name) => [name, null]))
  }

  /** Makes an entity without values: null where the schema requires null for a missing one. */
  create(): object {
    return Object.fromEntries(this.#absent)
  }

  /** Whether a property is stored in another form than it is shown. */
  hasCodec(property: string): boolean {
    return this.#encoded.includes(property)
  }

  /** Whether some valid values of a property are not in their normal form: see {@link EntitySchema.normal}. */
  hasNormalForm(property: string): boolean {
    const place = this.properties.get(property)
    return place !== undefined && (hasSteps(place) || formOf(place).type === 'Guid')
  }

  /** Whether a property takes a value; `undefined` when a caller may leave it out. */
  takes(property: string, value: unknown): boolean {
    const place = this.properties.get(property)
    return place !== undefined && 'value' in this.#run(() => validate(place, value))
  }

  /** Whether a read may show a value of a property that is not stored. */
  hasDefault(property: string): boolean {
    const place = this.properties.get(property)
    return place !== undefined && (hasDefault(place) || isForgiving(place))
  }

  /** Returns the value that a read shows of a property that is not stored; `undefined` for none. */
  defaultOf(property: string): unknown {
    return this.showPart({}, [property]).values[property] ?? undefined
  }

  /** Whether a read may show another value of a property than its column reads. */
  isShownOtherwise(property: string): boolean {
    const place = this.properties.get(property)
    if (place === undefined) return false
    return (
      hasSteps(place) || hasDefault(place) || formOf(place).isJson || this.#absent.has(property)
    )
  }

  /** Whether the schema takes values of other kinds for a property that is not JSON, and puts its own in their place. */
  takesOthers(property: string): boolean {
    const place = this.properties.get(property)
    return place !== undefined && isForgiving(place) && !formOf(place).isJson
  }

  /** Checks what a caller gives as an entity; members that the schema does not name are ignored. */
  check(members: Members): SchemaOutcome {
    const issues: SchemaIssue[] = []
    const given = this.#given(members, this.properties.keys(), issues)
    if (issues.length > 0) return { values: {}, issues }
    const outcome = this.#validate(given)
    if ('issues' in outcome) return { values: {}, issues: outcome.issues }
    const values = outcome.value as Members
    return { values, issues: this.#unstable(values, this.#opaque) }
  }

  /** Checks some properties of what a caller gives, each separately. */
  checkPart(members: Members, properties: Iterable<string>): SchemaOutcome {
    const known = [...properties].filter((property) => this.properties.has(property))
    const issues: SchemaIssue[] = []
    const given = this.#given(members, known, issues)
    const { values, issues: rejected } = this.#each(known, (place, property) =>
      validate(place, given[property], property),
    )
    const opaque = this.#opaque.filter((property) => Object.hasOwn(values, property))
    return { values, issues: [...issues, ...rejected, ...this.#unstable(values, opaque)] }
  }

  /** Returns what the schema shows for the stored values of a whole entity. */
  show(stored: Members): SchemaOutcome {
    const given: Record<string, unknown> = {}
    for (const property of this.properties.keys()) {
      const value = stored[property] ?? this.#absent.get(property)
      if (value !== undefined) given[property] = value
    }
    const outcome = this.#validate(given)
    if ('issues' in outcome) return { values: {}, issues: outcome.issues }
    const values = withoutInvented(this.#whole, given, outcome.value) as Members
    return { values, issues: [] }
  }

  /** Returns what the schema shows for the stored values of some properties, each separately. */
  showPart(stored: Members, properties: Iterable<string>): SchemaOutcome {
    return this.#each(properties, (place, property) =>
      show(place, stored[property] ?? this.#absent.get(property), property),
    )
  }

  /** Returns the form of a value that the schema takes in. A value that no codec takes stays as it is. */
  encode(property: string, value: unknown): unknown {
    const place = this.properties.get(property)
    return place === undefined ? value : encode(place, value)
  }

  /** Returns the normal form of a value, as the schema makes it; a value that it rejects stays as it is. */
  normal(property: string, value: unknown): unknown {
    const place = this.properties.get(property)
    if (place === undefined || value === undefined || value === null) return value
    const outcome = this.#run(() => validate(place, encode(place, value)))
    const made = 'value' in outcome ? outcome.value : value
    const isGuid = formOf(place).type === 'Guid' && typeof made === 'string'
    return isGuid ? made.toLowerCase() : made
  }

  #placeOf(property: string): Place {
    return this.properties.get(property) as Place // callers name properties of the schema
  }

  #given(members: Members, properties: Iterable<string>, issues: SchemaIssue[]): Members {
    const given: Record<string, unknown> = {}
    for (const property of properties) {
      if (members[property] !== undefined) given[property] = members[property]
    }
    for (const property of this.#encoded) {
      if (given[property] === undefined) continue
      const report = (issue: SchemaIssue) => issues.push(issue)
      given[property] = encode(this.#placeOf(property), given[property], report, property)
    }
    return given
  }

  #validate(given: Members): Outcome {
    const outcome = this.#run(() => validate(this.#whole, given))
    if ('value' in outcome || outcome.issues.some(({ message }) => message !== THREW))
      return outcome
    // An error tells no place, so each property is tried.
    const { issues } = this.#each(this.properties.keys(), (place, property) =>
      validate(place, given[property], property),
    )
    return issues.length > 0 ? { issues } : outcome
  }

  #each(
    properties: Iterable<string>,
    run: (place: Place, property: string) => Outcome,
  ): SchemaOutcome {
    const values: Record<string, unknown> = {}
    const issues: SchemaIssue[] = []
    for (const property of properties) {
      const place = this.properties.get(property)
      if (place === undefined) continue
      const outcome = this.#run(() => run(place, property))
      if ('issues' in outcome) issues.push(...outcome.issues)
      else values[property] = outcome.value
    }
    return { values, issues }
  }

  /** Finds values that the schema would change again: a read would then show another value than was written. */
  #unstable(values: Members, properties: readonly string[]): readonly SchemaIssue[] {
    return properties.flatMap((property) => {
      const place = this.#placeOf(property)
      const outcome = this.#run(() => validate(place, encode(place, values[property])))
      if ('value' in outcome && isSameValue(outcome.value, values[property])) return []
      const message =
        'the schema changes its own result again, so it would not be read as it is written. Let it leave what it has changed as it is'
      return [{ path: property, message }]
    })
  }

  #run(run: () => Outcome): Outcome {
    try {
      return run()
    } catch (cause) {
      if (!(cause instanceof AsynchronousSchema)) throw cause
      throw new ModelError({
        className: this.title,
        problem: 'The schema has an asynchronous check, which is not supported. Remove it.',
      })
    }
  }
}

/** Whether a place requires null, which is never stored, for a value that is missing. */
function needsNull(place: Place): boolean {
  try {
    return 'issues' in validate(place, undefined) && 'value' in validate(place, null)
  } catch {
    return false // an asynchronous check, which the first write reports
  }
}

/**
 * Returns the places of the properties of an object.
 *
 * @returns `'loose'` when the object has further members; `undefined` when it has another form
 */
function propertiesOf({ shape }: Place): ReadonlyMap<string, Place> | 'loose' | undefined {
  switch (shape.kind) {
    case 'object':
      return shape.rest === undefined ? shape.members : 'loose'
    case 'inner': {
      const { of, first, absent = [], takes, isNormal, invents } = shape
      const isWrapped = first || absent.length > 0 || takes || isNormal || invents
      return isWrapped ? undefined : propertiesOf(of)
    }
    case 'both':
      return sharedProperties(shape.sides.map(propertiesOf))
    default:
      return undefined
  }
}

/** Returns the properties of an intersection; one of several sides must pass them all. */
function sharedProperties(
  sides: readonly (ReadonlyMap<string, Place> | 'loose' | undefined)[],
): ReadonlyMap<string, Place> | 'loose' | undefined {
  const shared = new Map<string, Place>()
  for (const side of sides) {
    if (side === undefined || side === 'loose') return side
    for (const [name, place] of side) {
      const before = shared.get(name)
      shared.set(name, before === undefined ? place : intersection([before, place]))
    }
  }
  return shared
}

function intersection(sides: readonly Place[]): Place {
  const { vendor } = (sides[0] as Place).schema['~standard'] // of two
  return {
    schema: {
      '~standard': {
        version: 1,
        vendor,
        validate(value) {
          let made = value
          for (const { schema } of sides) {
            const result = schema['~standard'].validate(made)
            if (result instanceof Promise || result.issues !== undefined) return result
            made = result.value
          }
          return { value: made }
        },
      },
    },
    shape: { kind: 'both', sides },
  }
}
