import type { DynamicEntity } from '@rowkey/odata'
import { checkOptions } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import { ModelError } from '../errors/model-error.ts'
import type { UnionMember } from '../model/entity-of.ts'
import { toModel } from '../model/to-model.ts'
import type { EntityUnion, UnknownRows } from './entity-union.ts'
import { UnionType } from './union-type.ts'

/** What {@link union} is told besides the types. */
export interface UnionOptions<Unknown extends UnknownRows = UnknownRows> {
  /**
   * What is done with rows of none of the types: `'refuse'` throws a DecodeError (`UnknownType`), and
   * `'dynamic'` reads and writes them as DynamicEntity.
   *
   * @defaultValue `'refuse'`
   */
  readonly unknown?: Unknown | undefined
}

/**
 * Several types that are kept in one table. Each row is read as what it is, and each object written as
 * what it is.
 *
 * Rows are told by what their keys begin with, from the fixed texts of the key templates: customers
 * in `0001_…` and orders in `0002_…`, say; or by their `discriminator`, a stored property. Instances of classes are told by their class; plain objects
 * by the model that has all their properties and whose schema takes them.
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
 * Several types that are kept in one table, and what is done with rows of others.
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
  const Unknown extends UnknownRows = 'refuse',
>(
  ...given: [...Members, UnionOptions<Unknown>]
): EntityUnion<Members[number], Unknown extends 'dynamic' ? DynamicEntity : never>
export function union(
  ...given: readonly (UnionMember | UnionOptions)[]
): EntityUnion<UnionMember, never> {
  const last = given.at(-1)
  const options = isOptions(last) ? last : {}
  const members = (isOptions(last) ? given.slice(0, -1) : given) as readonly UnionMember[] // as typed
  checkOptions(options, ['unknown'], 'union')
  const { unknown = 'refuse' } = options
  if (unknown !== 'refuse' && unknown !== 'dynamic') {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: "unknown of a union is 'refuse' or 'dynamic'.",
    })
  }
  const types = members.map((member) => new UnionType(toModel(member)))
  checkDistinct(types)
  const title = types.map((type) => nameIn(types, type)).join(' | ')
  return Object.freeze({ title, types: Object.freeze(types), unknown })
}

/** Types of the same name are told apart by their keys. */
function nameIn(types: readonly UnionType[], type: UnionType): string {
  const alike = types.filter(({ label }) => label === type.label)
  return alike.length > 1 ? String(type) : type.label
}

function isOptions(given: UnionMember | UnionOptions | undefined): given is UnionOptions {
  return typeof given === 'object' && given !== null && !('columns' in given)
}

function checkDistinct(types: readonly UnionType[]): void {
  if (types.length === 0) {
    throw new ModelError({
      className: '',
      problem: 'A union has no types. Give it classes or models, as in union(Customer, Order).',
    })
  }
  for (const [index, one] of types.entries()) {
    const other = types.slice(index + 1).find((each) => one.overlaps(each))
    if (other === undefined) continue
    throw new ModelError({
      className: one.model.title,
      problem:
        `A row could be of this type and of ${other.model.title}: ${one} and ${other}. Let their keys begin with ` +
        'texts of which neither begins with the other, such as 0001_ and 0002_, or ' +
        'give each a discriminator.',
    })
  }
}
