import {
  booleanProperty,
  COMPARISON_OPERATORS,
  comparison,
  constant,
  type FilterNode,
  literalOf,
  not,
} from '@rowkey/odata'
import fc from 'fast-check'
import { arbitraryName, arbitraryProperty } from './arbitrary-values.ts'

/** Reserved words cannot be names in a filter. */
const RESERVED = ['true', 'false', 'null', 'and', 'or', 'not', 'NaN', 'INF']
const names = arbitraryName.filter((name) => !RESERVED.includes(name))

const comparisons = fc
  .tuple(names, fc.constantFrom(...COMPARISON_OPERATORS), arbitraryProperty)
  .map(([name, operator, property]) => comparison(name, operator, literalOf(property)))

/** Trees of every shape, also those that `and` and `or` would flatten. */
export const arbitraryFilter: fc.Arbitrary<FilterNode> = fc.letrec<{ node: FilterNode }>((tie) => ({
  node: fc.oneof(
    // Without a bias to small trees, down to the limit.
    { maxDepth: 5, depthSize: 'max' },
    { weight: 4, arbitrary: comparisons },
    { weight: 1, arbitrary: names.map(booleanProperty) },
    { weight: 1, arbitrary: fc.boolean().map(constant) },
    { weight: 1, arbitrary: tie('node').map(not) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
      }),
    },
  ),
})).node
