import type { InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'
import { SchemaError } from '../errors/schema-error.ts'
import type { UnionTypes } from './entity-union.ts'
import { fitOf, type ObjectFit } from './plain-object.ts'
import type { UnionType } from './union-type.ts'

/** A type of a union, and how well a plain object fits it. */
interface Candidate extends ObjectFit {
  readonly type: UnionType
}

/** Rejects a value that cannot be an entity of any union. */
export function checkObject(given: unknown, { title }: UnionTypes): asserts given is object {
  if (typeof given === 'object' && given !== null) return
  throw mapperInputError({
    code: 'InvalidEntity',
    message: `An entity of ${title} must be an object; got ${describeKind(given)}. Pass an instance of a class, or an object with its members.`,
  })
}

/**
 * Makes the error for an object that does not fit any type of a union. It names the nearest type, and why
 * the object does not fit it. A {@link SchemaError} with these issues is its cause.
 */
export function unknownEntityType(entity: object, { title, types }: UnionTypes): InputError {
  const nearest = nearestOf(entity, types)
  const start = `${describeObject(entity)} is not an entity of ${title}.`
  const code = 'UnknownEntityType'
  if (nearest === undefined) {
    const classes = types.map(({ model }) => model.class?.name ?? model.title).join(' or ')
    return mapperInputError({ code, message: `${start} Pass an instance of ${classes}.` })
  }
  const { type, issues } = nearest
  const problems = issues.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  )
  return mapperInputError({
    code,
    message: `${start} It is most like ${type}, but ${problems.join('; ')}.`,
    cause: new SchemaError({ model: type.label, action: 'written', issues }),
  })
}

/** Makes the error for an object that fits several types of a union. */
export function ambiguousEntityType(entity: object, found: readonly UnionType[]): InputError {
  const [label] = found.map((type) => type.label)
  return mapperInputError({
    code: 'AmbiguousEntityType',
    message:
      `${describeObject(entity)} fits ${found.join(' and ')}. Give the type: batch().insert(${label}, …), ` +
      `Operation.insert(${label}, …), or the table of one type, ofType(${label}).`,
  })
}

function nearestOf(entity: object, types: readonly UnionType[]): Candidate | undefined {
  const candidates = types.flatMap((type): Candidate[] => {
    const fit = fitOf(type.model, entity)
    return fit === undefined ? [] : [{ ...fit, type }]
  })
  return candidates.sort(
    (one, other) => one.undeclared - other.undeclared || one.issues.length - other.issues.length,
  )[0]
}

function describeObject(entity: object): string {
  const members = Object.keys(entity).join(', ')
  return members === '' ? 'An empty object' : `An object with { ${members} }`
}
