import {
  and,
  booleanProperty,
  COMPARISON_OPERATORS,
  comparison,
  DateTimeValue,
  DynamicEntity,
  EntityProperty,
  evaluateFilter,
  type FilterNode,
  literalOf,
  not,
  or,
} from '@rowkey/odata'
import fc from 'fast-check'

/** What a stored property may hold, by its name: few values of one type each, so that filters hit. */
export interface PropertyPool {
  readonly [name: string]: readonly EntityProperty[]
}

const texts = ['', 'a', "O'Brien", '日本', '😀', '\uffff', ' and ', 'a"b', 'Z']

/** A name for each Edm type, its values the ones that are often got wrong. */
export const everyType: PropertyPool = {
  text: texts.map((text) => EntityProperty.string(text)),
  small: [-(2 ** 31), -1, 0, 7, 2 ** 31 - 1].map((value) => EntityProperty.int32(value)),
  big: [-(2n ** 63n), -1n, 0n, 7n, 9_007_199_254_740_993n].map((n) => EntityProperty.int64(n)),
  real: [-1e300, -0.5, 0, 7, 7.25, 5e-324, Number.NaN, Infinity, -Infinity].map((value) =>
    EntityProperty.double(value),
  ),
  flag: [true, false].map((value) => EntityProperty.boolean(value)),
  at: ['1601-01-01T00:00:00Z', '2014-08-22T00:50:30.1234567Z', '2014-08-22T00:50:30.1234568Z'].map(
    (text) => EntityProperty.dateTime(DateTimeValue.parse(text)),
  ),
  id: ['c9da6455-213d-42c9-9a79-3e9149a57833', '00000000-0000-0000-0000-000000000000'].map((text) =>
    EntityProperty.guid(text),
  ),
  bytes: [[], [0], [0x80], [1, 2, 3]].map((bytes) => EntityProperty.binary(Uint8Array.from(bytes))),
}

const keys = ['', 'a', 'B', "O'B", 'é', '😀', '\uffff', 'a b', 'aa']

/** Some entities, each of another key. */
export function arbitraryEntities(pool: PropertyPool): fc.Arbitrary<readonly DynamicEntity[]> {
  const properties = Object.entries(pool).map(
    ([name, values]) =>
      [name, fc.option(fc.constantFrom(...values), { nil: undefined, freq: 3 })] as const,
  )
  const entity = fc
    .tuple(
      fc.constantFrom(...keys),
      fc.constantFrom(...keys),
      fc.record(Object.fromEntries(properties)),
    )
    .map(([partitionKey, rowKey, held]) => new DynamicEntity(partitionKey, rowKey, held))
  const selector = ({ partitionKey, rowKey }: DynamicEntity) =>
    JSON.stringify([partitionKey, rowKey])
  return fc.uniqueArray(entity, { selector, minLength: 1, maxLength: 15 })
}

/** What filters ask about: the keys, and what a pool holds. */
export function arbitraryQuestion(pool: PropertyPool): fc.Arbitrary<FilterNode> {
  const keyPool = keys.map((key) => EntityProperty.string(key))
  const questions: PropertyPool = { ...pool, PartitionKey: keyPool, RowKey: keyPool }
  const asked = Object.entries(questions)
  const tests = fc
    .constantFrom(...asked)
    .chain(([name, values]) =>
      fc
        .tuple(fc.constantFrom(...COMPARISON_OPERATORS), fc.constantFrom(...values))
        .map(([operator, value]) => comparison(name, operator, literalOf(value))),
    )
  const flags = asked.filter(([, [first]]) => first?.type === 'Boolean')
  const bare = flags.map(([name]) => fc.constant(booleanProperty(name)))
  return fc.letrec<{ node: FilterNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { arbitrary: tests, weight: 5 },
      ...bare,
      tie('node').map(not),
      fc
        .tuple(fc.constantFrom(and, or), fc.array(tie('node'), { minLength: 2, maxLength: 3 }))
        .map(([join, operands]) => join(...operands)),
    ),
  })).node
}

/** Whether a filter is true of an entity, evaluated in memory. */
export function isMatch(filter: FilterNode, entity: DynamicEntity): boolean {
  return evaluateFilter(filter, (name) => {
    if (name === 'PartitionKey') return EntityProperty.string(entity.partitionKey)
    return name === 'RowKey' ? EntityProperty.string(entity.rowKey) : entity.get(name)
  })
}
