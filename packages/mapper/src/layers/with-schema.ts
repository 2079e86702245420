import { compareKeys, DecodeError, type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { writeDifference } from '../codec/difference.ts'
import {
  type Compared,
  type EntityRow,
  type MemberChange,
  type OriginalRow,
  over,
  type RowCodec,
} from '../codec/row-codec.ts'
import { isSchemaConverter } from '../convert/converter.ts'
import { copySource } from '../convert/json-text.ts'
import { SchemaError, type SchemaIssue } from '../errors/schema-error.ts'
import { partsIn } from '../keys/key-codec.ts'
import { storedNames } from '../member/stored-member.ts'
import { changed } from '../model/changed.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import { type Members, membersIn } from '../model/members-in.ts'
import { isSameValue } from '../place/same-value.ts'
import type { SchemaOutcome } from '../schema/entity-schema.ts'

/**
 * Applies the schema of a model to its entities. A write checks what the caller gave, and stores what the schema makes of it;
 * the object shows that once the write is applied. A read shows what the schema makes of what is stored. A key is made of the
 * values that the schema makes.
 *
 * @param codec - writes and reads the entities
 * @param model - the model; without a schema, the codec stays as it is
 */
export function withSchema<Entity extends object>(
  codec: RowCodec<Entity>,
  model: EntityModel<object>,
): RowCodec<Entity> {
  if (model.schema === undefined) return codec
  const { columns, computed, partitionKey, rowKey } = model
  const { schema, read: readRule, onDrift } = model.schema
  const properties = new Map(
    columns.flatMap((column) =>
      (column.series ? storedNames(column) : [column.name]).map((name) => [name, column.property]),
    ),
  )
  const stored = new Map(columns.map((column) => [column.property, column]))
  const onlyInKey = partsIn(model).filter(({ property }) => !stored.has(property))
  const keyNames = [...partitionKey.properties, ...rowKey.properties]
  const isComputedKey = keyNames.some((property) => computed.includes(property))
  // A computed part of a key follows from other properties.
  const keyed = (isComputedKey ? [...schema.properties.keys()] : keyNames).filter(
    (property) => schema.hasNormalForm(property) && !computed.includes(property),
  )
  const named = columns.filter(({ property }) => schema.properties.has(property))
  /** The columns whose values the schema reads as they are stored; others are converted first. */
  const isInput = new Set(
    named.filter(({ converter }) => converter === undefined || isSchemaConverter(converter)),
  )
  const isChangeable = (property: string) =>
    (schema.isShownOtherwise(property) || schema.hasNormalForm(property)) &&
    !computed.includes(property)
  /** The properties whose values the schema may change. */
  const changeable = [...schema.properties.keys()].filter(isChangeable)
  const shown = named.filter(({ property }) => isChangeable(property))
  const forgiving = named.flatMap(({ property }) =>
    schema.takesOthers(property) ? [property] : [],
  )
  const encoded = [...named, ...onlyInKey].filter(({ property }) => schema.hasCodec(property))

  const keyOf = (entity: Entity): EntityKey => {
    return changed(model, entity, keyChanges(entity), (made) => codec.keyOf(made))
  }

  return over(codec, {
    keyOf,
    ...(keyed.length > 0 && { shownKeyOf: (entity) => codec.keyOf(entity) }),

    write(entity, from) {
      const values = accepted(entity, schema.check(membersIn(entity)))
      const changes = changesOf(entity, values, from, false)
      const written = changed(model, entity, changes, (made) => codec.write(made, from))
      return changes.length === 0 ? written : { ...written, changes }
    },

    compare(entity, from, write) {
      return write.kind === 'merge'
        ? comparedForMerge(entity, from)
        : comparedForUpsert(entity, from)
    },

    read(raw, etag, isPart = false) {
      const row = codec.read(raw, etag, isPart)
      const members = membersIn(row.entity)
      const inputs = inputsOf(members, raw)
      const names = isPart ? propertiesOf(Object.keys(raw)) : [...schema.properties.keys()]
      const outcome =
        isPart || readRule === 'lenient' ? schema.showPart(inputs, names) : schema.show(inputs)
      let { values } = outcome
      if (outcome.issues.length > 0) {
        if (readRule !== 'lenient') drifted(keyOfRaw(raw), outcome.issues)
        if (!isPart && readRule === 'report') ({ values } = schema.showPart(inputs, names))
      }
      const isFilled = show(members, values, raw)
      return isFilled ? { ...row, initial: initialOf(row, isPart) } : row
    },
  })

  function propertiesOf(names: readonly string[]): readonly string[] {
    return [...new Set(names.flatMap((name) => properties.get(name) ?? []))]
  }

  /** Compares an entity for a merge, which checks what it sends. */
  function comparedForMerge(entity: Entity, from: OriginalRow | undefined): Compared {
    const ofKey = keepsKey(entity, from) ? [] : keyChanges(entity)
    const prepared = [...ofKey, ...converted(entity, from)]
    const first = changed(model, entity, prepared, (made) => codec.compare(made, from, MERGE))
    return {
      ...first,
      write(chosen) {
        const sent = propertiesOf(chosen.map(({ property }) => property.name))
        const values = accepted(entity, schema.checkPart(membersIn(entity), sent))
        if (from?.partial === false && !from.isOther && readRule === 'strict') checkWhole(entity)
        const changes = [...ofKey, ...changesOf(entity, values, from, true)]
        if (changes.length + prepared.length === 0) return first.write(chosen)
        const part = changed(model, entity, changes, (made) =>
          writeDifference(codec.compare(made, from, MERGE), from, 'merge'),
        )
        return changes.length === 0 ? part : { ...part, changes }
      },
    }
  }

  /** Rejects an entity whose values are valid, and that the next read would still reject. */
  function checkWhole(entity: Entity): void {
    const members = membersIn(entity)
    const whole = schema.check(members)
    if (whole.issues.length === 0) return
    if (schema.checkPart(members, schema.properties.keys()).issues.length > 0) return
    accepted(entity, whole)
  }

  /** Compares an entity for an upsert that merges, which checks all of it. */
  function comparedForUpsert(entity: Entity, from: OriginalRow | undefined): Compared {
    const values = accepted(entity, schema.check(membersIn(entity)))
    const all = changesOf(entity, values, from, true)
    const untouched = all.length > 0 ? untouchedIn(entity, from) : NONE
    const changes = all.filter(({ member }) => !untouched.has(member))
    const compared = changed(model, entity, changes, (made) =>
      codec.compare(made, from, { kind: 'upsert' }),
    )
    if (changes.length === 0) return compared
    return { ...compared, write: (chosen) => ({ ...compared.write(chosen), changes }) }
  }

  function keyChanges(entity: Entity): readonly MemberChange[] {
    if (keyed.length === 0) return []
    const members = membersIn(entity)
    return keyed.flatMap((member) => {
      const given = members[member]
      const made = schema.normal(member, given)
      return isSameValue(given, made) ? [] : [{ member, given, made }]
    })
  }

  /** Whether an entity shows the key of its row, which stays, also where the schema would change it. */
  function keepsKey(entity: Entity, from: OriginalRow | undefined): boolean {
    if (from === undefined || keyed.length === 0) return false
    try {
      return compareKeys(codec.keyOf(entity), from.row.key) === 0
    } catch {
      return false
    }
  }

  /**
   * Returns what the schema changes.
   *
   * @param isMerged - the row may have values that the entity does not show, which a default must not replace
   */
  function changesOf(
    entity: Entity,
    values: Readonly<Members>,
    from: OriginalRow | undefined,
    isMerged: boolean,
  ): readonly MemberChange[] {
    const members = membersIn(entity)
    const isKept = keepsKey(entity, from)
    const changes: MemberChange[] = []
    for (const member of changeable) {
      if (!Object.hasOwn(values, member)) continue
      const [given, value] = [members[member], values[member]]
      const made = keyed.includes(member) ? schema.normal(member, given ?? value) : value
      if (isSameValue(given, made)) continue
      if (given === undefined && (isMerged || from?.partial)) continue
      if (isKept && !stored.has(member)) continue
      changes.push({ member, given, made })
    }
    return changes
  }

  /** Returns what the schema changes of values that their columns may not take, such as text of a coerced number. */
  function converted(entity: Entity, from: OriginalRow | undefined): readonly MemberChange[] {
    if (forgiving.length === 0) return []
    const members = membersIn(entity)
    const given = forgiving.filter((property) => (members[property] ?? undefined) !== undefined)
    return changesOf(entity, schema.checkPart(members, given).values, from, true)
  }

  /** Returns the members whose values the caller has not changed since the row was known. */
  function untouchedIn(entity: Entity, from: OriginalRow | undefined): ReadonlySet<string> {
    if (from === undefined) return NONE
    const ofKey = keepsKey(entity, from) ? [] : keyChanges(entity)
    const { members } = changed(model, entity, [...ofKey, ...converted(entity, from)], (made) =>
      codec.compare(made, from, MERGE),
    )
    const same = members.filter(({ state }) => state === 'same')
    return new Set(propertiesOf(same.map(({ property }) => property.name)))
  }

  /** Returns the values of an entity that was just read as the schema takes them in. */
  function inputsOf(members: Members, raw: RawEntity): Members {
    if (encoded.length === 0) return members
    const inputs = { ...members }
    for (const each of encoded) {
      const { property } = each
      const isStored = 'name' in each && isInput.has(each) && (raw[each.name] ?? null) !== null
      if (!isStored) inputs[property] = schema.encode(property, members[property])
    }
    return inputs
  }

  /**
   * Shows what the schema makes of stored values.
   *
   * @returns whether it shows a value that is not stored
   */
  function show(members: Members, values: Readonly<Members>, raw: RawEntity): boolean {
    let isFilled = false
    for (const column of shown) {
      const { property } = column
      if (!Object.hasOwn(values, property)) continue
      const [before, value] = [members[property], values[property]]
      if (Object.is(before, value)) continue
      copySource(before, value)
      isFilled ||= isShownUnstored(column, value, raw)
      members[property] = value
    }
    return isFilled
  }

  /** Returns the JSON of what an entity shows although it is not stored so: see `Shown.initial`. */
  function initialOf(
    { entity, row }: EntityRow<Entity>,
    partial: boolean,
  ): ReadonlyMap<string, string> {
    const initial = new Map<string, string>()
    for (const { property, text } of codec.compare(entity, { row, partial }, MERGE).members) {
      if (text !== undefined) initial.set(property.name, text)
    }
    return initial
  }

  function drifted(key: EntityKey, issues: readonly SchemaIssue[]): void {
    if (readRule === 'strict') {
      const { message } = new SchemaError({ model: schema.title, action: 'read', issues, key })
      throw new DecodeError({ code: 'SchemaMismatch', message, details: { ...key } })
    }
    const reported: unknown = onDrift?.({ model: schema.title, key, issues })
    // A read does not wait for a report, and its rejection must not end the process.
    Promise.resolve(reported).catch(() => {})
  }

  /** Returns the values that the schema accepted, or throws its issues. */
  function accepted(entity: Entity, { values, issues }: SchemaOutcome): Readonly<Members> {
    if (issues.length === 0) return values
    let key: EntityKey | undefined
    try {
      key = keyOf(entity)
    } catch {
      // The invalid value may be a part of the key; the issues name it.
    }
    throw new SchemaError({ model: schema.title, action: 'written', issues, key })
  }
}

const NONE: ReadonlySet<string> = new Set()

const MERGE = { kind: 'merge' } as const

/** Whether a value, or one of a series, is shown that is not stored. */
function isShownUnstored(column: Column, value: unknown, raw: RawEntity): boolean {
  const isUnstored = (name: string) => (raw[name] ?? null) === null
  if (column.series === undefined) return isUnstored(column.name) && (value ?? null) !== null
  const values = Array.isArray(value) ? value : []
  return storedNames(column).some((name, at) => isUnstored(name) && (values[at] ?? null) !== null)
}
