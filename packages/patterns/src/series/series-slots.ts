import { declaredNames, type EntityModel, ModelError } from '@rowkey/mapper'
import type { DynamicEntity, EdmType, EdmValue } from '@rowkey/odata'
import { checkCustomPropertyName, EntityProperty, type Rule, rule } from '@rowkey/odata'
import { invalidPatternOption } from '../errors/codes.ts'
import { aCount, names } from '../errors/rules.ts'

/** The slots of a series: their number, or their names. */
export type Slots = number | readonly string[]

/**
 * What names one slot: its place from 0, or its name.
 *
 * @example
 * ```ts
 * type A = SlotOf<number>                   // number
 * type B = SlotOf<readonly ['mon', 'tue']>  // 'mon' | 'tue'
 * ```
 */
export type SlotOf<Declared extends Slots> = Declared extends readonly string[]
  ? Declared[number]
  : number

/**
 * The values of all slots: an array, or an object with a member for each name. A slot without a value is
 * `undefined`.
 *
 * @example
 * ```ts
 * type A = SeriesValues<number, number>                   // (number | undefined)[]
 * type B = SeriesValues<readonly ['mon', 'tue'], number>  // { mon: number | undefined; tue: … }
 * ```
 */
export type SeriesValues<Declared extends Slots, Value> = Declared extends readonly string[]
  ? { [Name in Declared[number]]: Value | undefined }
  : (Value | undefined)[]

/** The slots that a caller declares. */
export const someSlots: Rule = rule(
  'a whole number from 1, or an array of one or more different names',
  (slots) => {
    if (!Array.isArray(slots)) return aCount.accepts(slots)
    return slots.length > 0 && names.accepts(slots) && new Set(slots).size === slots.length
  },
)

/** The most properties of one row. */
const MAX_PROPERTIES = 252

/** The stored properties of a series. */
export class SeriesSlots {
  readonly #title: string
  readonly #type: EdmType
  readonly #isNamed: boolean
  /** The stored names by slot, in order. */
  readonly #names: ReadonlyMap<string, string>

  /**
   * @param model - the model of the rows
   * @param prefix - what all stored names begin with
   * @param slots - the slots
   * @param type - the type of their values
   * @throws ModelError when the row cannot have these properties beside those of the model
   */
  constructor(model: EntityModel<object>, prefix: string, slots: Slots, type: EdmType) {
    this.#title = model.title
    this.#type = type
    this.#isNamed = typeof slots === 'object'
    this.#names = namesOf(prefix, slots)
    for (const name of this.#names.values()) checkCustomPropertyName(name)
    const known = new Set(declaredNames(model))
    const shared = [...this.#names.values()].find((name) => known.has(name))
    const total = known.size + this.#names.size
    if (shared !== undefined) {
      throw invalidSeries(
        model,
        `The model stores a property '${shared}', which is a slot of the series, too. Choose another name.`,
      )
    }
    if (total > MAX_PROPERTIES) {
      throw invalidSeries(
        model,
        `The row could have ${total} properties, and at most ${MAX_PROPERTIES} are allowed. Use several rows: wideEntity.`,
      )
    }
  }

  /** Checks the value of a slot: `undefined` stores nothing. @throws InputError (`InvalidPatternOption`) */
  check(value: unknown): void {
    if (value !== undefined && value !== null) return
    throw invalidPatternOption(
      `set of the series of ${this.#title} needs a value of type ${this.#type}; got ${String(value)}. A merge cannot remove a slot.`,
    )
  }

  /** Sets one slot of a row. @throws InputError for an unknown slot, and for a value of another type */
  set(row: DynamicEntity, slot: number | string, value: unknown): void {
    const name = this.nameOf(slot)
    row.set(name, EntityProperty.of(value, this.#type, name))
  }

  /** Reads one slot of a row. @throws InputError when it is stored with another type */
  get(row: DynamicEntity, slot: number | string): EdmValue | undefined {
    return row.get(this.nameOf(slot))?.as(this.#type)
  }

  /** Reads all slots of a row: an array, or an object. */
  read(row: DynamicEntity): unknown {
    const values = Array.from(
      this.#names,
      ([slot, name]) => [slot, row.get(name)?.as(this.#type)] as const,
    )
    return this.#isNamed ? Object.fromEntries(values) : values.map(([, value]) => value)
  }

  /** Returns the stored name of a slot. @throws InputError for an unknown slot */
  nameOf(slot: number | string): string {
    const isSlot = typeof slot === 'number' || typeof slot === 'string'
    const name = isSlot ? this.#names.get(String(slot)) : undefined
    if (name !== undefined) return name
    const known = this.#isNamed
      ? [...this.#names.keys()].join(', ')
      : `0 to ${this.#names.size - 1}`
    throw invalidPatternOption(
      `The series of ${this.#title} has no slot ${JSON.stringify(String(slot))}. Its slots are ${known}.`,
    )
  }
}

function namesOf(prefix: string, slots: Slots): ReadonlyMap<string, string> {
  if (typeof slots === 'object') return new Map(slots.map((slot) => [slot, `${prefix}${slot}`]))
  const digits = String(slots - 1).length
  const places = Array.from({ length: slots }, (_, at) => String(at))
  return new Map(places.map((at) => [at, `${prefix}${at.padStart(digits, '0')}`]))
}

function invalidSeries({ title }: EntityModel<object>, problem: string): ModelError {
  return new ModelError({ className: title, problem })
}
