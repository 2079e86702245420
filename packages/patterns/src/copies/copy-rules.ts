import { codecOf, type EntityModel, hasDiscriminator, type RowTransition } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Derived } from '../derived/definition.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { anArray } from '../errors/rules.ts'
import { isSameKey } from '../rows/stored-row.ts'
import { keptBefore } from '../rows/unreadable.ts'
import { valueText } from '../rows/value-text.ts'

/** Properties of two models: those of the holder get the values of those of the source, which have their types. */
export type CopyFields<Source extends object, Holder extends object> = {
  readonly [To in keyof Holder & string]?:
    | {
        [From in keyof Source & string]: NonNullable<Source[From]> extends NonNullable<Holder[To]>
          ? From
          : never
      }[keyof Source & string]
    | undefined
}

/** How copies are made, as the keepers of both models need it. The catalogues of both models know them. */
export interface CopyRules extends Derived {
  readonly source: EntityModel<object, object, object>
  readonly holder: EntityModel<object, object, object>
  /** The pairs of properties: of the holder, of the source. */
  readonly fields: readonly (readonly [to: string, from: string])[]
  /** Returns the key properties of the source that a holder refers to. */
  sourceOf(holder: object): object | undefined
  /** Returns the key properties of the holders that may refer to a source. */
  holdersOf(source: object): readonly object[]
}

/** Reads a row of a source or a holder; `undefined` for a missing row, and for one of another type. */
export function readRow(
  model: EntityModel<object>,
  raw: RawEntity | undefined,
): object | undefined {
  return raw && hasDiscriminator(raw, model.discriminator) ? codecOf(model).read(raw) : undefined
}

/** Returns the key of the source that a holder refers to. */
export function sourceKeyOf(rules: CopyRules, holder: object): EntityKey | undefined {
  const target = rules.sourceOf(holder)
  return target && codecOf(rules.source).keyOf(target)
}

/** Tells whether a holder referred to a source before a write; `target` is `undefined` for none. */
export function hadSource(
  rules: CopyRules,
  before: object | undefined,
  target: EntityKey | undefined,
): boolean {
  const old = keptBefore(before, (holder) => ({ key: sourceKeyOf(rules, holder) }))
  return old !== undefined && isSameKey(old.key, target)
}

/** Returns the keys of the holders that may refer to a source, before or after a write. */
export function holderKeysOf(
  rules: CopyRules,
  before: object | undefined,
  after: object | undefined,
): readonly EntityKey[] {
  const keysOf = (source: object): readonly EntityKey[] => {
    const holders = rules.holdersOf(source)
    checkArgument(anArray, holders, `The result of holders of the copies of ${rules.source.title}`)
    return holders.map((target) => codecOf(rules.holder).keyOf(target))
  }
  return [...(keptBefore(before, keysOf) ?? []), ...(after ? keysOf(after) : [])]
}

/**
 * Sets the copies in a holder.
 *
 * @param holder - the entity that gets them
 * @param source - the entity that they are of; without one, the copies are removed
 * @returns the properties whose values were others before
 */
export function fillCopies(
  { fields, holder: model }: CopyRules,
  holder: object,
  source: object | undefined,
): readonly string[] {
  return fields.flatMap(([to, from]) => {
    const value: unknown = source && Reflect.get(source, from)
    if (textOf(holder, to, model) === valueText(value, to, model)) return []
    Reflect.set(holder, to, value ?? undefined)
    return [to]
  })
}

/** Tells whether a write changed what is copied. */
export function isChanged(
  { fields, source }: CopyRules,
  before: object | undefined,
  after: object | undefined,
): boolean {
  if (before === undefined || after === undefined) return true
  return fields.some(([, from]) => textOf(before, from, source) !== textOf(after, from, source))
}

/** Tells whether two versions of a holder have the same copies. */
export function haveSameCopies({ fields, holder }: CopyRules, one: object, other: object): boolean {
  return fields.every(([to]) => textOf(one, to, holder) === textOf(other, to, holder))
}

/** The write of a holder that gets its copies from the source in the same transaction. */
export interface FilledTransition extends RowTransition {
  readonly isFilled: true
}

function textOf(entity: object, property: string, model: EntityModel<object>): string {
  return valueText(Reflect.get(entity, property), property, model)
}
