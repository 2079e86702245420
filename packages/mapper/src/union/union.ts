import { type DynamicEntity, declareOptions, oneOf } from '@rowkey/odata'
import type { TableService } from '@rowkey/rest'
import { ModelError } from '../errors/model-error.ts'
import type { UnionMember } from '../model/entity-of.ts'
import { toModel } from '../model/to-model.ts'
import type { EntityUnion, UnionTableOptions, UnionTypes, UnknownRows } from './entity-union.ts'
import { UnionTable } from './union-table.ts'
import { UnionType } from './union-type.ts'

/** The options of {@link union}. */
export interface UnionOptions<Unknown extends UnknownRows = UnknownRows> {
  /**
   * The rule for rows of other types: `'reject'` throws a DecodeError (`UnknownType`), and `'dynamic'`
   * reads and writes them as DynamicEntity.
   *
   * @defaultValue `'reject'`
   */
  readonly unknown?: Unknown | undefined
}

const unionOptions = declareOptions<UnionOptions>({ unknown: oneOf('reject', 'dynamic') })

/**
 * Combines several types for one table. Each row is read, and each object is written, with its own type.
 *
 * The type of a row follows from the beginning of its keys, which the key templates fix, such as `0001_…`
 * for customers and `0002_…` for orders. It can also follow from its `discriminator`, a stored property.
 * The type of an instance is its class. The type of a plain object is the model that has all its properties
 * and whose schema accepts them.
 *
 * @param given - decorated classes, and models from {@link defineEntity}
 * @throws {@link ModelError} when a row could be of two of them: the message names both
 *
 * @example
 * ```ts
 * const Customer = defineEntity({ name: 'store', rowKey: key`0001_${'email'}`, … })
 * const Order = defineEntity({ name: 'store', rowKey: key`0002_${'orderNo:8'}`, … })
 * const store = account.table('store', union(Customer, Order))
 * for await (const row of store.query().where({ customerId: 'c1' })) {
 *   if ('orderNo' in row) console.log(row.total) // an order
 * }
 * ```
 */
export function union<const Members extends readonly [UnionMember, ...UnionMember[]]>(
  ...given: Members
): EntityUnion<Members[number]>
/**
 * Combines several types for one table, with a rule for rows of other types.
 *
 * @param given - decorated classes, and models from {@link defineEntity}; then the options
 * @throws {@link ModelError} when a row could be of two of them: the message names both
 *
 * @example
 * ```ts
 * const store = account.table('store', union(Customer, Order, { unknown: 'dynamic' }))
 * for await (const row of store.query().where({ customerId: 'c1' })) {
 *   if (row instanceof DynamicEntity) console.log(row.rowKey) // neither customer nor order
 * }
 * ```
 */
export function union<
  const Members extends readonly [UnionMember, ...UnionMember[]],
  const Unknown extends UnknownRows = 'reject',
>(
  ...given: [...Members, UnionOptions<Unknown>]
): EntityUnion<Members[number], Unknown extends 'dynamic' ? DynamicEntity : never>
export function union(
  ...given: readonly (UnionMember | UnionOptions)[]
): EntityUnion<UnionMember, never> {
  const last = given.at(-1)
  const options = isOptions(last) ? last : {}
  const members = (isOptions(last) ? given.slice(0, -1) : given) as readonly UnionMember[] // as typed
  unionOptions.check(options, 'union')
  const { unknown = 'reject' } = options
  const types = members.map((member) => new UnionType(toModel(member)))
  checkDistinct(types)
  checkLifetimes(types)
  const title = types.map((type) => nameIn(types, type)).join(' | ')
  const made: UnionTypes = Object.freeze({
    title,
    types: Object.freeze(types),
    unknown,
    open: (service: TableService, table: UnionTableOptions) => new UnionTable(service, made, table),
  })
  return made
}

/** Returns the name of a type; types with the same name show their keys. */
function nameIn(types: readonly UnionType[], type: UnionType): string {
  const alike = types.filter(({ label }) => label === type.label)
  return alike.length > 1 ? String(type) : type.label
}

function isOptions(given: UnionMember | UnionOptions | undefined): given is UnionOptions {
  return typeof given === 'object' && given !== null && !('columns' in given)
}

/** Reads of a union would show rows of these types that have expired. */
function checkLifetimes(types: readonly UnionType[]): void {
  const found = types.find(({ model }) => model.lifetime !== undefined)
  if (found === undefined) return
  throw new ModelError({
    className: found.model.title,
    problem:
      'Its model has a lifetime, which unions do not support: they would show rows that have expired. Open a table of this model alone.',
  })
}

function checkDistinct(types: readonly UnionType[]): void {
  if (types.length === 0) {
    throw new ModelError({
      className: '',
      problem:
        'A union needs at least one type. Pass classes or models, as in union(Customer, Order).',
    })
  }
  for (const [index, one] of types.entries()) {
    const other = types.slice(index + 1).find((each) => one.overlaps(each))
    if (other === undefined) continue
    throw new ModelError({
      className: one.model.title,
      problem:
        `A row could have this type and ${other.model.title}: ${one} and ${other}. Let their keys begin with ` +
        'different texts, such as 0001_ and 0002_, or ' +
        'give each a discriminator.',
    })
  }
}
