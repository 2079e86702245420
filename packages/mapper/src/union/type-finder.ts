import {
  DynamicEntity,
  describeKind,
  type InputError,
  type KeyCheck,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { unknownType } from '../errors/compose-errors.ts'
import { ModelError } from '../errors/model-error.ts'
import { SchemaError, type SchemaIssue } from '../errors/schema-error.ts'
import { type Mapping, mappingOf, type Types } from '../layers/mapping.ts'
import type { EntityModel } from '../model/entity-model.ts'
import type { UnionMember } from '../model/entity-of.ts'
import { mappedMembers } from '../model/marks-of.ts'
import { membersIn } from '../model/members-in.ts'
import { toModel } from '../model/to-model.ts'
import { mappingWithin } from '../rows/parts-within.ts'
import { dynamicMapping } from '../rows/table-parts.ts'
import type { Within } from '../rows/within.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import type { UnionTypes } from './entity-union.ts'
import type { UnionType } from './union-type.ts'

type AnyMapping = Mapping<object>

/** Maps the DynamicEntities of all unions. */
const dynamicRows = dynamicMapping as unknown as AnyMapping

/** Any row: a stored key does not tell its type. */
const anyRow: AnyMapping = {
  ...dynamicRows,
  shape: { ...dynamicRows.shape, isKey: () => true, etagMember: () => undefined, showVersion() {} },
}

/** Finds the type of rows, objects and keys of a union. */
export class TypeFinder implements Types<object> {
  readonly #union: UnionTypes
  readonly #within: Within | undefined
  readonly #mappings: ReadonlyMap<UnionType, AnyMapping>
  readonly #byPrototype: ReadonlyMap<object, AnyMapping>
  /** The objects whose type the caller gave. */
  readonly #assigned = new WeakMap<object, AnyMapping>()

  /**
   * @param union - the types
   * @param checkKey - checks keys
   * @param within - the fixed properties that objects and keys may lack; absent without them
   */
  constructor(union: UnionTypes, checkKey: KeyCheck, within?: Within) {
    this.#union = union
    this.#within = within
    const ofType = ({ model }: UnionType): AnyMapping => {
      const mapping = mappingOf(model, checkKey)
      return within === undefined ? mapping : mappingWithin(mapping, within)
    }
    this.#mappings = new Map(union.types.map((type) => [type, ofType(type)]))
    const classes = [...this.#mappings].flatMap<[object, AnyMapping]>(([{ model }, mapping]) =>
      model.class === undefined ? [] : [[model.class.prototype, mapping]],
    )
    const other: [object, AnyMapping] = [DynamicEntity.prototype, dynamicRows]
    this.#byPrototype = new Map(union.unknown === 'dynamic' ? [...classes, other] : classes)
  }

  /**
   * Returns the mapping of a stored row.
   *
   * @throws DecodeError (`UnknownType`) when it does not belong to a type of the union
   */
  ofRow(raw: RawEntity): AnyMapping {
    const found = this.#findRow(raw)
    if (found !== undefined) return found
    throw unknownType(keyOfRaw(raw), this.#union.types.map(String))
  }

  /**
   * Fixes the type of an object, whatever it looks like.
   *
   * @param given - a class or model of the union
   * @param entity - the object, or a key
   * @throws {@link ModelError} for another class or model
   */
  assign(given: UnionMember, entity: object): void {
    checkObject(entity, this.#union)
    const mapping = this.#mappings.get(typeIn(this.#union, given))
    if (mapping !== undefined) this.#assigned.set(entity, mapping)
  }

  /**
   * Returns the mapping of an object if it is certain: by its fixed type, its class, or the row that it was
   * read from.
   */
  #find(entity: object): AnyMapping | undefined {
    const assigned = this.#assigned.get(entity)
    if (assigned !== undefined) return assigned
    for (let each: object | null = entity; each !== null; each = Object.getPrototypeOf(each)) {
      const found = this.#byPrototype.get(each)
      if (found !== undefined) return found
    }
    const known = snapshotOf(entity)
    const raw = known?.row.raw
    // A merge does not send the mark, so the row of a plain object may lack it.
    const type = raw && this.#union.types.find((each) => each.hasRow(raw))
    return type && this.#mappings.get(type)
  }

  /**
   * Returns the mapping of an object.
   *
   * @throws InputError (`UnknownEntityType`, `AmbiguousEntityType`) when it fits no type, or several
   */
  ofEntity(entity: object): AnyMapping {
    checkObject(entity, this.#union)
    return this.#find(entity) ?? this.#only(entity)
  }

  /**
   * Returns the mapping of a target, which may have only the properties of a key.
   *
   * @throws InputError (`UnknownEntityType`, `AmbiguousEntityType`) when it fits no type, or several
   */
  ofKey(target: unknown): AnyMapping {
    if (typeof target !== 'object' || target === null) return anyRow
    const found = this.#find(target)
    if (found !== undefined) return found
    if (Array.isArray(target) || this.#areKeys(target)) return anyRow
    const shown = this.#shown(target)
    const [only, other] = this.#union.types.filter(({ model }) => holdsKeyOf(model, shown))
    const mapping = other === undefined && only !== undefined && this.#mappings.get(only)
    return mapping || this.ofEntity(target)
  }

  /** Whether a plain target with the shape of a key is a key in every type. */
  #areKeys(target: object): boolean {
    return [...this.#mappings.values()].every(({ shape }) => shape.isKey(target))
  }

  #shown(given: object): object {
    return this.#within?.shown(given) ?? given
  }

  #findRow(raw: RawEntity): AnyMapping | undefined {
    const { types, unknown } = this.#union
    const type = types.find((each) => each.hasRow(raw))
    if (type !== undefined) return this.#mappings.get(type)
    return unknown === 'dynamic' ? dynamicRows : undefined
  }

  #only(entity: object): AnyMapping {
    const candidates = candidatesFor(this.#shown(entity), this.#union.types)
    const found = candidates.flatMap(({ type, issues }) => (issues.length === 0 ? [type] : []))
    const [only, other] = found
    if (only === undefined) throw unknownEntityType(entity, this.#union, candidates[0])
    if (other !== undefined) throw ambiguousEntityType(entity, found)
    return this.#mappings.get(only) as AnyMapping // every type has a mapping
  }
}

/**
 * Finds the type of a union for a class or model.
 *
 * @throws {@link ModelError} for another class or model
 */
export function typeIn({ types, title }: UnionTypes, given: UnionMember): UnionType {
  const model = toModel(given)
  const found = types.find((each) => each.model === model)
  if (found !== undefined) return found
  const problem = `It is not a type of the union ${title}. Add it to the union, or open a table of it.`
  throw new ModelError({ className: model.title, problem })
}

/** A type of a union, and how well a plain object fits it. */
interface Candidate extends ObjectFit {
  readonly type: UnionType
}

/** Rejects a value that cannot be an entity of any union. */
function checkObject(given: unknown, { title }: UnionTypes): asserts given is object {
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
function unknownEntityType(
  entity: object,
  { title, types }: UnionTypes,
  nearest: Candidate | undefined,
): InputError {
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
function ambiguousEntityType(entity: object, found: readonly UnionType[]): InputError {
  const [label] = found.map((type) => type.label)
  return mapperInputError({
    code: 'AmbiguousEntityType',
    message:
      `${describeObject(entity)} fits ${found.join(' and ')}. Give the type: batch().insert(${label}, …), ` +
      `Operation.insert(${label}, …), or the table of one type, ofType(${label}).`,
  })
}

/** Returns the types that a plain object may have, the nearest first. */
function candidatesFor(entity: object, types: readonly UnionType[]): readonly Candidate[] {
  const candidates = types.flatMap((type): Candidate[] => {
    const fit = fitOf(type.model, entity)
    return fit === undefined ? [] : [{ ...fit, type }]
  })
  return candidates.sort(
    (one, other) => one.undeclared - other.undeclared || one.issues.length - other.issues.length,
  )
}

function describeObject(entity: object): string {
  const members = Object.keys(entity).join(', ')
  return members === '' ? 'An empty object' : `An object with { ${members} }`
}

/** How well a plain object fits a model. */
interface ObjectFit {
  /** The reasons why it is not an entity of the model. */
  readonly issues: readonly SchemaIssue[]
  /** The number of members that the model does not declare. */
  readonly undeclared: number
}

/**
 * Compares a plain object with a model. It fits when `issues` is empty.
 *
 * @returns `undefined` for a model of a class
 */
export function fitOf(model: EntityModel<object>, entity: object): ObjectFit | undefined {
  const { schema } = model
  if (model.class !== undefined || schema === undefined) return undefined
  const undeclared = undeclaredIn(model, entity)
  const outcome = schema.schema.check(membersIn(entity))
  const issues = [
    ...outcome.issues,
    ...undeclared.map((path) => ({ path, message: 'the model does not declare it' })),
  ]
  return { issues, undeclared: undeclared.length }
}

function undeclaredIn(model: EntityModel<object>, entity: object): string[] {
  const declared = new Set(mappedMembers(model))
  return valuesIn(membersIn(entity)).filter((member) => !declared.has(member))
}

/** Returns whether an object has exactly the properties of a model's key. */
export function holdsKeyOf(model: EntityModel<object>, target: object): boolean {
  const members = valuesIn(membersIn(target))
  const properties = keyProperties(model)
  return members.length === properties.size && members.every((member) => properties.has(member))
}

function keyProperties({ partitionKey, rowKey }: EntityModel<object>): Set<string> {
  return new Set([...partitionKey.properties, ...rowKey.properties])
}

/** Members with a value; methods do not count. */
function valuesIn(members: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(members).filter((member) => {
    const value = members[member]
    return value !== undefined && value !== null && typeof value !== 'function'
  })
}
